import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { readByModule } from '../../core/inventory/imports/parse/module-format.js';
import { isModuleColumn } from '../../core/inventory/imports/parse/csv-columns.js';
import { UnreadableFile, type StagedRow } from '../../core/inventory/imports/types.js';
import type { Log } from '../../core/foundation/log.js';
import * as migration from '../../migrations/0013_import_formats.js';
import { makeUser, registerAdmin, sql, testApp, until, type RequestOptions } from '../support/app.js';
import { applied, brief, rowsOf, settled, staged, type ImportBody } from '../support/imports.js';

interface Trace {
  ended: number;
  gates: number;
  open: () => void;
  left: number;
}
interface Format {
  id: string;
  title: string;
  extensions: string[];
  content_types: string[];
  module: string | null;
}
type Parse = () => AsyncIterable<unknown>;

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const config = {
  pluginsDir: join(root, 'test/fixtures/modules/extensions'),
  logLevel: (process.env.TEST_LOG_LEVEL ?? 'silent') as 'silent',
};
const SECOND = 1_000;
const SCRIPT = 'application/x-script';

const a = await testApp({ config });
const b = await testApp({ config, database: a.database });
t.teardown(() => Promise.all([a.close(), b.close()]));
const admin = await registerAdmin(a.origin);
const { api } = admin;
const member = await makeUser(admin, 'member');
const trace = (globalThis as unknown as Record<symbol, Trace>)[Symbol.for('lintel.test.extensions')]!;

const send = (content: string, query: RequestOptions['query'] = {}, type = SCRIPT) =>
  api.send<ImportBody & { errors: { field: string; reason: string }[] }>('POST', '/imports', content, {
    headers: { 'content-type': type },
    query,
  });
const read = async (content: string, query?: RequestOptions['query'], type?: string): Promise<ImportBody> => {
  const { status, body } = await send(content, query, type);
  if (status !== 202) throw new Error(`the upload gave ${status}: ${JSON.stringify(body)}`);
  return await settled(api, body.id);
};
const script = (...lines: unknown[]): string =>
  lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
const card = (place: string, name: string, data: object = {}) => ({
  place,
  kind: 'card',
  data: { type: 'Application', name, ...data },
});
const set = (enabled: boolean) => api.patch('/settings/modules/extensions', { enabled });
const formats = async (origin = a.origin) =>
  (
    (await (
      await fetch(`${origin}/api/v1/imports/formats`, { headers: { authorization: `Bearer ${admin.token}` } })
    ).json()) as { items: Format[] }
  ).items.map(({ id }) => id);

t.test('formats are listed, those of modules with their module', async (t) => {
  const { body, status } = await api.get<{ items: Format[]; total: number }>('/imports/formats');
  t.equal(status, 200);
  t.strictSame(
    body.items.map(({ id, module }) => [id, module]),
    [
      ['archimate', null],
      ['csv', null],
      ['extensions', 'extensions'],
      ['extensions_other', 'extensions'],
      ['ndjson', null],
    ],
  );
  t.strictSame(body.items[2], {
    id: 'extensions',
    title: 'Script',
    extensions: ['.script', '.script.csv'],
    content_types: [SCRIPT, `${SCRIPT}+json`],
    module: 'extensions',
  });
  t.match((await api.get('/imports/formats', { query: { page_size: 2, sort_by: 'title', sort_dir: 'desc' } })).body, {
    total: 5,
    items: [{ title: 'Table (CSV)' }, { title: 'Script' }],
  });
  t.equal((await api.get('/imports/formats', { query: { format: 'csv' } })).status, 422);
  t.equal((await member.api.get('/imports/formats')).status, 403);
});

