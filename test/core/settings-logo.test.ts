import { deflateSync } from 'node:zlib';
import t from 'tap';
import { readImage } from '../../core/settings/logo-image.js';
import { svgFault } from '../../core/settings/svg.js';
import { client, makeUser, registerAdmin, sql, testApp, until } from '../support/app.js';

const one = await testApp();
const two = await testApp({ database: one.database });
t.teardown(async () => {
  await Promise.all([one.close(), two.close()]);
});
const admin = await registerAdmin(one.origin);
const viewer = await makeUser(admin, 'viewer');
const guest = client(one.origin);

const PNG = Buffer.concat([
  Buffer.from('89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de', 'hex'),
  deflateSync(Buffer.from([0, 1, 2, 3])),
]);
const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const svg = (inner: string, attributes = ''): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${inner}</svg>`;
const put = (body: string | Buffer, type = 'image/svg+xml', headers: Record<string, string> = {}) =>
  admin.api.send('PUT', '/settings/logo', body, { headers: { 'content-type': type, ...headers } });
const bytesAt = async (origin: string): Promise<Buffer> =>
  Buffer.from(await (await fetch(`${origin}/api/v1/settings/logo`)).arrayBuffer());

t.test('initially there is none', async (t) => {
  t.match(await guest.get('/settings/logo'), { status: 404, body: { code: 'not_found' } });
  t.equal((await admin.api.del('/settings/logo')).status, 404);
});

t.test('the type of a logo is that of its bytes; it is public, on all nodes, with an ETag', async (t) => {
  t.match(await put(PNG, 'image/jpeg'), {
    status: 200,
    body: { media_type: 'image/png', size: PNG.length, version: 2 },
  });
  const shown = await guest.get('/settings/logo');
  t.equal(shown.status, 200);
  t.equal(shown.headers.get('content-type'), 'image/png');
  t.equal(shown.headers.get('etag'), '"2"');
  t.equal(shown.headers.get('x-content-type-options'), 'nosniff');
  t.match(shown.headers.get('content-security-policy'), /default-src 'none'.*sandbox/);
  t.ok((await bytesAt(one.origin)).equals(PNG), 'byte for byte');
  t.equal((await guest.get('/settings/logo', { headers: { 'if-none-match': '"2"' } })).status, 304);
  await until(async () => (await bytesAt(two.origin)).equals(PNG), 1_000);
  t.match(await put(GIF, 'application/octet-stream', { 'if-match': '"1"' }), {
    status: 412,
    body: { current_version: 2 },
  });
  t.match(await put(GIF, 'application/octet-stream', { 'if-match': '"2"' }), {
    status: 200,
    body: { media_type: 'image/gif', version: 3 },
  });
  t.equal((await guest.get('/settings/logo', { headers: { 'if-none-match': '"2"' } })).status, 200);
  await until(async () => (await bytesAt(two.origin)).equals(GIF), 1_000);
  t.strictSame(
    await sql(one.database, `select count(*)::int as files, bool_and(expires_at = 'infinity') as kept from files`),
    [{ files: 1, kept: true }],
    'the previous one is deleted, this one is kept',
  );
});

t.test('files that are no picture, too large, compressed or not allowed are refused, and change nothing', async (t) => {
  for (const [body, reason] of [
    ['hello', 'is no PNG'],
    [Buffer.from('GIF80a'), 'is no PNG'],
    [Buffer.from('RIFFxxxxWAVE'), 'is no PNG'],
    ['<html><body/></html>', 'has the element html'],
  ] as const) {
    const refused = await put(body, 'image/png');
    t.equal(refused.status, 422);
    t.match(refused.body.errors[0]!.reason, reason);
  }
  t.equal((await put('', 'image/png')).status, 422);
  t.equal((await put(Buffer.concat([PNG, Buffer.alloc(1_048_577 - PNG.length)]), 'image/png')).status, 413);
  t.equal(
    (await put(Buffer.concat([PNG, Buffer.alloc(1_048_576 - PNG.length)]), 'image/png')).status,
    200,
    'one byte less will do',
  );
  t.equal((await put(GIF, 'image/gif')).status, 200);
  t.equal((await put(GIF, 'image/gif', { 'content-encoding': 'gzip' })).status, 415);
  t.equal((await put('{}', 'application/json')).status, 415);
  t.equal((await guest.send('PUT', '/settings/logo', GIF, { headers: { 'content-type': 'image/gif' } })).status, 401);
  t.match(await viewer.api.send('PUT', '/settings/logo', GIF, { headers: { 'content-type': 'image/gif' } }), {
    status: 403,
    body: { required_permission: 'settings.manage' },
  });
  t.ok((await bytesAt(one.origin)).equals(GIF));
  t.strictSame(
    await sql(one.database, 'select count(*)::int as files from files'),
    [{ files: 1 }],
    'refused files are not stored',
  );
});

t.test('an SVG is returned unchanged', async (t) => {
  const text = svg('<title>Größe</title><path d="M0 0h1v1z"/>');
  t.match(await put(text, 'image/png'), { status: 200, body: { media_type: 'image/svg+xml' } });
  const shown = await guest.get<string>('/settings/logo');
  t.equal(shown.headers.get('content-type'), 'image/svg+xml');
  t.equal(shown.body, text);
});

t.test('a removed logo is removed on all nodes, with an event', async (t) => {
  t.equal((await admin.api.del('/settings/logo')).status, 204);
  t.equal((await guest.get('/settings/logo')).status, 404);
  await until(async () => (await client(two.origin).get('/settings/logo')).status === 404, 1_000);
  t.strictSame(await sql(one.database, 'select count(*)::int as files from files'), [{ files: 0 }]);
  const changes = await until(async () => {
    const { body } = await admin.api.get('/events', { query: { type: 'settings.logo_changed', sort_dir: 'asc' } });
    return body.total === 6 && body.items.map(({ data }) => (data as { changes: object[] }).changes[0]);
  });
  t.strictSame(changes[1], {
    field: 'logo',
    old: { media_type: 'image/png', size: PNG.length },
    new: { media_type: 'image/gif', size: GIF.length },
  });
  t.match(changes[5], { new: null });
});

t.test('concurrent changes: one is stored, and no other file is left', async (t) => {
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      client(n % 2 ? one.origin : two.origin, admin.token).send('PUT', '/settings/logo', n % 3 ? PNG : GIF, {
        headers: { 'content-type': 'image/png' },
      }),
    ),
  );
  t.ok(answers.every(({ status }) => status === 200));
  t.equal(new Set(answers.map(({ body }) => body.version)).size, 12, 'each is a version');
  t.strictSame(await sql(one.database, `select count(*)::int as files from files`), [{ files: 1 }]);
});

t.test('static images are accepted', async (t) => {
  const sound = [
    svg(''),
    `\ufeff<?xml version="1.0" encoding="UTF-8"?>\n<!-- drawn -->\n${svg('<g/>')}`,
    `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">${svg('')}`,
    svg(
      '<defs><linearGradient id="a"><stop offset="0" stop-color="#fff"/></linearGradient></defs><rect fill="url(#a)" style="stroke:url(\'#a\')"/><use href="#a"/><use xlink:href="#a"/>',
    ),
    svg('<style><![CDATA[.a{fill:#123456;filter:url(#f)}]]></style><text>url(http://x) javascript: is a text</text>'),
    svg('<image href="data:image/png;base64,iVBORw0KGgo="/>'),
    svg(
      '<metadata><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/></metadata>',
      'xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" inkscape:export-filename="C:\\logo.png"',
    ),
    '<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:path d="M0 0"/></s:svg>',
  ];
  for (const text of sound) t.equal(svgFault(Buffer.from(text)), undefined, text);
});

