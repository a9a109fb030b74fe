/** Requests that take long on a large inventory: no user can occupy the connections of others with them. */
import pg from 'pg';
import t from 'tap';
import { lockWaiters, makeUser, registerAdmin, testApp, until } from '../support/app.js';

const POOL = 8;
/** Costly requests may use half of the connections, those of one user a quarter. */
const EACH = 2;
const MOST = 4;

const { origin, database, close } = await testApp({ config: { databasePoolMax: POOL } });
t.teardown(close);
const admin = await registerAdmin(origin);
const viewers = [await makeUser(admin, 'viewer'), await makeUser(admin, 'viewer'), await makeUser(admin, 'viewer')];
const {
  body: { id },
} = await admin.api.post<{ id: string }>('/cards', { type: 'Application', name: 'Ledger' });
const COSTLY = ['/cards/facets', `/cards/${id}/hierarchy`, `/cards/${id}/impact`];

const waiting = (): Promise<number> => lockWaiters(database);

t.test('blocked costly reads leave the connections of others free', async (t) => {
  const lock = new pg.Client(database);
  await lock.connect();
  await lock.query('begin; lock table cards in access exclusive mode');
  const [first, ...others] = [viewers[0]!, viewers[1]!, viewers[2]!];
  const sent = Array.from({ length: 5 * POOL }, () => first.api.get('/cards/facets'));
  await until(async () => (await waiting()) === EACH);
  t.equal((await admin.api.get('/users')).status, 200, 'a read without cards is answered');
  t.equal((await admin.api.patch('/settings', { currency: 'CHF' })).status, 200, 'and a write');
  const more = others.flatMap(({ api }) => Array.from({ length: POOL }, () => api.get('/cards/facets')));
  await until(async () => (await waiting()) === MOST);
  t.equal((await admin.api.get('/users')).status, 200, 'also with more users');
  t.equal(await waiting(), MOST, 'no more than their share ran meanwhile');
  await lock.query('rollback');
  await lock.end();
  const statuses = (await Promise.all([...sent, ...more])).map(({ status }) => status);
  t.strictSame([...new Set(statuses)], [200], 'waiting requests are answered afterwards');
});

t.test('a request that waits too long gets Retry-After', async (t) => {
  const lock = new pg.Client(database);
  await lock.connect();
  await lock.query('begin; lock table cards in access exclusive mode');
  const viewer = viewers[0]!;
  const held = Array.from({ length: EACH }, () => viewer.api.get('/cards/facets'));
  await until(async () => (await waiting()) === EACH);
  const answers = await Promise.all(COSTLY.map((path) => viewer.api.get(path)));
  for (const [i, { status, headers }] of answers.entries())
    t.strictSame([status, headers.get('retry-after')], [429, '10'], COSTLY[i]!);
  await lock.query('rollback');
  await lock.end();
  await Promise.all(held);
});

t.test('of requests that hold a whole plan, one of a user is processed', async (t) => {
  const { body: initiative } = await admin.api.post<{ id: string }>('/cards', { type: 'Initiative', name: 'Move' });
  const path = `/ppm/initiatives/${initiative.id}/schedule`;
  const lock = new pg.Client(database);
  await lock.connect();
  await lock.query('begin; lock table ppm_wbs in access exclusive mode');
  const sent = Array.from({ length: 12 }, () => viewers[0]!.api.get(path));
  await until(async () => (await waiting()) >= 1);
  const other = viewers[1]!.api.get(path);
  await until(async () => (await waiting()) >= 2);
  t.equal((await viewers[0]!.api.get('/cards/facets')).status, 200, 'the others hold no place of costly requests');
  t.equal(await waiting(), 2, 'one of each user');
  await lock.query('rollback');
  await lock.end();
  const statuses = (await Promise.all([...sent, other])).map(({ status }) => status);
  t.strictSame([...new Set(statuses)], [200], 'waiting requests are answered afterwards');
});
