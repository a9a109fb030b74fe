/** The page in a real browser: the rules of axe, hostile texts as text, without scripts, wide and narrow. */
import axe from 'axe-core';
import chromium from '@sparticuz/chromium';
import { chromium as browsers, type Page } from 'playwright-core';
import t from 'tap';
import { registerAdmin, testApp } from '../../../test/support/app.js';
import { createPortal, PUBLIC, visit } from './support.js';

const { origin, close } = await testApp();
const admin = await registerAdmin(origin);
const browser = await browsers.launch({
  executablePath: await chromium.executablePath(),
  args: chromium.args,
  headless: true,
});
t.teardown(async () => {
  await browser.close();
  await close();
});

const HOSTILE = [
  '<script>document.title="taken"</script>',
  '<img src=x onerror="document.title=\'taken\'">',
  '"><svg onload=alert(1)>',
  "' onmouseover='alert(1)",
  '</title><h1>taken</h1>',
  '</style><style>body{display:none}</style>',
  '&lt;b&gt; &amp; &#x202e; <!-- comment -->',
  '\u202eright to left\u202c and back',
  'שלום עולם',
  '{{constructor.constructor("alert(1)")()}}',
  'javascript:alert(1)',
  'https://example.org/"onclick="alert(1)',
  'x'.repeat(480),
  'two\nlines\tand a tab',
  'e\u0301\u0323\u0324\u0325 zalgo',
  'emoji 👩‍👩‍👧‍👦 \u{1F600}',
];
await admin.api.post('/metamodel/types', {
  key: 'Thing',
  label: '<i>Thing</i>',
  sections: [
    {
      key: 'main',
      label: 'Main',
      fields: [
        { key: 'note', label: 'Note <b>', kind: 'text' },
        {
          key: 'colour',
          label: 'Colour',
          kind: 'single_select',
          options: [{ key: 'red', label: '"Red" <b>', color: '#cc0000' }, { key: 'none' }],
        },
        { key: 'tones', kind: 'multiple_select', options: [{ key: 'warm', color: '#ffcc00' }, { key: 'cold' }] },
        { key: 'weight', kind: 'number', unit: 'kg' },
        { key: 'since', kind: 'date' },
        { key: 'is_new', label: 'New', kind: 'boolean' },
        { key: 'home', kind: 'url' },
      ],
    },
  ],
});
for (const [i, text] of HOSTILE.entries()) {
  const name = text.replace(/[\n\t]/g, ' ');
  const made = await admin.api.post('/cards', {
    type: 'Thing',
    name,
    description: `${text} ${text}`,
    attributes: {
      note: text,
      colour: 'red',
      tones: ['warm', 'cold'],
      weight: i,
      since: '2026-01-15',
      is_new: i % 2 === 0,
      home: 'https://example.org/a?b=1&c=2',
    },
  });
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
}
const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><rect width="48" height="48" fill="#0b5cad"/></svg>';
await admin.api.send('PUT', '/settings/logo', Buffer.from(LOGO), { headers: { 'content-type': 'image/svg+xml' } });
await admin.api.patch('/settings', { app_title: 'Northwind <b>Energy</b>' });
const attributes = ['note', 'colour', 'tones', 'weight', 'since', 'is_new', 'home'].map((key) => `attributes.${key}`);
await createPortal(admin, {
  slug: 'things',
  title: '<h1>Things & "more"',
  description: 'All things.\n<script>alert(1)</script>',
  type: 'Thing',
  fields: ['description', ...attributes],
  visitor_filters: attributes.slice(1, 6),
  search_fields: ['name', 'description', 'attributes.note'],
  page_size: 10,
  is_published: true,
});
const PAGE = `${origin}${PUBLIC}/things/page`;

/** A page of the browser, in which every error, script, dialog and request to elsewhere is recorded. */
async function open(width: number, javaScriptEnabled = true): Promise<{ page: Page; heard: string[] }> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, javaScriptEnabled });
  const page = await context.newPage();
  const heard: string[] = [];
  page.on('console', (message) => heard.push(message.text()));
  page.on('pageerror', (error) => heard.push(String(error)));
  page.on('dialog', (dialog) => {
    heard.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/api/v1/`)) heard.push(request.url());
  });
  return { page, heard };
}

/** The violations of all rules of axe. It is evaluated by the debugger, so that the policy of the page holds. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const result = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>('axe.run()');
  return result.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`);
}

