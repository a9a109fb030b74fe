/** Hostile draw.io files: what runs, loads or tracks is removed, what exhausts is refused. */
import t from 'tap';
import { deflateRawSync } from 'node:zlib';
import { readLabels } from '../content/labels.js';
import { readForSaving } from '../content/save.js';
import { show } from '../content/show.js';
import { drawDrawio } from '../drawing/draw.js';
import { readDrawio, sanitiseHtml, writeDrawio } from '../drawio/index.js';
import { DISARMED, fileWith, object, REFUSED, shape } from './hostile-drawings.js';
import { unsafeParts } from './safe-svg.js';

const read = (content: string): Extract<ReturnType<typeof readDrawio>, { ok: true }> => {
  const result = readDrawio(Buffer.from(content));
  if (!result.ok) throw new Error(result.message);
  return result;
};

/** Text with character references resolved, as a reader of XML and then one of HTML would see it. */
const decoded = (text: string): string =>
  text
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&');

t.test('hostile drawings are disarmed', (t) => {
  t.ok(DISARMED.length >= 30);
  for (const { name, content, without } of DISARMED) {
    const { file, removed } = read(content);
    const written = writeDrawio(file, { compressed: false }).toString();
    t.ok(removed.length > 0 || name === 'a processing instruction', `${name}: the removal is listed`);
    t.notMatch(decoded(written), without, `${name}: the file`);
    const again = read(written);
    t.same(again.removed, [], `${name}: nothing is left to remove`);
    t.equal(
      writeDrawio(again.file, { compressed: false }).toString(),
      written,
      `${name}: sanitising twice is the same as once`,
    );
    const { svg } = drawDrawio(file)!;
    t.same(unsafeParts(svg), [], `${name}: the picture`);
    t.notMatch(svg, /evil\.test/, `${name}: the picture`);
  }
  t.end();
});

t.test('removals name the page, the cell and the kind', (t) => {
  const { removed } = read(
    fileWith(`${shape('<b onclick="x()">b</b>')}${shape('x', 'image=https://a.test/x.png;', 'b')}`),
  );
  t.same(removed, [
    { kind: 'html_attribute', what: 'onclick=x()', page: 0, at: 2, cell_id: 'a' },
    { kind: 'image', what: 'image=https://a.test/x.png', page: 0, at: 3, cell_id: 'b' },
  ]);
  t.end();
});

t.test('files that cannot be read are refused with reason and line', (t) => {
  for (const { name, content, reason } of REFUSED) {
    const result = readDrawio(Buffer.from(content));
    t.match(result, { ok: false, reason, message: /./, line: Number }, name);
  }
  const result = readDrawio(Buffer.from('<mxfile>\n<diagram>\n</mxfile>'));
  t.match(result, { ok: false, reason: 'not_well_formed', line: 3 });
  t.end();
});

t.test('what is harmless stays as it is', (t) => {
  const texts = [
    '<b>a</b> &amp; <i style="color: #f00;">b</i><br/>1 < 2 > 0<hr size="1">',
    '<p style="margin:0px;margin-top:4px;text-align:center;"><b>Class</b></p><ul><li>x</li></ul>',
    '<a href="https://example.test/?a=1&amp;b=2">web</a> <a href="mailto:a@b.test">mail</a> <a href="/cards/1">card</a>',
    '<table border="1" style="width:100%;border-collapse:collapse"><tr><td align="left">a</td></tr></table>',
    '<font color="#ff0000" face="Courier New">x</font><img src="data:image/png;base64,iVBORw0KGgo=">',
    '&lt;script&gt; is shown as text, javascript: too',
  ];
  const styles = 'shape=image;image=data:image/png,iVBORw0KGgo=;html=1;link=data:page/id,abc_1;note=1 < 2';
  const user =
    'label="x" link="https://example.test/a" cardId="1" plugins="three" url="example.test" online="yes" note="Metadata: text and javascript: in words"';
  const cells = [
    ...texts.map((text, at) => shape(text, undefined, `t${at}`)),
    shape('x', styles, 's'),
    object(user),
  ].join('');
  const { file, removed } = read(fileWith(cells));
  t.same(removed, []);
  t.same(
    file.pages[0]!.cells.slice(2, 2 + texts.length).map(({ label }) => label),
    texts,
  );
  t.equal(file.pages[0]!.cells.at(-1)!.wrapper!.attributes.get('online'), 'yes');
  t.end();
});