t.test('rows of a module are processed like all rows', async (t) => {
  const done = await read(
    script(
      card('7', 'Of a script', { description: 'Whole', version: 3, 'extensions.note': 'x' }),
      card('e-2', 'Child', { parent: { type: 'Application', name: 'Of a script' } }),
      {
        place: 'r',
        kind: 'relation',
        data: {
          type: 'related',
          source: { type: 'Application', name: 'Of a script' },
          target: { type: 'Application', name: 'Child' },
        },
      },
      card('9', '', { attributes: { costTotalAnnual: 'much' } }),
      card('line 10', 'Told', { colour: 'red' }),
      { ...card('11', 'Refused'), errors: [{ field: 'name', reason: 'is of another age' }] },
    ),
  );
  t.match(done, {
    state: 'ready',
    format: 'extensions',
    file_name: 'import.extensions',
    counts: { card: { create: 2, invalid: 3 }, relation: { create: 1 } },
  });
  t.strictSame(done.ignored_columns, ['version', 'extensions.note']);
  const rows = await rowsOf(api, done.id);
  t.match(
    rows.map(({ line, reference }) => [line, reference]),
    [
      [7, '7'],
      [0, 'e-2'],
      [0, 'r'],
      [9, '9'],
      [10, 'line 10'],
      [11, '11'],
    ],
  );
  t.strictSame(brief(rows).slice(3), ['invalid name', 'invalid colour', 'invalid name']);
  t.match(rows[5], { name: 'Refused', errors: [{ field: 'name', reason: 'is of another age' }] });
  t.match(await applied(api, done.id), { state: 'applied', counts: { card: { create: 2 }, relation: { create: 1 } } });
  const again = await read(script(card('7', 'Of a script', { description: 'Whole' })));
  t.match(again.counts, { card: { unchanged: 1 } });
});

t.test('an invalid row does not affect other rows', async (t) => {
  const words = ['nothing', 'text', 'no_data', 'list', 'kindless', 'cycle', 'bigint', 'nan', 'nul', 'proto', 'long'];
  const done = await read(script(...words, card('last', 'Good')));
  t.match(done, { state: 'ready', counts: { card: { invalid: words.length, create: 1 } } });
  const rows = await rowsOf(api, done.id);
  t.strictSame(
    rows.map(({ errors }) => errors[0]?.reason),
    [
      'must be card or relation',
      'must be card or relation',
      'must be an object',
      'must be an object',
      'must be card or relation',
      'is no JSON',
      'is no JSON',
      'is no JSON',
      'must be well-formed text without control characters',
      'is not allowed as a key',
      'is longer than 1 MiB',
      undefined,
    ],
  );
  t.equal(rows[8]?.reference, 'ab\ufffd');
});

t.test('a file that cannot be read has a reason for the user', async (t) => {
  const good = card('1', 'Before the fault');
  for (const [word, reasons] of Object.entries({
    problem: ['The script is of another age.'],
    invalid: ['1 invalid field', 'head is  missing'],
    fault: ['the module extensions failed to read the file'],
    unavailable: ['the module extensions failed to read the file'],
    '{ no JSON': ['the module extensions failed to read the file'],
  })) {
    const done = await read(script(good, word));
    t.match(done, { state: 'failed', counts: { card: {} } }, word);
    t.strictSame(
      done.errors.map(({ reason }) => reason),
      reasons,
      word,
    );
    t.strictSame(await rowsOf(api, done.id), []);
  }
  t.match(await read('\n'), { state: 'ready', counts: { card: {}, relation: {} } }, 'a file without rows is valid');
});

