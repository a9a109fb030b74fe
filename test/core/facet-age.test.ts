/** Facets of many cards are cached for a few seconds with their time; those of few are counted each time. */
import t from 'tap';
import type { RequestContext } from '@lintel/sdk';
import { systemContext } from '../../core/foundation/context.js';
import { CardReads } from '../../core/inventory/cards/index.js';
import { Database } from '../../core/foundation/db/database.js';
import { makeUser, registerAdmin, sql, testApp, until, type Session } from '../support/app.js';

const MANY = 100;
const AGE_MS = 200;

const { app, origin, database, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const viewer = await makeUser(admin, 'viewer');
const { rbac, metamodel } = app.services;
const db = new Database({ connection: database, max: 2 });
t.teardown(() => db.close());
const readsOf = (ageMs: number, most?: number): CardReads =>
  new CardReads(db, metamodel, { cards: MANY, ageMs, ...(most !== undefined && { most }) });
/** The context of a request of the user. */
function as({ user }: Session): RequestContext {
  const actor = { id: user.id, displayName: user.display_name, email: user.email, role: user.role, sessionId: user.id };
  return { ...systemContext('api'), actor, permissions: rbac.permissionsOf(user.role) };
}
const adminContext = as(admin);

const operations = Array.from({ length: MANY }, (_, n) => ({
  op: 'create',
  card: { type: 'Application', name: `Ledger ${n}`, attributes: { costTotalAnnual: n } },
}));
const made = (await admin.api.post('/cards/bulk', { operations })).body.results as { id: string }[];
let n = 0;
const add = async (type = 'Application'): Promise<string> => {
  const { status, body } = await admin.api.post('/cards', { type, name: `More ${++n}` });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body.id;
};
const HOUR = 3_600_000;

await t.test('facets of few cards are counted each time, with the time of the count', async (t) => {
  const reads = readsOf(HOUR);
  const before = Date.now();
  const first = await reads.facets(adminContext, {});
  t.equal(first.total, MANY, 'as many as are not kept');
  t.match(first.computed_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  t.ok(Date.parse(first.computed_at) >= before && Date.parse(first.computed_at) <= Date.now());
  await add();
  t.equal((await reads.facets(adminContext, {})).total, MANY + 1);
  const { body } = await admin.api.get('/cards/facets');
  t.match(body, { total: MANY + 1, computed_at: String });
});

await t.test('facets of many cards are cached for a limited time', async (t) => {
  const kept = readsOf(HOUR);
  const first = await kept.facets(adminContext, { status: 'ACTIVE' });
  await add();
  t.same(await kept.facets(adminContext, { status: 'ACTIVE' }), first, 'with the time they were counted at');
  t.equal(
    (await kept.facets(adminContext, { status: 'ACTIVE', type: 'Application' })).total,
    first.total + 1,
    'other filters',
  );
  t.equal((await kept.facets(adminContext, { type: 'Platform' })).total, 0);
  await add('Platform');
  t.equal((await kept.facets(adminContext, { type: 'Platform' })).total, 1, 'few cards');

  const brief = readsOf(AGE_MS);
  const { total } = await brief.facets(adminContext, {});
  await add();
  await until(async () => {
    const asked = Date.now();
    const facets = await brief.facets(adminContext, {});
    if (facets.total === total) t.ok(asked - Date.parse(facets.computed_at) <= AGE_MS + 5, 'not too old');
    return facets.total === total + 1;
  });
});

await t.test('a limited number of answers is cached, and the oldest are evicted', async (t) => {
  const reads = readsOf(HOUR, 2);
  const filters = [{}, { status: 'ACTIVE' }, { type: 'Application' }];
  const totals: number[] = [];
  for (const filter of filters) totals.push((await reads.facets(adminContext, filter)).total);
  await add();
  t.equal((await reads.facets(adminContext, filters[2]!)).total, totals[2]);
  t.equal((await reads.facets(adminContext, filters[1]!)).total, totals[1]);
  t.equal((await reads.facets(adminContext, filters[0]!)).total, totals[0]! + 1);
});

await t.test('a cached answer is only for readers with the same permissions', async (t) => {
  const reads = readsOf(HOUR);
  const all = { type: 'Application' };
  const mine = { stakeholder_id: 'me' };
  const valued = { 'attributes.costTotalAnnual[gte]': '0' };
  const facets = async (who: Session, filter: object): Promise<number> => (await reads.facets(as(who), filter)).total;
  const { total } = await reads.facets(adminContext, all);
  t.equal(await facets(viewer, all), total);
  t.equal(await facets(admin, valued), MANY, 'the costs of all cards');
  t.equal(await facets(viewer, valued), 0, 'a reader who sees no costs gets none');

  // The reader has a role on so many cards that facets are cached.
  await sql(
    database,
    `insert into card_stakeholders (id, card_id, user_id, role, created_at) select gen_random_uuid(), id, $1, 'responsible', now() from cards where type = 'Application'`,
    [viewer.user.id],
  );
  t.equal(await facets(viewer, valued), MANY, 'the costs its roles open');
  t.ok((await facets(viewer, mine)) > MANY);
  t.equal(await facets(admin, mine), 0, '`me` is the reader');
  await sql(database, 'delete from card_stakeholders where user_id = $1', [viewer.user.id]);
  t.equal(await facets(viewer, valued), 0, 'costs of a removed role are not cached');

  await sql(
    database,
    `with r as (update roles set types = '{"Application": {"cards.view": false}}' where key = 'viewer') update revisions set revision = revision + 1 where kind = 'permissions'`,
  );
  await until(async () => (await facets(viewer, all)) === 0);
  t.equal(await facets(admin, all), total, 'other readers get the cached answer');
});

await t.test('a change of the metamodel clears the cache', async (t) => {
  const reads = readsOf(HOUR);
  const { total } = await reads.facets(adminContext, {});
  await admin.api.del(`/cards/${made[0]!.id}`);
  t.equal((await reads.facets(adminContext, {})).total, total);
  const { revision } = metamodel.current;
  const { status } = await admin.api.post('/metamodel/tag-groups', { name: 'Colours' });
  t.equal(status, 201);
  if (metamodel.current.revision === revision) return;
  t.equal((await reads.facets(adminContext, {})).total, total - 1);
});
