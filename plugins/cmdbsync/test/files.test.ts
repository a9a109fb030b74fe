/** The connector `files`: formats, files that are written or replaced, broken rows, and nothing outside of the folder. */
import { execFileSync } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, rename, rm, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import t, { type Test } from 'tap';
import type { Connector } from '@lintel/sdk';
import { files } from '../connectors/files/index.js';
import { idsOf, openConnector } from './support/connection.js';

const place = await mkdtemp(join(tmpdir(), 'lintel-drop-'));
t.teardown(() => rm(place, { recursive: true, force: true }));
const importDir = join(place, 'drop');
t.beforeEach(async () => {
  await rm(importDir, { recursive: true, force: true });
  await mkdir(importDir);
});

const open = (settings: object = {}, more: object = {}): Connector =>
  openConnector(
    files,
    { folder: '', id: 'id', separator: 'auto', encoding: 'utf-8', settle_seconds: 0, tables: [], ...settings },
    { importDir, ...more },
  );
const put = async (name: string, content: string | Buffer): Promise<void> => {
  await mkdir(dirname(join(importDir, name)), { recursive: true });
  await writeFile(join(importDir, name), content);
};
const read = async (table: string, settings: object = {}, limit = 100) =>
  await open(settings).read({ table, fields: [], limit });
const rejects = async (t: Test, work: Promise<unknown>, fault: string, text: RegExp, what: string) =>
  await t.rejects(work, { fault, message: text }, what);

t.test('separators, encodings, quotes and line ends', async (t) => {
  const expected = [
    { id: '1', values: { id: '1', name: 'Zürich, "Mitte"', note: 'a\nb' } },
    { id: '2', values: { id: '2', name: '', note: '€' } },
  ];
  for (const [separator, sign] of Object.entries({ comma: ',', semicolon: ';', tab: '\t', pipe: '|' }))
    for (const end of ['\n', '\r\n', '\r']) {
      const lines = ['id,name,note', '1,"Zürich, ""Mitte""","a\nb"', '', '2,,€'].map((line) =>
        line.replace(/,(?! )/g, sign),
      );
      for (const text of [lines.join(end), `\ufeff${lines.join(end)}${end}`]) {
        await put('a.csv', text);
        for (const setting of ['auto', separator])
          t.strictSame((await read('a', { separator: setting })).records, expected, JSON.stringify([separator, end]));
      }
    }
  const windows = Buffer.from('id;name\n1;Z\xfcrich \x80 \x96 \x8a\n', 'latin1');
  await put('w.csv', windows);
  t.match(await read('w', { tables: [{ key: 'w', encoding: 'windows-1252' }] }), {
    records: [{ values: { name: 'Zürich € – Š' } }],
  });
  await rejects(t, read('w'), 'invalid_answer', /w\.csv: line 2 is not utf-8 in name/, 'another encoding');
  await put('u.csv', Buffer.from('\ufeffid,name\n', 'utf16le'));
  await rejects(t, read('u'), 'invalid_answer', /UTF-16/, 'UTF-16');
  await put('n.ndjson', '\ufeff{"id":7,"a":{"b":"ä"}}\r\n\n{"id":"x","c":null}');
  t.strictSame((await read('n')).records, [
    { id: '7', values: { id: 7, a: { b: 'ä' } } },
    { id: 'x', values: { id: 'x', c: null } },
  ]);
  await put('deep.jsonl', '{"key":{"uid":"u1"}}\n');
  t.strictSame(await idsOf(open({ tables: [{ key: 'deep', id: 'key.uid' }] }), 'deep'), ['u1']);
});

