/** The texts of mails about accounts: the same in every language, rendered as text and HTML, and notices of new devices. */
import t from 'tap';
import { agentFamily, networkOf } from '../../core/identity/auth/devices.js';
import { CATALOGUES, languageOf, renderMail, type Language, type Letter } from '../../core/identity/mails/index.js';
import {
  client,
  englishOnly,
  expectStatus,
  makeUser,
  nextAddress,
  PASSWORD,
  sql,
  until,
  type Session,
} from '../support/app.js';
import { mailNode } from '../support/mail-journeys.js';

const { node, admin, to, next, settled, close } = await mailNode();
t.teardown(close);
const { origin, database } = node;
const { api } = admin;
const LANGUAGES = Object.keys(CATALOGUES) as Language[];
const placeholders = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).sort();

await t.test('all languages have the same texts and placeholders, and none in English', (t) => {
  t.strictSame(LANGUAGES, ['en', 'de', 'fr', 'es', 'it']);
  for (const language of LANGUAGES) {
    const texts: Record<string, string> = CATALOGUES[language];
    t.strictSame(Object.keys(texts).sort(), Object.keys(CATALOGUES.en).sort(), language);
    for (const [key, text] of Object.entries(texts)) {
      t.strictSame(
        placeholders(text),
        placeholders(CATALOGUES.en[key as keyof typeof CATALOGUES.en]),
        `${language} ${key}`,
      );
      t.match(text, /^\S(.*\S)?$/, `${language} ${key}`);
    }
    if (language !== 'en') t.equal(englishOnly(CATALOGUES.en, texts).size, Object.keys(texts).length, language);
  }
  t.end();
});

await t.test('the language is that of the user, else of the workspace, else English', (t) => {
  t.strictSame(
    [
      languageOf('de-AT'),
      languageOf('pt-BR', 'fr'),
      languageOf(null, 'ja'),
      languageOf(undefined),
      languageOf('constructor'),
    ],
    ['de', 'fr', 'en', 'en', 'en'],
  );
  t.end();
});

const HOSTILE = '</p><script>alert("x")</script>\r\nBcc: a@b.c\u2028{workspace} \u202eesrever & \'quoted\' \ud800';
const LETTERS: Record<string, Letter> = {
  invitation: {
    subject: 'invitation_subject',
    name: HOSTILE,
    values: { inviter: HOSTILE, email: HOSTILE, until: new Date('2026-03-04T05:06:07Z') },
    blocks: [
      'invitation_body',
      { label: 'invitation_action', url: 'https://e.org/a?b=1&c="<x>"#token=t' },
      'invitation_expiry',
      'invitation_ignore',
    ],
  },
  sign_in: {
    subject: 'sign_in_subject',
    values: { email: HOSTILE, days: 90, time: new Date('2026-03-04T05:06:07Z'), device: HOSTILE, address: HOSTILE },
    blocks: ['sign_in_body', 'sign_in_time', 'sign_in_device', 'sign_in_address', 'sign_in_ignore', 'sign_in_warning'],
  },
};

await t.test('hostile values are text in every language', (t) => {
  for (const language of LANGUAGES) {
    for (const [kind, letter] of Object.entries(LETTERS)) {
      const { subject, text, html } = renderMail(letter, language, HOSTILE);
      const what = `${language} ${kind}`;
      t.notMatch(subject, /[\p{Cc}\p{Zl}\u202e\ud800]/u, what);
      t.ok(subject.length <= 250, what);
      t.notMatch(html, /<script|<\/p><\/p>|'quoted'|[\u2028\u202e\ud800]/u, what);
      t.match(
        html,
        /&lt;\/p&gt;&lt;script&gt;alert\(&quot;x&quot;\)&lt;\/script&gt; Bcc: a@b\.c \{workspace\} esrever &amp; &#39;quoted&#39;/,
        what,
      );
      t.match(html, `<html lang="${language}">`, what);
      t.notMatch(text, /^Bcc/m, what);
      t.notMatch(`${subject}${text}${html}`, /\{(?!workspace\})\w+\}/, `${what}: every placeholder has a value`);
      const tags = [...html.matchAll(/<(\/?)(p|a|div|body|html|head|title)\b/g)];
      for (const tag of ['p', 'a', 'div'])
        t.equal(
          tags.filter(([, end, name]) => name === tag && end === '').length,
          tags.filter(([, end, name]) => name === tag && end === '/').length,
          `${what} ${tag}`,
        );
      if (kind === 'invitation') t.match(html, 'href="https://e.org/a?b=1&amp;c=&quot;&lt;x&gt;&quot;#token=t"', what);
    }
  }
  const times = LANGUAGES.map(
    (language) => /(\S+ \S+ \S+ [^.]*) UTC/.exec(renderMail(LETTERS['invitation']!, language, 'x').text)?.[1],
  );
  for (const [i, expected] of [
    /March 4, 2026 at 5:06/,
    /4\. März 2026 um 05:06/,
    /4 mars 2026 à 05:06/,
    /4 de marzo de 2026\D+5:06/,
    /4 marzo 2026 alle ore 05:06/,
  ].entries())
    t.match(times[i], expected);
  t.end();
});

