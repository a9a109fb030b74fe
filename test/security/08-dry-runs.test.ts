/** Dry runs and previews lock nothing: they are answered while other transactions hold all locks, and have the results of the write. */
import pg from 'pg';
import t from 'tap';
import { registerAdmin, testApp, until, type AnyBody } from '../support/app.js';
import { staged } from '../support/imports.js';

const { origin, database, close } = await testApp();
t.teardown(close);
const { api, token } = await registerAdmin(origin);
interface Row {
  outcome: string;
  code?: string;
  relations?: { outcome: string }[];
}
type Answer = AnyBody & { summary: Record<string, number>; results: Row[] };
let names = 0;
const make = async (type: string, more = {}): Promise<string> =>
  (await api.post('/cards', { type, name: `${type} ${++names}`, ...more })).body.id;
const SUPPORTS = 'applicationToBusinessCapability';
const [app, other, capability] = [
  await make('Application'),
  await make('Application'),
  await make('BusinessCapability'),
];
const relation = (await api.post('/relations', { type: SUPPORTS, source_id: app, target_id: capability })).body.id;
const parent = await make('BusinessCapability');
const child = await make('BusinessCapability', { parent_id: parent });
const [archived, lonely] = [await make('Application'), await make('Application')];
await api.post(`/cards/${archived}/archive`);
const risk = (await api.post('/risks', { title: 'Stored', category: 'security' })).body.id;

const OWNS = 'ownsOne';
await api.post('/metamodel/relation-types', {
  key: OWNS,
  label: 'owns',
  reverse_label: 'is owned by',
  source_type: 'Application',
  target_type: 'BusinessCapability',
  cardinality: '1:n',
});
const [held, free] = [await make('BusinessCapability'), await make('BusinessCapability')];
await api.post('/relations', { type: OWNS, source_id: app, target_id: held });
/** Archived with a relation, whose place another one has taken since. */
const former = await make('Application');
const disputed = await make('BusinessCapability');
await api.post('/relations', { type: OWNS, source_id: former, target_id: disputed });
await api.post(`/cards/${former}/archive`);
await api.post('/relations', { type: OWNS, source_id: app, target_id: disputed });

/** Holds every lock that writes of cards, relations, risks and decisions take. */
async function locked<T>(work: () => Promise<T>): Promise<T> {
  const holder = new pg.Client(database);
  await holder.connect();
  const { rows } = await holder.query<{ name: string }>(
    `select quote_ident(tablename) as name from pg_tables where schemaname = current_schema() and tablename ~ '^(cards|card_|relation|risks_|adr_)'`,
  );
  await holder.query('begin');
  await holder.query(`lock table ${rows.map(({ name }) => name).join()} in exclusive mode`);
  await holder.query('select pg_advisory_xact_lock(7315003)');
  try {
    // Background tasks may wait for the locks; the requests must not.
    let isDone = false;
    const done = work().finally(() => {
      isDone = true;
    });
    await until(() => isDone, 45_000);
    return await done;
  } finally {
    await holder.query('rollback');
    await holder.end();
  }
}