t.test('pages of any size continue where they ended', async (t) => {
  const rows = Array.from(
    { length: 500 },
    (_, i) => [`k${i}`, i % 7 === 0 ? `line\n"two" ${i}, ü` : `€ ${i}`] as const,
  );
  await put(
    'c.csv',
    `id,name\r\n${rows.map(([id, name]) => `${id},"${name.replaceAll('"', '""')}"\r\n`).join('\r\n')}`,
  );
  await put('n.ndjson', rows.map(([id, name]) => JSON.stringify({ id, name })).join('\n'));
  for (const table of ['c', 'n'])
    for (const limit of [1, 7, 250, 499, 500, 501]) {
      const found: unknown[] = [];
      let total: number | undefined;
      for (let cursor: string | undefined; ; ) {
        const page = await open().read({ table, fields: [], limit, cursor });
        total ??= page.total;
        found.push(...page.records.map(({ id, values }) => [id, values['name']]));
        cursor = page.next;
        if (cursor === undefined) break;
      }
      t.strictSame(found, rows, `${table}, ${limit}`);
      t.equal(total, 500);
    }
});

t.test('a file is one table, and so is a folder, whose newest complete file counts', async (t) => {
  await put('sites.csv', 'id\n1\n');
  await put('devices/2024-01.csv', 'id\n1\n');
  await put('devices/2024-02.csv', 'id\n2\n');
  for (const name of [
    'sites.csv.part',
    'x.tmp',
    '.hidden.csv',
    '~lock.csv',
    'readme.txt',
    'devices/2024-03.csv.tmp',
    'devices/.2024-04.csv',
  ])
    await put(name, 'id\n99\n');
  await mkdir(join(importDir, 'devices/2024-05.csv'));
  await utimes(join(importDir, 'devices/2024-01.csv'), new Date(), new Date(Date.now() + 1_000_000));
  t.strictSame(
    (await open().tables()).map(({ key }) => key),
    ['devices', 'sites'],
  );
  t.match(await open().test(), { detail: /2 tables/ });
  t.strictSame(await idsOf(open(), 'devices'), ['2'], 'a time in the future is not complete');
  await utimes(join(importDir, 'devices/2024-01.csv'), new Date(), new Date(Date.now() - 1_000_000));
  t.strictSame(await idsOf(open(), 'devices'), ['2']);
  t.strictSame(await idsOf(open({ folder: 'devices' }), '2024-01'), ['1'], 'a folder of the connection');
  await put('both.csv', 'id\n1\n');
  await put('both.ndjson', '{"id":1}\n');
  await rejects(t, read('both'), 'unreachable', /more than one/, 'two files for one table');
  await mkdir(join(importDir, 'empty'));
  await rejects(t, read('empty'), 'unreachable', /no complete file/, 'a folder without files');
  for (const table of ['none', '', '..', '../drop/sites', '/etc/passwd', 'sites.csv', 'devices/2024-01'])
    await rejects(t, read(table), 'not_found', /no such file/, JSON.stringify(table));
});

t.test('a file that may still be written is not read', async (t) => {
  await put('a.csv', 'id\n1\n');
  await rejects(t, read('a', { settle_seconds: 60 }), 'unreachable', /a\.csv was changed less than 60 s ago/, 'a file');
  await put('f/new.csv', 'id\n2\n');
  await rejects(t, read('f', { settle_seconds: 60 }), 'unreachable', /no complete file/, 'a folder');
  await utimes(join(importDir, 'a.csv'), 0, 0);
  await rejects(
    t,
    read('a', { settle_seconds: 60 }),
    'unreachable',
    /less than 60/,
    'an old time that was set just now',
  );
});