await t.test('every kind of mail is sent in the language of its receiver', async (t) => {
  for (const language of LANGUAGES) {
    const texts = CATALOGUES[language];
    const email = `speaks-${language}@example.org`;
    expectStatus(
      await api.post('/users/invitations', { email: `new-${email}`, role: 'member', locale: language }),
      201,
      language,
    );
    const body = { email, password: PASSWORD, display_name: 'Speaker', locale: `${language}`, role: 'member' };
    expectStatus(await api.post('/users', body), 201, language);
    const { body: answer } = await client(origin).post(
      '/auth/login',
      { email, password: PASSWORD },
      { from: nextAddress() },
    );
    const own = client(origin, String(answer['access_token']));
    await client(origin).post('/auth/forgot-password', { email }, { from: nextAddress() });
    await next(email);
    await own.post('/auth/email-change', { current_password: PASSWORD, email: `other-${email}` });
    await next(email, 1);
    const [invitation, changed] = [await next(`new-${email}`), await next(`other-${email}`)];
    const fill = (text: string): string => text.replace('{workspace}', 'Lintel').replace('{inviter}', 'Ada Admin');
    t.strictSame(
      [invitation, ...to(email), changed].map(({ headers }) => headers.get('subject')?.[0]),
      [texts.invitation_subject, texts.reset_subject, texts.change_old_subject, texts.change_new_subject].map(fill),
      language,
    );
    for (const one of [invitation, ...to(email), changed]) {
      t.match(one.text, fill(texts.footer), language);
      t.match(one.html, `<html lang="${language}">`);
      t.match(one.headers.get('content-type')?.[0], /^multipart\/alternative/);
    }
  }
});

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

await t.test('families of programs and networks of addresses', (t) => {
  for (const [agent, family] of [
    [FIREFOX, 'Firefox'],
    [CHROME, 'Chrome'],
    [`${CHROME} Edg/140.0`, 'Edge'],
    [`${CHROME} OPR/120.0`, 'Opera'],
    ['Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1', 'Safari'],
    ['curl/8.5.0', 'curl'],
    ['python-requests/2.32', 'python-requests'],
    [`${'x'.repeat(500)}`, 'x'.repeat(40)],
    ['<b>', '–'],
    [null, '–'],
  ] as const)
    t.equal(agentFamily(agent), family);
  for (const [ip, network] of [
    ['192.0.2.7', '192.0.2.0/24'],
    ['::ffff:192.0.2.7', '192.0.2.0/24'],
    ['2001:DB8:1:2::3', '2001:db8:1::/48'],
    ['::1', '0:0:0::/48'],
  ] as const)
    t.equal(networkOf(ip), network);
  t.end();
});

