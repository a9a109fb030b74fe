/** The migration that stores versions as changes: forth and back, histories and deletions stay as they are. */
import knex from 'knex';
import t from 'tap';
import * as versionChanges from '../../migrations/0027_version_changes.js';
import { expectStatus, registerAdmin, sql, testApp, type Answer, type AnyBody } from '../support/app.js';
import { urlOf } from '../support/database.js';

await t.test('histories are the same after versions were documents and are changes again', async (t) => {
  const { database, origin, close } = await testApp();
  t.teardown(close);
  const { api } = await registerAdmin(origin);
  const done = (answer: Answer<AnyBody>, status: number) => expectStatus(answer, status, 'preparing');
  const parent = done(await api.post('/cards', { type: 'Application', name: 'Parent' }), 201).body;
  const card = done(
    await api.post('/cards', {
      type: 'Application',
      name: 'First name',
      description: 'kept',
      attributes: { productName: 'a', numberOfUsers: 3 },
      lifecycle: { plan: '2020-01-01', active: '2021-01-01' },
    }),
    201,
  ).body;
  for (const patch of [
    { name: 'Second name', attributes: { productName: 'b' } },
    { attributes: { productName: null, numberOfUsers: 4 }, lifecycle: { plan: null } },
    { parent_id: parent.id, alias: 'x' },
    { description: null, attributes: { productName: 'c' } },
  ])
    done(await api.patch(`/cards/${card.id}`, patch), 200);
  const gone = done(
    await api.post('/cards', { type: 'Application', name: 'Gone', attributes: { productName: 'z' } }),
    201,
  ).body;
  const target = done(await api.post('/cards', { type: 'ITComponent', name: 'Target' }), 201).body;
  const relation = done(
    await api.post('/relations', { type: 'applicationToITComponent', source_id: card.id, target_id: target.id }),
    201,
  ).body;
  done(await api.patch(`/relations/${relation.id}`, { description: 'changed', valid_from: '2025-01-01' }), 200);
  done(await api.del(`/cards/${gone.id}`, { headers: { 'if-match': '"1"' } }), 204);
  done(await api.del(`/relations/${relation.id}`), 204);

  const tables = ['card_versions', 'card_deletions', 'relation_versions', 'relation_deletions'];
  const stored = () =>
    Promise.all(
      tables.map((table) =>
        sql<{ row: object }>(
          database,
          `select to_jsonb(v) - '{change_id,changes}'::text[] as row,
            (select jsonb_agg(c order by c->>'field') from jsonb_array_elements(nullif(to_jsonb(v)->'changes', 'null')) c) as changes
          from ${table} v order by id, version`,
        ),
      ),
    );
  const history = async () => (await api.get(`/cards/${card.id}/history`)).body;
  const [before, entries] = [await stored(), await history()];
  const connection = knex({ client: 'pg', connection: urlOf(database) });
  t.teardown(() => connection.destroy());
  await versionChanges.down(connection);
  t.match(
    await sql(
      database,
      'select valid_to = lead(valid_from) over (order by version) as follows, doc from card_versions where id = $1 order by version',
      [card.id],
    ),
    [
      {
        follows: true,
        doc: {
          name: 'First name',
          parent_id: null,
          attributes: { productName: 'a', numberOfUsers: 3 },
          lifecycle: { plan: '2020-01-01' },
        },
      },
      { follows: true, doc: { name: 'Second name', attributes: { productName: 'b', numberOfUsers: 3 } } },
      { follows: true, doc: { attributes: { numberOfUsers: 4 }, lifecycle: { active: '2021-01-01' } } },
      { follows: true, doc: { parent_id: parent.id, alias: 'x', description: 'kept' } },
      { follows: null, doc: { description: null, attributes: { productName: 'c', numberOfUsers: 4 }, version: 5 } },
    ],
  );
  await versionChanges.up(connection);
  t.strictSame(await stored(), before);
  t.strictSame(await history(), entries);
  t.equal(entries.items.length, 5);
});
