/** Two-way synchronisation with ServiceNow: 10,000 records, changes here and there, and no echo of them. */
import t from 'tap';
import { expectStatus, registerAdmin, sql, testApp } from '../../../test/support/app.js';
import { ServiceNowServer } from './simulators/servicenow.js';
import { ended, serviceAccount, type Run } from './support/runs.js';
import { connectionTo } from './servicenow-support.js';

const SERVERS = 10_000;
const EDITS = 200;
/** Records that are changed on both sides, in other fields. */
const SHARED = 50;
/** Milliseconds in which a run of all records is over on a busy machine. */
const RUN_MS = 600_000;

const instance = await ServiceNowServer.start();
const { tables } = instance;
const ids = tables.fill(SERVERS);
const { origin, database, close } = await testApp({ config: { outboundAllow: ['127.0.0.1'] } });
t.teardown(async () => {
  await close();
  await instance.close();
});
const admin = await registerAdmin(origin);
const { api } = admin;
const connection = expectStatus(await api.post('/cmdbsync/connections', connectionTo(instance)), 201, 'a connection')
  .body.id;
const field = (source: string, target: string, owner: 'cmdb' | 'ea') => ({
  source,
  target,
  owner,
  transform: { kind: 'direct' },
});
const mapping = expectStatus(
  await api.post('/cmdbsync/mappings', {
    name: 'Servers',
    connection_id: connection,
    card_type: 'ITComponent',
    table: 'cmdb_ci_server',
    direction: 'both',
    fields: [
      field('name', 'name', 'cmdb'),
      field('serial_number', 'alias', 'cmdb'),
      field('short_description', 'description', 'ea'),
      field('os_version', 'attributes.version', 'cmdb'),
    ],
    runs_as: await serviceAccount(admin, 'admin'),
    auto_apply: true,
  }),
  201,
  'a mapping',
).body.id;

/** A run of all records. */
async function run(direction: 'pull' | 'both'): Promise<Run> {
  const body = { direction, full: true };
  const { id } = expectStatus(await api.post<Run>(`/cmdbsync/mappings/${mapping}/runs`, body), 201, 'a run').body;
  const found = await ended(admin, id, RUN_MS);
  t.match(found, { state: 'done', error: null }, JSON.stringify(found));
  return found;
}

interface Pair {
  external_id: string;
  card_id: string;
  name: string;
  alias: string;
  description: string;
  version: string;
}
const pairs = (): Promise<Pair[]> =>
  sql<Pair>(
    database,
    `select i.external_id, c.id as card_id, c.name, c.alias, c.description, d.attributes ->> 'version' as version
      from cmdbsync_identities i join cards c on c.id = i.card_id
      join card_contents d on d.id = c.id where i.mapping_id = $1 order by i.external_id`,
    [mapping],
  );
/** Cards and records whose values differ. */
async function differing(): Promise<string[]> {
  return (await pairs()).flatMap(({ external_id, name, alias, description, version }) => {
    const row = tables.find('cmdb_ci_server', external_id)!;
    const there = [row['name'], row['serial_number'], row['short_description'], row['os_version']];
    return JSON.stringify(there) === JSON.stringify([name, alias, description, version]) ? [] : [external_id];
  });
}
const writes = (): number =>
  ['POST', 'PATCH', 'PUT', 'DELETE'].reduce((sum, method) => sum + instance.count(method), 0);
const cardEvents = async (): Promise<number> =>
  (await sql<{ n: number }>(database, `select count(*)::int as n from events where type like 'card.%'`))[0]!.n;

await t.test('the first load', async (t) => {
  const { counts } = await run('pull');
  t.match(counts, { read: SERVERS, create: SERVERS, applied: SERVERS });
  t.equal((await pairs()).length, SERVERS);
  t.strictSame(await differing(), []);
  t.equal(writes(), 0);
});

await t.test('changes of both sides arrive at the other one', async (t) => {
  const cards = new Map((await pairs()).map(({ external_id, card_id }) => [external_id, card_id]));
  for (const [i, id] of ids.slice(0, EDITS).entries())
    tables.edit('cmdb_ci_server', id, { serial_number: `There ${i}` });
  for (const [i, id] of ids.slice(EDITS - SHARED, 2 * EDITS - SHARED).entries())
    expectStatus(await api.patch(`/cards/${cards.get(id)}`, { description: `Here ${i}` }), 200, 'an edit');
  t.equal((await differing()).length, 2 * EDITS - SHARED);
  await run('both');
  t.strictSame(await differing(), []);
  for (const [i, id] of ids.slice(0, EDITS).entries())
    t.equal(tables.find('cmdb_ci_server', id)!['serial_number'], `There ${i}`, 'no change is lost there');
  for (const [i, id] of ids.slice(EDITS - SHARED, 2 * EDITS - SHARED).entries())
    t.equal(tables.find('cmdb_ci_server', id)!['short_description'], `Here ${i}`, 'nor here');
  t.equal(writes(), EDITS, 'one write for each record that was changed here');
  t.equal([...tables.rows('cmdb_ci_server')].length, SERVERS);
  t.equal((await pairs()).length, SERVERS);
});

await t.test('no echo: further runs write nothing, neither here nor there', async (t) => {
  const before = [writes(), await cardEvents()];
  const counts = [...tables.rows('cmdb_ci_server')].map((row) => row['sys_mod_count']);
  for (let i = 0; i < 3; i++) {
    const { counts } = await run('both');
    t.equal(counts.unchanged, SERVERS);
    t.strictSame([writes(), await cardEvents()], before);
  }
  t.strictSame(
    [...tables.rows('cmdb_ci_server')].map((row) => row['sys_mod_count']),
    counts,
  );
});