await t.test('a user is told of a log-in from an unknown device, and of nothing else', async (t) => {
  let n = 0;
  const user = `device-${++n}@example.org`;
  const make = { email: user, password: PASSWORD, display_name: 'Device', role: 'member', locale: 'en' };
  const { id } = expectStatus(await api.post('/users', make), 201, 'a user').body;
  const logIn = async (agent: string, from = '127.8.8.1'): Promise<void> =>
    void expectStatus(
      await client(origin).post(
        '/auth/login',
        { email: user, password: PASSWORD },
        { from, headers: { 'user-agent': agent } },
      ),
      200,
      agent,
    );
  const told = async (): Promise<number> => {
    await settled();
    return to(user).length;
  };
  await logIn(FIREFOX);
  t.equal(await told(), 0, 'the first log-in ever');
  await logIn(FIREFOX.replaceAll('140', '141'), '127.8.8.200');
  t.equal(await told(), 0, 'another version and address of the same network');
  await logIn(CHROME);
  t.equal(await told(), 1, 'another family');
  await logIn(CHROME);
  t.equal(await told(), 1, 'now it is known');
  await logIn(FIREFOX, '127.8.9.1');
  t.equal(await told(), 2, 'another network');
  await sql(
    database,
    `update login_devices set last_login_at = clock_timestamp() - interval '91 days' where user_id = $1 and family = 'Chrome'`,
    [id],
  );
  await logIn(CHROME);
  t.equal(await told(), 3, 'after 90 days');
  const forget = () => sql(database, 'delete from login_devices where user_id = $1', [id]);
  await forget();
  await logIn(CHROME);
  t.equal(await told(), 3, 'an account that was in use before devices were recorded');
  await forget();
  await sql(database, `update users set last_login_at = clock_timestamp() - interval '91 days' where id = $1`, [id]);
  await logIn(CHROME);
  t.equal(await told(), 4, 'an account that was not used for 90 days');
  for (let i = 0; i < 7; i++) await logIn(`program${i}/1.0`, nextAddress());
  t.equal(await told(), 5, 'at most five in an hour, whatever the client calls itself');
  await sql(
    database,
    `insert into login_devices select $1, 'Old ' || i, 'x', clock_timestamp() - interval '1 day' from generate_series(1, 150) i`,
    [id],
  );
  const devices = () => sql<{ family: string }>(database, 'select family from login_devices where user_id = $1', [id]);
  await logIn(FIREFOX);
  t.equal((await devices()).length, 100, 'a hundred devices are stored');
  t.equal((await devices()).filter(({ family }) => !family.startsWith('Old')).length, 9, 'the latest ones');
  const [first] = to(user);
  t.equal(first!.headers.get('subject')?.[0], 'New sign-in to Lintel');
  t.match(first!.text, /Browser or program: Chrome\n\nAddress: 127\.8\.8\.1\n/);
  t.notMatch(first!.text, /token|https?:/);
  await client(origin).post('/auth/login', { email: user, password: 'wrong-guess-of-mine' }, { from: '127.8.7.1' });
  t.equal(await told(), 5, 'a log-in that was refused');
  const service = await makeUser(admin, 'member', 'service');
  await client(origin).post('/auth/login', { email: service.user.email, password: PASSWORD }, { from: nextAddress() });
  await settled();
  t.strictSame(to(service.user.email), [], 'a service account');
  t.strictSame(
    await sql(database, 'select from login_devices where user_id = $1', [service.user.id]),
    [],
    'whose devices are not recorded',
  );
});

await t.test('a failing or absent mail server neither delays nor refuses a log-in', async (t) => {
  const user: Session = await makeUser(admin, 'member');
  const logIn = (from: string) =>
    client(origin).post('/auth/login', { email: user.user.email, password: PASSWORD }, { from });
  expectStatus(await api.patch('/settings/smtp', { host: '127.0.0.1', port: 9 }), 200, 'a closed port');
  expectStatus(await logIn('127.9.9.1'), 200, 'a log-in');
  const [job] = await until(async () => {
    const rows = await sql<{ error: string }>(
      database,
      `select error from jobs where type = 'accounts.mail' and error is not null`,
    );
    return rows.length > 0 && rows;
  });
  t.match(job!.error, /refuses the connection/);
  const jobs = async () => (await sql(database, `select from jobs where type = 'accounts.mail'`)).length;
  const before = await jobs();
  expectStatus(await api.patch('/settings/smtp', { host: null }), 200, 'no server');
  expectStatus(await logIn('127.9.8.1'), 200, 'a log-in');
  t.equal(await jobs(), before, 'without a mail server there is no job');
});