t.test('a file that is changed or replaced during a read is an error', async (t) => {
  const text = `id,name\n${Array.from({ length: 50 }, (_, i) => `${i},a`).join('\n')}\n`;
  const path = join(importDir, 'a.csv');
  const cases: Record<string, () => Promise<unknown>> = {
    appended: () => appendFile(path, '99,b\n'),
    'the same size': () => writeFile(path, text.replace('49,a', '49,b')),
    'the same size and time': async () => {
      await writeFile(path, text.replace('49,a', '49,b'));
      await utimes(path, 1_000, 1_000);
    },
    'the same content': async () => {
      await put('b.tmp', text);
      await rename(join(importDir, 'b.tmp'), path);
    },
    'cut off': () => truncate(path, 100),
    removed: () => rm(path),
  };
  for (const [what, change] of Object.entries(cases)) {
    await put('a.csv', text);
    await utimes(path, 1_000, 1_000);
    const { next } = await read('a', {}, 10);
    await change();
    await t.rejects(open().read({ table: 'a', fields: [], limit: 10, cursor: next }), { name: 'ConnectorError' }, what);
  }
  await put('a.csv', text);
  await put('d/1.csv', text);
  const { next } = await read('d', {}, 10);
  await put('d/2.csv', 'id,name\nx,y\n');
  const page = await open().read({ table: 'd', fields: [], limit: 100, cursor: next });
  t.equal(page.records.length, 40, 'a newer file of the folder is for the next read');
  for (const cursor of [
    'x',
    '{}',
    '["a",["../../etc/passwd"],"m",0,1]',
    JSON.stringify(['d', ['..', 'x.csv'], 'm', 0, 1]),
  ])
    await t.rejects(open().read({ table: 'd', fields: [], limit: 10, cursor }), { name: 'ConnectorError' }, cursor);
});

t.test('broken rows are named by their lines, before any record is used', async (t) => {
  const cases: [name: string, text: string | Buffer, expected: RegExp][] = [
    ['a.csv', 'id,name\n1,a\n2\n3,c,d\n', /a\.csv: line 3 has 1 cells, but there are 2 columns; line 4 has 3 cells/],
    ['a.csv', 'id,name\n1,"x\ny"\n\n,b\n', /line 5 has no id in id/],
    ['a.csv', 'id,name\n1,"a\n2,b\n', /line \d cannot be read: a quote is not closed/],
    ['a.csv', 'id,name\n1,"a"b\n', /line 2 cannot be read: its quotes/],
    ['a.csv', `id,name\n1,a\n2,"${'x'.repeat(1_100_000)}"\n`, /line 3 cannot be read/],
    ['a.csv', 'id,name\n1,a\0b\n', /line 2 has the character U\+0000 in name/],
    ['a.csv', `id\n${'x'.repeat(501)}\n`, /line 2 has an id of more than 500/],
    ['a.csv', 'id,name\n1,a\n2,b\n1,c\n2,d\n', /line 4 has the id of line 2; line 5 has the id of line 3/],
    ['a.csv', `id\n${'\n'.repeat(3)}7\n7\n`, /line 6 has the id of line 5/],
    ['a.csv', 'id,id\n1,2\n', /column id twice/],
    ['a.csv', 'id,\n1,2\n', /column without a name/],
    ['a.csv', '', /is empty/],
    ['a.ndjson', '', /is empty/],
    ['a.ndjson', '{"id":1}\n[]\n{"id":2', /line 2 is no JSON object; line 3 is not JSON/],
    ['a.ndjson', '{"id":1}\n{"name":"x"}\n{"id":{}}\n{"id":1.5}\n', /line 2 has no id in id; line 3 .*; line 4/],
    ['a.ndjson', '{"id":"\\u0000"}\n', /line 1 has the character U\+0000/],
    ['a.ndjson', Buffer.from('{"id":1}\n{"id":"\xff"}\n', 'latin1'), /line 2 is not JSON in UTF-8/],
    ['a.ndjson', `{"id":1}\n"${'x'.repeat(1_200_000)}"\n`, /line 2 has more than/],
    ['a.ndjson', '{"id":1}\n{"id":"1"}\n', /line 2 has the id of line 1/],
  ];
  for (const [name, text, expected] of cases) {
    await rm(join(importDir, 'a.csv'), { force: true });
    await put(name, text);
    await rejects(t, read('a', {}, 1), 'invalid_answer', expected, JSON.stringify(String(text).slice(0, 40)));
    await rm(join(importDir, name));
  }
  await put('a.csv', 'key,name\n1,a\n');
  await rejects(t, read('a'), 'invalid_settings', /no column id/, 'no column with ids');
  await put('a.csv', 'id,__proto__,constructor\n1,a,b\n');
  t.equal((await read('a')).records[0]!.values['constructor'], 'b');
  await put('a.csv', 'id,name\n');
  t.match(await read('a'), { records: [], total: 0 }, 'a header row alone is a table without records');
  await rejects(
    t,
    open().read({ table: 'a', fields: [], limit: 1, filter: 'x' }),
    'invalid_settings',
    /no filters/,
    'a filter',
  );
});

