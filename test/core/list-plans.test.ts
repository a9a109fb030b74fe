import pg from 'pg';
import t from 'tap';
import { systemContext } from '../../core/foundation/context.js';
import { visibilityOf } from '../../core/inventory/access/index.js';
import { cardPage, keysOnlyStatement } from '../../core/inventory/cards/list/page-repository.js';
import { exportSelect, partsOf } from '../../core/inventory/exports/rows-repository.js';
import { registerAdmin, testApp, until } from '../support/app.js';
import { NOTHING_KNOWN } from '../support/list-knowledge.js';

/** Lists with many hits: pages are read in the order of an index, and hits counted in one. */
const { app, origin, database, close } = await testApp();
t.teardown(close);
const { api } = await registerAdmin(origin);

const CHILDREN = 3_000;

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  Plans?: Plan[];
}

const parent = (await api.post<{ id: string }>('/cards', { type: 'Application', name: 'Parent of many' })).body.id;
const client = new pg.Client(database);
await client.connect();
t.teardown(() => client.end());
await client.query(
  `with c as (insert into cards (id, type, subtype, parent_id, path_ids, name, name_key, search_name, search_text, created_at)
    select gen_random_uuid(), 'Application', case when n % 3 = 0 then 'businessApplication' else 'microservice' end, $1, array[$1::uuid],
      'Child ' || n, 'child ' || n, 'child ' || n, 'child ' || n, now() from generate_series(1, ${CHILDREN}) n returning *)
  insert into card_contents (id, type, status, name_key, updated_at, version) select id, type, status, name_key, created_at, 1 from c`,
  [parent],
);
// Cards of other parents, before the children by name: reading all cards in the order of their names would be slow.
await client.query(`with c as (insert into cards (id, type, name, name_key, search_name, search_text, created_at)
    select gen_random_uuid(), 'ITComponent', 'Before ' || n, 'before ' || n, '', '', now() from generate_series(1, ${3 * CHILDREN}) n returning *)
  insert into card_contents (id, type, status, name_key, updated_at, version) select id, type, status, name_key, created_at, 1 from c`);
await vacuum();

/** Brings statistics and visibility up to date, which takes more than one pass while others read an older snapshot. */
async function vacuum(): Promise<void> {
  await until(async () => {
    await client.query('vacuum analyze cards, card_contents');
    const { rows } = await client.query<{ done: boolean }>(
      `select relallvisible = relpages as done from pg_class where oid = 'cards'::regclass`,
    );
    return rows[0]!.done;
  });
}

/** The nodes of the plan of a statement that has been executed. */
async function planOf(statement: string, values: unknown[]): Promise<Plan[]> {
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `explain (analyze, format json) ${statement}`,
    values,
  );
  const all = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(all)];
  return all(rows[0]!['QUERY PLAN'][0].Plan);
}

/** Indexes by id, by which the names of ancestors are looked up. */
const BY_ID = ['cards_pkey', 'cards_id_type_status'];

/** The nodes of the plan of a page that find cards, with the number of rows that each returned. */
async function reads(
  query: Record<string, string>,
): Promise<[node: string, index: string | undefined, rows: number][]> {
  const { current } = app.services.metamodel;
  const page = cardPage(
    query,
    { metamodel: current, visibility: visibilityOf(systemContext('test'), current), today: '2026-01-15' },
    NOTHING_KNOWN,
  );
  return (await planOf(keysOnlyStatement(page), page.bindings.values))
    .filter(({ 'Node Type': node, 'Index Name': index = '' }) =>
      node === 'Seq Scan' ? true : index.startsWith('cards_') && !BY_ID.includes(index),
    )
    .filter((plan) => plan['Actual Rows'] * plan['Actual Loops'] > 0)
    .map((plan) => [plan['Node Type'], plan['Index Name'], plan['Actual Rows'] * plan['Actual Loops']]);
}

await t.test('a page of the children of one card is read in the order of their names', async (t) => {
  const found = await reads({ parent_id: parent, total: 'none' });
  t.strictSame(found, [['Index Scan', 'cards_parent', 51]]);
});

await t.test('a search for a frequent word reads no more rows than its page needs', async (t) => {
  const found = await reads({ type: 'Application', search: 'child', total: 'none' });
  const [walk] = found;
  t.match(walk, ['Index Scan', 'cards_type_name']);
  t.ok(walk![2] >= 51 && walk![2] <= 55, `${walk![2]} rows`);
});

await t.test('an export on two connections reads the contents in their order, not card by card', async (t) => {
  const { rows } = await client.query<{ id: string }>(
    'select id from (select id, row_number() over (order by id) as n from cards) c where n % 2000 = 0 order by id',
  );
  const parts = partsOf(
    rows.map(({ id }) => id),
    2,
  )[0]!;
  const select = exportSelect(['c.name', 'c.version'], `string_agg(a.name, '/' order by o.n)`, {
    types: ['Application', 'ITComponent'],
    where: [`c.status = 'ACTIVE'`],
    parts,
  });
  const contents = (await planOf(select, [])).filter((plan) => plan['Relation Name'] === 'card_contents');
  t.ok(contents.length > 0);
  for (const { 'Actual Loops': loops } of contents) t.equal(loops, parts.length);
});

await t.test('the hits of a subtype are counted in its index, with and without their type', async (t) => {
  const queries: Record<string, string>[] = [
    { subtype: 'businessApplication' },
    { type: 'Application', subtype: 'businessApplication' },
  ];
  for (const query of queries) {
    const found = await reads(query);
    t.ok(
      found.some(
        ([node, index, n]) => node === 'Index Only Scan' && index === 'cards_subtype_name' && n === CHILDREN / 3,
      ),
      `${JSON.stringify(query)}: ${JSON.stringify(found)}`,
    );
  }
});

await t.test('the answers are those of the filters', async (t) => {
  const total = async (query: Record<string, string>): Promise<unknown> =>
    (await api.get<{ total: number }>('/cards', { query })).body.total;
  t.equal(await total({ parent_id: parent }), CHILDREN);
  t.equal(await total({ parent_id: `${parent},${parent}` }), CHILDREN);
  t.equal(await total({ type: 'Application', subtype: 'businessApplication' }), CHILDREN / 3);
  t.equal(await total({ type: 'Provider', subtype: 'businessApplication' }), 0);
  const { body } = await api.get<{ items: { name: string }[] }>('/cards', {
    query: { parent_id: parent, page_size: '3' },
  });
  t.strictSame(
    body.items.map(({ name }) => name),
    ['Child 1', 'Child 10', 'Child 100'],
  );
});
