/** The migration of the metamodel in both directions, with data of a workspace. */
import pg from 'pg';
import t from 'tap';
import { boundKnex } from '../../../core/foundation/db/bound-knex.js';
import * as migration from '../../../migrations/0002_metamodel.js';
import { createDatabase, sql } from '../../support/app.js';

const database = await createDatabase();

t.test('up migrates existing data, down removes everything it created', async (t) => {
  const client = new pg.Client({ ...database });
  await client.connect();
  t.teardown(() => client.end());
  const objects = () =>
    sql<{ name: string }>(
      database,
      `select relname as name from pg_class where relname like 'metamodel%' union all select tgname from pg_trigger where not tgisinternal
    and tgname ~ 'metamodel|_role|_allowed' union all select proname from pg_proc where proname ~ 'metamodel|stakeholder_role|card_tag_allowed' union all select attname from pg_attribute where attrelid = 'tags'::regclass and attname in ('version', 'updated_at') order by 1`,
    );
  const whole = await objects();
  t.ok(whole.length > 10, whole.map((o) => o.name).join(' '));
  await migration.down(await boundKnex(client));
  t.strictSame(await objects(), []);
  await sql(database, `insert into card_types (key, doc) values ('Old', '{"key": "Old"}')`);
  await sql(
    database,
    `insert into tag_groups (id, name, name_key, mode) values (gen_random_uuid(), 'G', 'g', 'multi')`,
  );
  await migration.up(await boundKnex(client));
  t.strictSame(await objects(), whole);
  t.match(await sql(database, 'select revision, doc from metamodel_revisions'), [
    { revision: '1', doc: { types: [{ key: 'Old' }], relation_types: [], tag_groups: [{ name: 'G', tags: [] }] } },
  ]);
});