t.test('nothing outside of the folder is read', async (t) => {
  await writeFile(join(place, 'secret.csv'), 'id\nsecret\n');
  await mkdir(join(place, 'outside'), { recursive: true });
  await writeFile(join(place, 'outside/secret.csv'), 'id\nsecret\n');
  await put('ok/a.csv', 'id\n1\n');
  await symlink(join(place, 'secret.csv'), join(importDir, 'link.csv'));
  await symlink(join(place, 'outside'), join(importDir, 'dir'));
  await symlink('ok', join(importDir, 'inside'));
  await symlink('../../secret.csv', join(importDir, 'ok/b.csv'));
  execFileSync('mkfifo', [join(importDir, 'pipe.csv')]);
  t.strictSame(
    (await open().tables()).map(({ key }) => key),
    ['ok'],
  );
  t.strictSame(await idsOf(open(), 'ok'), ['1']);
  for (const table of ['link', 'dir', 'inside', 'pipe']) await rejects(t, read(table), 'not_found', /no such/, table);
  for (const folder of ['..', '../outside', 'ok/../../outside', '/etc', place, 'a\0b', 'ok\\..'])
    await rejects(t, read('secret', { folder }), 'invalid_settings', /below IMPORT_DIR/, JSON.stringify(folder));
  for (const folder of ['dir', 'inside']) {
    await rejects(t, read('secret', { folder }), 'unreachable', /is a link/, `${folder} as the folder`);
    await rejects(t, open({ folder }).test(), 'unreachable', /is a link/, `a test of ${folder}`);
  }
  for (const path of [['dir', 'secret.csv'], ['link.csv'], ['pipe.csv'], ['ok', 'b.csv']]) {
    const cursor = JSON.stringify([path[0], path, 'm', 0, 1]);
    await rejects(
      t,
      open().read({ table: path[0]!, fields: [], limit: 1, cursor }),
      'unreachable',
      /link|no file|cannot be read/,
      cursor,
    );
  }
  const missing: unknown = await open({ folder: 'none' })
    .test()
    .catch((error: unknown) => error);
  t.match(missing, { fault: 'unreachable', message: 'none cannot be read (ENOENT).' });
  t.notMatch(String(missing), place, 'paths of the server are not shown');
  await rejects(
    t,
    open({}, { importDir: undefined }).tables(),
    'invalid_settings',
    /has not set IMPORT_DIR/,
    'no folder',
  );
});

t.test('a read ends when its signal is aborted', async (t) => {
  await put('a.csv', `id,name\n${Array.from({ length: 100_000 }, (_, i) => `${i},name of ${i}`).join('\n')}\n`);
  const abort = new AbortController();
  const reading = open({}, { signal: abort.signal }).read({ table: 'a', fields: [], limit: 10 });
  setImmediate(() => abort.abort());
  await t.rejects(reading, { name: 'AbortError' });
});

t.test('fields', async (t) => {
  await put('c.csv', 'id;name\n1;a\n');
  t.strictSame(await open().fields('c'), [
    { key: 'id', label: 'id', type: 'text', isWritable: false },
    { key: 'name', label: 'name', type: 'text', isWritable: false },
  ]);
  await put('n.ndjson', '{"id":1,"site":{"id":2,"name":"x"}}\n');
  t.match(await open().fields('n'), [
    { key: 'id', type: 'number' },
    { key: 'site', type: 'reference' },
    { key: 'site.id' },
    { key: 'site.name' },
  ]);
});