t.test('images of other servers stay where the policy allows it', (t) => {
  const content = Buffer.from(
    fileWith(shape('<img src="https://a.test/x.png">', 'html=1;shape=image;image=https://a.test/x.png;')),
  );
  const kept = readDrawio(content, { keepForeignImages: true });
  t.match(kept, { ok: true, removed: [] });
  t.notMatch(drawDrawio(read(content.toString()).file)!.svg, /a\.test/, 'they are never drawn');
  t.end();
});

t.test('HTML of any depth is sanitised in linear time', (t) => {
  const policy = { keepForeignImages: false };
  for (const html of ['<b>', '<a href="', '<!--', '<<', '<x y=', '</', '<script>', '<td><table>'].map((part) =>
    part.repeat(50_000),
  )) {
    const began = performance.now();
    const once = sanitiseHtml(html, policy, () => undefined);
    t.ok(performance.now() - began < 5_000, html.slice(0, 12));
    t.equal(
      sanitiseHtml(once, policy, () => undefined),
      once,
    );
  }
  t.end();
});

t.test('thousands of cells inside each other are read and drawn in linear time', (t) => {
  const deep = 9_900;
  const cells = Array.from({ length: deep }, (_, i) => {
    const parent = i === 0 ? '1' : `s${i - 1}`;
    return `<mxCell id="s${i}" value="Name ${i}" vertex="1" parent="${parent}"><mxGeometry width="9" height="9" as="geometry"/></mxCell>
      <mxCell id="e${i}" edge="1" parent="1" source="s${deep - 1}" target="s${deep - 2}"/>`;
  });
  const card = '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b';
  const bytes = Buffer.from(fileWith(`${cells.join('')}${object(`label="x" cardId="${card}"`)}`));
  const began = process.cpuUsage();
  const saved = readForSaving({ kind: 'save', bytes, maxBytes: 10_000_000, publicUrl: undefined });
  if (!saved.ok) throw new Error(saved.message);
  const shapes = saved.shapes.map((one) => ({ ...one, name: null, color: null }));
  const stored = { content: saved.content, shapes, held: [], key: '' };
  t.equal(readLabels({ kind: 'labels', stored, hidden: [card], most: 1_000 }).labels.length, 1_000);
  const output = { as: 'svg', page: 0, width: undefined, theme: 'light', language: 'en', title: 'T' } as const;
  show({ kind: 'show', stored, states: new Map([[card, { kind: 'hidden' }]]), publicUrl: undefined, output });
  const { user, system } = process.cpuUsage(began);
  // A few seconds on a slow machine; it took minutes when each cell was looked at for each line.
  t.ok(user + system < 20_000_000, `${(user + system) / 1e6} s of processor time`);
  t.end();
});

t.test('custom shapes that are small in the file and large when inflated', (t) => {
  const lines = '<line x="1" y="1"/>'.repeat(4_800);
  const stencil = (i: number) =>
    deflateRawSync(
      Buffer.from(
        `<shape name="${i}"><foreground><path><move x="1" y="1"/>${lines}</path><stroke/></foreground></shape>`,
      ),
    ).toString('base64');
  const cells = Array.from({ length: 1_000 }, (_, i) => shape('x', `shape=stencil(${stencil(i)});`, `s${i}`));
  const { file, removed } = read(fileWith(cells.join('')));
  const kept = file.pages[0]!.cells.filter(({ style }) => style.some(({ key }) => key === 'shape')).length;
  t.ok(kept > 50 && kept < 400, `${kept} of 1,000 are kept`);
  t.equal(removed.filter(({ kind }) => kind === 'stencil').length, 1_000 - kept);
  t.same(read(writeDrawio(file, { compressed: false }).toString()).removed, [], 'sanitising again removes nothing');
  t.end();
});