t.test('pictures that run or fetch something are refused', async (t) => {
  const hostile = [
    svg('<script>alert(1)</script>'),
    svg('<SCRIPT/>'),
    svg('', 'onload="alert(1)"'),
    svg('<path ONCLICK="x"/>'),
    '<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:script/></s:svg>',
    svg('<x:script xmlns:x="http://www.w3.org/2000/svg">alert(1)</x:script>'),
    svg('<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"/></foreignObject>'),
    svg('<b xmlns="http://www.w3.org/1999/xhtml"/>'),
    svg('<x xmlns="urn:x"/>'),
    svg('<iframe/>'),
    svg('<a href="#x"/>'),
    svg('<animate attributeName="href" to="javascript:alert(1)"/>'),
    svg('<set attributeName="onload" to="x"/>'),
    svg('<feImage href="#x"/>'),
    svg('<use href="http://evil.example/x.svg#a"/>'),
    svg('<use xlink:href="//evil.example/x"/>'),
    svg('<image href="data:image/svg+xml;base64,AAAA"/>'),
    svg('<image href="data:text/html,x"/>'),
    svg('<image href="/api/v1/auth/me"/>'),
    svg('<use href="java&#x73;cript:alert(1)"/>'),
    svg('<use href=" &#10;javascript:alert(1)"/>'),
    svg('<path fill="java&#10;script:x"/>'),
    svg('<style>@import "http://evil.example/x.css";</style>'),
    svg('<style>@im<!-- -->port "x";</style>'),
    svg('<style>.a{fill:url(http://evil.example/)}</style>'),
    svg('<style>.a{fill:u<![CDATA[rl(]]>x)}</style>'),
    svg('<style>.a{fill:u\\72l(x)}</style>'),
    svg('<style>.a{background:image-set("x" 1x)}</style>'),
    svg('<style>@font-face{src: url( "data:font/woff,x")}</style>'),
    svg('<rect style="fill:url(//evil.example)"/>'),
    svg('<rect filter="url( http://evil.example/#f )"/>'),
    svg('<rect mask="url(\'x.svg#a\')"/>'),
    svg('', 'xml:base="http://evil.example/"'),
    `<?xml-stylesheet href="http://evil.example/x.css"?>${svg('')}`,
    `<?xml version="1.0" encoding="UTF-7"?>${svg('')}`,
    `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg('&x;')}`,
    `<!DOCTYPE svg SYSTEM "http://evil.example/x.dtd">${svg('')}`,
    svg('&x;'),
    svg('<g>'),
    '<svg/>',
    '<svg xmlns="urn:x"/>',
    '<g xmlns="http://www.w3.org/2000/svg"/>',
    '<',
    '<?xml version="1.0"?>',
  ];
  for (const text of hostile) t.ok(svgFault(Buffer.from(text)), text);
  t.match(readImage(Buffer.from(svg(''), 'utf16le')), { fault: /^is not well-formed XML/ });
  t.match(
    svgFault(Buffer.from(`${svg('<g>'.repeat(300) + '</g>'.repeat(300))}`)),
    'elements nest deeper than 256 levels',
  );
  t.equal(svgFault(Buffer.concat([Buffer.from(svg('')), Buffer.from([0xff])])), 'is no UTF-8');
});

t.test('a hostile file of a megabyte is processed quickly', async (t) => {
  const most = 1_000_000;
  for (const piece of ['url(', 'url   (', '/*', '<g>', '<style>url(#', 'encoding', '@im']) {
    const text = svg(
      `<style>${piece.repeat(most / piece.length)}</style>`,
      `style="${piece.replace(/</g, '').repeat(1_000)}"`,
    );
    const began = performance.now();
    svgFault(Buffer.from(text));
    t.ok(performance.now() - began < 5_000, `${piece}: ${Math.round(performance.now() - began)} ms`);
  }
});