for (const width of [1_280, 400])
  t.test(`the page at ${width} pixels`, async (t) => {
    const { page, heard } = await open(width);
    const answer = await page.goto(PAGE);
    t.equal(answer?.status(), 200);
    t.equal(await page.locator('html').getAttribute('lang'), 'en');
    t.equal(await page.locator('h1').count(), 1);
    t.equal(await page.locator('h1').innerText(), '<h1>Things & "more"');
    t.match(await page.title(), '<h1>Things & "more" – Northwind <b>Energy</b>');
    t.equal(await page.evaluate("document.querySelector('header img').naturalWidth > 0"), true, 'the logo is shown');
    t.equal(
      await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth'),
      true,
      'nothing is cut off',
    );
    t.equal(
      await page.evaluate(
        "[...document.querySelectorAll('.control :is(input, select)')].filter((one) => one.getBoundingClientRect().right > one.closest('.control').getBoundingClientRect().right + 0.5).length",
      ),
      0,
      'no control is over another',
    );
    t.equal(
      await page.evaluate("getComputedStyle(document.querySelector('main')).maxWidth"),
      '1120px',
      'the style applies',
    );
    t.same(await violations(page), []);
    t.equal(await page.locator('script, main img, main svg, iframe, [style], [onload]').count(), 0);

    const names: string[] = [...(await page.locator('h2').allInnerTexts())];
    t.same(await violations(page), []);
    await page.click('nav a[rel=next]');
    t.match(page.url(), /page=2/);
    names.push(...(await page.locator('h2').allInnerTexts()));
    t.same(await violations(page), []);
    t.same(names.sort(), HOSTILE.map((text) => text.replace(/[\n\t]/g, ' ')).sort(), 'names are text');

    await page.goto(`${PAGE}?search=script`);
    t.equal(await page.locator('#search').inputValue(), 'script');
    await page.locator('h2 a').first().click();
    t.match(page.url(), /\/page\/[0-9a-f-]{36}$/);
    t.equal(await page.locator('h1').innerText(), HOSTILE[0]);
    t.match(await page.locator('dl').innerText(), HOSTILE[0], 'values are text');
    t.same(await violations(page), []);
    await page.goBack();
    await page.goto(`${origin}${PUBLIC}/nothing/page`);
    t.same(await violations(page), []);
    await page.goto(`${PAGE}?search=a+b+c+d+e+f+g+h+i+j+k`);
    t.equal(await page.locator('h1').innerText(), 'Search not possible');
    t.same(await violations(page), []);
    await page.click('main a');
    t.equal(page.url(), PAGE, 'back to the list');
    t.same(
      heard.filter((line) => !/status of (?:404|422)/.test(line)),
      [],
      'no script ran, and nothing was loaded from elsewhere',
    );
  });

t.test('it works without scripts', async (t) => {
  const { page, heard } = await open(1_280, false);
  await page.goto(PAGE);
  await page.fill('#search', 'zalgo');
  await page.click('button');
  t.equal(await page.locator('h2').count(), 1);
  await page.click('.plain');
  await page.selectOption('#filter-0', 'red');
  await page.fill('#filter-2-gte', '15');
  await page.click('button');
  t.match(page.url(), /attributes\.weight%5Bgte%5D=15/);
  t.equal(await page.locator('h2').count(), 1);
  t.equal(await page.locator('#filter-0').inputValue(), 'red');
  await page.goto(`${PAGE}?attributes.colour=none`);
  t.equal(await page.locator('.empty').count(), 1);
  t.same(heard, []);
});

t.test('the policy permits nothing but the style and the logo', async (t) => {
  const { headers, text } = await visit(origin, 'things/page');
  t.match(
    headers.get('content-security-policy'),
    /^default-src 'none'; style-src 'sha256-[\w+/=]+'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
  );
  t.equal(headers.get('x-content-type-options'), 'nosniff');
  t.notMatch(text, /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/u);
});
