/** The migration that stores contents apart: forth and back, cards stay as they are. */
import knex from 'knex';
import t from 'tap';
import { createDatabase, expectStatus, registerAdmin, sql, testApp, until } from '../support/app.js';
import { urlOf } from '../support/database.js';
import { checksum, checksums, migrateTo, migrationOf, schemaOf } from '../support/schema-state.js';

const BEFORE = '0027_version_changes';
const NAME = '0028_card_contents';
/** The later migrations that change the same tables. */
const LATER = ['0041_subtype_index', '0042_basic_quality'];
const LAST = LATER.at(-1)!;
const TABLES = ['cards', 'card_contents', 'card_versions', 'card_deletions', 'relations', 'relation_versions'];
const COLUMNS = `id, type, subtype, name, description, parent_id, path_ids, status, approval_status, external_id, alias, attributes, lifecycle, data_quality, open_quality,
  edited_by, updated_by, updated_at, version, created_by, created_at, archived_at`;

/** The schema after the migrations up to one, on a database that has no other. */
async function schemaAt(name: string): Promise<string[]> {
  const database = await createDatabase();
  await sql(database, 'drop schema public cascade');
  await sql(database, 'create schema public');
  await migrateTo(database, name);
  return await schemaOf(database);
}

await t.test(
  'cards, their history and the schema are the same after contents were columns of cards again',
  async (t) => {
    const [before, after, today] = [await schemaAt(BEFORE), await schemaAt(NAME), await schemaAt(LAST)];
    const { database, origin, close } = await testApp();
    t.teardown(close);
    const { api } = await registerAdmin(origin);
    const create = async (body: object): Promise<string> =>
      expectStatus(await api.post('/cards', { type: 'Application', ...body }), 201, 'preparing').body.id as string;
    const patch = async (id: string, body: object) =>
      expectStatus(await api.patch(`/cards/${id}`, body), 200, 'preparing');
    const parent = await create({ name: 'Parent', attributes: { numberOfUsers: 3 } });
    const card = await create({ name: 'Card', parent_id: parent, lifecycle: { active: '2021-01-01' } });
    await patch(card, { attributes: { productName: 'a', costTotalAnnual: 5 } });
    await patch(card, { attributes: { productName: null }, description: 'changed' });
    const archived = await create({ name: 'Archived' });
    expectStatus(await api.post(`/cards/${archived}/archive`), 200, 'preparing');

    // The service creates the indexes of single attributes, and again after the migration.
    const only = (lines: string[]) =>
      lines.filter((line) => /[ .](cards|card_contents|card_rows)[_. ]/.test(line) && !line.includes('cards_attr_'));
    const rows = () => checksums(database, TABLES);
    const answers = async () => [
      (await api.get(`/cards/${card}`)).body,
      (await api.get(`/cards/${archived}`)).body,
      (await api.get(`/cards/${card}/history`)).body,
    ];
    const [stored, shown] = [await rows(), await answers()];
    const source = await checksum(database, `select ${COLUMNS} from card_rows`);
    t.match(source, /^3 rows/);
    t.strictSame(only(await schemaOf(database)), only(today));

    const connection = knex({ client: 'pg', connection: urlOf(database) });
    t.teardown(() => connection.destroy());
    const [{ up, down }, later] = [await migrationOf(NAME), await Promise.all(LATER.map(migrationOf))];
    for (const migration of later.toReversed()) await migration.down(connection);
    await down(connection);
    t.strictSame(only(await schemaOf(database)), only(before), `the schema is that of ${BEFORE}`);
    t.equal(await checksum(database, `select ${COLUMNS} from cards`), source);
    await up(connection);
    t.strictSame(only(await schemaOf(database)), only(after), `the schema is that of ${NAME}`);
    for (const migration of later) await migration.up(connection);
    t.strictSame(only(await schemaOf(database)), only(today), `the schema is that of ${LAST}`);
    // A job computes the scores that the last one adds.
    await until(async () => JSON.stringify(await rows()) === JSON.stringify(stored), 20_000).catch(() => undefined);
    t.strictSame(await rows(), stored);
    t.strictSame(await answers(), shown);
  },
);