t.test('the format is a parameter, or derived from content type or file name', async (t) => {
  const form = async (
    name: string,
    type: string,
    fields: Record<string, string> = {},
  ): Promise<[number, string | undefined]> => {
    const data = new FormData();
    data.append('file', new File(['{}\n'], name, { type }));
    for (const [key, value] of Object.entries(fields)) data.append(key, value);
    const answer = await fetch(`${a.origin}/api/v1/imports`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin.token}` },
      body: data,
    });
    const body = (await answer.json()) as ImportBody;
    return [answer.status, body.format];
  };
  t.strictSame(await form('x.SCRIPT', 'application/octet-stream'), [202, 'extensions']);
  t.strictSame(
    await form('x.script.csv', 'text/csv'),
    [202, 'extensions'],
    'a file extension of two parts takes precedence over the content type',
  );
  t.strictSame(await form('x.csv', 'text/csv'), [202, 'csv']);
  t.strictSame(await form('x.csv', `${SCRIPT}+json`), [202, 'extensions']);
  t.strictSame(await form('x.bin', 'application/octet-stream', { format: 'extensions_other' }), [
    202,
    'extensions_other',
  ]);
  t.equal((await form('x.bin', 'application/octet-stream'))[0], 422);
  t.match(await send('x', { format: 'extensions_other' }, 'text/csv'), {
    status: 202,
    body: { format: 'extensions_other' },
  });
  t.match(await send('x', { format: 'nothing' }), {
    status: 422,
    body: {
      errors: [
        { field: 'format', in: 'query', reason: 'must be one of csv, ndjson, archimate, extensions, extensions_other' },
      ],
    },
  });
  for (const type of ['application/x-none', 'nonsense', 'application/json'])
    t.equal((await send('x', {}, type)).status, 415, type);
});

t.test(
  'an export with columns of modules can be imported without changes, whether the modules are enabled or removed',
  async (t) => {
    const get = async (format: string) =>
      await (
        await fetch(`${a.origin}/api/v1/cards/export?format=${format}`, {
          headers: { authorization: `Bearer ${admin.token}` },
        })
      ).text();
    await sql(
      a.database,
      `insert into extensions_facts (card_id, note, amount, flag, at) select id, '=1', 2, true, now() from cards`,
    );
    const total = (await api.get('/cards')).body.total;
    for (const format of ['csv', 'ndjson'] as const) {
      const text = await get(format);
      t.match(text, 'extensions.note');
      for (const file of [text, text.replaceAll('extensions.', 'long_gone.')]) {
        const done = await staged(api, format, file);
        t.match(done, { state: 'ready', counts: { card: { unchanged: total } } }, JSON.stringify(done.errors));
        t.ok(
          done.ignored_columns.some((name) => name.endsWith('.note')),
          done.ignored_columns.join(),
        );
      }
    }
    const misspelt = [
      'atributes.alias',
      'attribute.alias',
      'lifecyle.active',
      'attributes.alais',
      'lifecycle.begun',
      'Attributes.alias',
      'Name.x',
      'a.b.c',
      'x.',
    ];
    const refused = await staged(api, 'csv', `name,${misspelt.join(',')}\n`);
    t.strictSame(
      refused.errors.map(({ reason }) => reason),
      misspelt.map((heading) => `column "${heading}" is no field`),
    );
    t.strictSame(
      ['risks.open', 'a.b', 'life.x', 'risk_2.n_1'].filter((name) => !isModuleColumn(name)),
      [],
    );
    const line = await staged(api, 'ndjson', JSON.stringify({ type: 'Application', name: 'x', 'atributes.alias': 1 }));
    t.strictSame(brief(await rowsOf(api, line.id)), ['invalid atributes.alias']);
  },
);

t.test('a module disabled while it reads: the import fails with the reason', async (t) => {
  const { gates } = trace;
  const { body } = await send(script(card('1', 'Never'), 'gate', card('2', 'Never')));
  await until(() => trace.gates > gates);
  const began = performance.now();
  t.equal((await set(false)).status, 200);
  t.ok(performance.now() - began < 2_000, 'disabling does not wait for the parser');
  t.match(await settled(api, body.id), {
    state: 'failed',
    errors: [{ reason: 'the module that reads the format extensions is disabled or was removed' }],
  });
  t.equal((await api.get('/cards', { query: { search: 'Never' } })).body.total, 0);
  t.strictSame(await formats(), ['archimate', 'csv', 'ndjson']);
  await until(async () => (await formats(b.origin)).length === 3, SECOND);
  t.equal((await send('x')).status, 415);
  t.equal((await send('x', { format: 'extensions' }, 'text/csv')).status, 422);
  t.equal((await set(true)).status, 200);
  t.equal((await formats()).length, 5);
  await until(async () => (await formats(b.origin)).length === 5, SECOND);
  t.match(await read(script(card('1', 'Later'))), { state: 'ready', counts: { card: { create: 1 } } });
});

t.test('a module updated while it reads: the file is read again', async (t) => {
  const { gates } = trace;
  const { body } = await send(script(card('1', 'Once'), 'gate'));
  await until(() => trace.gates > gates);
  await set(false);
  await set(true);
  await until(() => trace.gates > gates + 1);
  trace.open();
  t.match(await settled(api, body.id), { state: 'ready', counts: { card: { create: 1 } } });
});

/** Runs a parser with short limits. @returns the rows, the error and the number of logged errors */
async function outcome(
  parse: Parse,
  {
    off = new AbortController(),
    signal = new AbortController().signal,
    bytes = (async function* () {
      yield Buffer.from('x');
    })() as AsyncIterable<Buffer>,
    totalMs = 400,
    idleMs = 100,
    rows: most = 5_000,
  } = {},
) {
  const logged: unknown[] = [];
  const log = { error: (entry: unknown) => logged.push(entry) } as unknown as Log;
  const owned = {
    module: 'fixture',
    format: { id: 'fixture', title: '', extensions: [], contentTypes: [] },
    parse: parse as never,
    off: off.signal,
  };
  const rows: StagedRow[] = [];
  let error: unknown;
  try {
    for await (const row of readByModule(bytes, owned, {
      options: {},
      summary: { ignoredColumns: [], notes: [] },
      signal,
      log,
      limits: { idleMs, totalMs, rows: most },
    }))
      rows.push(row);
  } catch (thrown) {
    error = thrown;
  }
  return {
    rows: rows.length,
    reason: error instanceof UnreadableFile ? error.errors[0]?.reason : undefined,
    error,
    logged: logged.length,
  };
}
const hang = (): Promise<never> => new Promise(() => undefined);
const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
const ROW = { kind: 'card', data: { type: 'Application', name: 'x' } };

t.test('a parser that hangs, is slow, never ends or yields nothing is aborted', async (t) => {
  t.match(
    await outcome(async function* () {
      yield ROW;
      await hang();
    }),
    { rows: 1, reason: 'the module fixture took longer than 100 ms for one step', logged: 0 },
  );
  t.match(
    await outcome(async function* () {
      for (;;) {
        await pause(30);
        yield ROW;
      }
    }),
    { reason: 'the module fixture took longer than 400 ms in total' },
  );
  t.match(
    await outcome(() => ({
      [Symbol.asyncIterator]: () => ({
        next: hang,
        return: () => {
          throw new Error('no');
        },
      }),
    })),
    { reason: /took longer/ },
  );
  t.match(
    await outcome(async function* () {
      for (let i = 0; i < 3; i++) {
        await pause(60);
        yield ROW;
      }
    }),
    { rows: 3, error: undefined },
    'a parser that yields rows in time may continue',
  );
  for (const parse of [
    () => {
      throw new Error('at once');
    },
    () => undefined,
    () => [],
    async function* () {
      yield {
        get kind() {
          throw new Error('in a getter');
        },
      };
    },
  ]) {
    t.match(await outcome(parse as unknown as Parse), {
      rows: 0,
      reason: 'the module fixture failed to read the file',
      logged: 1,
    });
  }
  let closed = 0;
  // A parser that never waits, so that timers do not run.
  const endless = (): AsyncIterable<unknown> => ({
    [Symbol.asyncIterator]: () => ({
      next: async () => ({ value: ROW, done: false }),
      return: async () => {
        closed++;
        return { value: undefined, done: true };
      },
    }),
  });
  t.match(await outcome(endless, { totalMs: 60_000, idleMs: 60_000 }), {
    rows: 5_000,
    reason: 'there are more than 5000 rows',
  });
  t.match(await outcome(endless, { rows: 1_000_000_000, totalMs: 10, idleMs: 60_000 }), {
    reason: 'the module fixture took longer than 10 ms in total',
  });
  t.equal(closed, 2, 'the iterators are closed');
});

t.test('faults outside of the parser are not attributed to it', async (t) => {
  const away = new Error('the database is away');
  const passing = async function* (file: AsyncIterable<Buffer>) {
    try {
      for await (const chunk of file) yield { ...ROW, place: chunk.length };
    } catch {
      throw new Error('something else');
    }
  };
  const broken = (async function* () {
    yield Buffer.from('x');
    throw away;
  })();
  t.match(
    await outcome(passing as unknown as Parse, { bytes: broken }),
    { rows: 1, error: away, logged: 0 },
    'the error of the database is kept, so that the job is retried',
  );
  const off = new AbortController();
  setTimeout(() => off.abort(), 20);
  t.match(await outcome(hang as unknown as Parse, { off: new AbortController() }), { logged: 1 });
  t.match(
    (
      await outcome(
        async function* () {
          yield ROW;
          await hang();
        },
        { off },
      )
    ).error,
    { message: /disabled or updated/ },
  );
  const lost = new AbortController();
  setTimeout(() => lost.abort(away), 20);
  t.equal(
    (
      await outcome(
        async function* () {
          yield ROW;
          await hang();
        },
        { signal: lost.signal },
      )
    ).error,
    away,
  );
});

t.test('the migration can be reverted and run again', async (t) => {
  const { db } = a.app.services;
  const kept = (
    await sql<{ n: number }>(a.database, `select count(*)::int as n from imports where format in ('csv', 'ndjson')`)
  )[0]!.n;
  await migration.down(db.knex);
  t.strictSame(await sql(a.database, 'select count(*)::int as n from imports'), [{ n: kept }]);
  await t.rejects(
    sql(
      a.database,
      `insert into imports (id, state, format, file_name, size) values (gen_random_uuid(), 'ready', 'extensions', 'x', 1)`,
    ),
    /imports_format_check/,
  );
  await migration.up(db.knex);
  t.match(await read(script(card('1', 'After'))), { state: 'ready' });
});