const update = { description: 'changed' };
const BULKS: { path: string; what: string; operations: object[] }[] = [
  {
    path: '/cards/bulk',
    what: 'changes and moves',
    operations: [
      { op: 'update', id: other, card: update },
      { op: 'create', ref: 'new', card: { type: 'BusinessCapability', name: 'New', parent_id: parent } },
      { op: 'update', id: child, card: { parent: { ref: 'new' } } },
      { op: 'create', card: { type: 'BusinessCapability', name: 'New', parent_id: parent } },
      {
        op: 'create',
        card: { type: 'Application', name: 'Related' },
        relations: [{ type: SUPPORTS, target: { id: capability } }],
      },
      {
        op: 'create',
        card: { type: 'Application', name: 'Owner' },
        relations: [{ type: OWNS, target: { id: held } }],
      },
    ],
  },
  {
    path: '/cards/bulk',
    what: 'archives, restores and deletes',
    operations: [
      { op: 'archive', id: parent, child_strategy: 'cascade' },
      { op: 'restore', id: archived },
      { op: 'restore', id: former },
      { op: 'delete', id: lonely },
      { op: 'archive', id: other },
      { op: 'archive', id: other },
    ],
  },
  {
    path: '/relations/bulk',
    what: 'of all kinds',
    operations: [
      { op: 'create', type: SUPPORTS, source_id: app, target_id: capability },
      { op: 'update', id: relation, ...update },
      { op: 'upsert', type: SUPPORTS, source_id: app, target_id: capability, description: 'Again' },
      { op: 'create', type: SUPPORTS, source_id: app, target_id: free },
      { op: 'create', type: SUPPORTS, source_id: app, target_id: free },
      { op: 'create', type: OWNS, source_id: app, target_id: held },
      { op: 'create', type: OWNS, source_id: app, target_id: free },
      { op: 'create', type: OWNS, source_id: app, target_id: free },
      { op: 'delete', id: relation },
    ],
  },
  {
    path: '/risks/bulk',
    what: 'of all kinds',
    operations: [
      { op: 'create', ref: 'r', risk: { title: 'New', category: 'security' } },
      { op: 'transition', ref: 'r', to: 'analysed' },
      { op: 'update', id: risk, risk: { title: 'Changed' } },
      { op: 'delete', id: risk },
      { op: 'delete', id: risk },
    ],
  },
];

for (const { path, what, operations } of BULKS)
  await t.test(`${path}: ${what}`, async (t) => {
    const dryRun = (mode: string) => api.post<Answer>(path, { mode, operations }, { query: { dry_run: true } });
    const [byRow, all] = await locked(async () => [await dryRun('per_row'), await dryRun('all_or_nothing')]);
    t.strictSame([byRow!.status, all!.status], [200, 200]);
    const seen = ({ body }: { body: Answer }) =>
      body.results.map(({ outcome, code, relations }) => [outcome, code, relations?.map((one) => one.outcome)]);
    const written = await api.post<Answer>(path, { mode: 'per_row', operations });
    t.equal(written.status, 200);
    t.strictSame(seen(byRow!), seen(written), 'the results of the write');
    t.strictSame(seen(all!), seen(written), 'in both modes');
    t.ok(written.body.summary['failed'], 'some failed');
  });

await t.test('a move that is too deep for a card below is refused in the dry run as in the write', async (t) => {
  const line = (n: number) =>
    api.post<Answer>('/cards/bulk', {
      operations: Array.from({ length: n }, (_, i) => ({
        op: 'create',
        ref: `${i}`,
        card: {
          type: 'BusinessCapability',
          name: `Line ${++names}`,
          ...(i > 0 && { parent: { ref: `${i - 1}` } }),
        },
      })),
    });
  const [{ body: a }, { body: b }] = [await line(3), await line(3)];
  const id = ({ results }: Answer, i: number) => (results[i] as unknown as { id: string }).id;
  const operations = [{ op: 'update', id: id(b, 0), card: { parent_id: id(a, 2) } }];
  await api.patch('/metamodel/types/BusinessCapability', { max_level: 5 });
  const dry = await locked(() =>
    api.post<Answer>('/cards/bulk', { mode: 'per_row', operations }, { query: { dry_run: true } }),
  );
  t.match(dry.body.results, [{ outcome: 'failed' }]);
  t.match((await api.post<Answer>('/cards/bulk', { mode: 'per_row', operations })).body.results, [
    { outcome: 'failed' },
  ]);
});

await t.test('previews of imports', async (t) => {
  const csv = `id,type,name,description\n${app},Application,,changed\n,Application,Imported,new\n`;
  const { state, counts } = await locked(() => staged(api, 'csv', csv));
  t.equal(state, 'ready', JSON.stringify(counts));
});

await t.test('previews of imported decisions', async (t) => {
  const form = new FormData();
  form.append('files', new Blob(['# One\n\n## Context and Problem Statement\n\nx\n']), '0001-one.md');
  const preview = async () =>
    await fetch(`${origin}/api/v1/adr/import?dry_run=true`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: form,
    });
  const answer = await locked(preview);
  t.equal(answer.status, 200);
  t.match(await answer.json(), { summary: { created: 1 } });
});
