/**
 * Changes on one node are visible on the others within a second: on one that receives notifications, on one behind a
 * pooler that drops them, and on one whose listener has just lost its connection.
 */
import t from 'tap';
import { poolerOf } from '../support/pooler.js';
import {
  client,
  expectStatus,
  login,
  makeUser,
  nextAddress,
  PASSWORD,
  registerAdmin,
  sql,
  testApp,
  until,
} from '../support/app.js';

const WITHIN_MS = 1_000;

const one = await testApp();
const { database } = one;
const pooler = await poolerOf(database);
const listening = await testApp({ database });
const unlistening = await testApp({ database: pooler.connection });
t.teardown(async () => {
  await Promise.all([one.close(), listening.close(), unlistening.close()]);
  pooler.close();
});
const OTHERS = { listening, unlistening };
const admin = await registerAdmin(one.origin);
const { api } = admin;
const SENSOR = '/metamodel/types/Sensor';
expectStatus(await api.post('/metamodel/types', { key: 'Sensor', label: 'Sensor' }), 201, 'a type');

let n = 0;
const done = async (answer: Promise<{ status: number }>): Promise<void> => {
  const { status } = await answer;
  if (status >= 300) throw new Error(`the change gave ${status}`);
};

interface Change {
  /** The answer of a node, to be compared. */
  ask(origin: string): Promise<unknown>;
  before: unknown;
  after: unknown;
  change(): Promise<void>;
  /** Restores the state that other changes need. */
  undo?(): Promise<void>;
}

const me = async (origin: string, token: string): Promise<number> =>
  (await client(origin, token).get('/auth/me')).status;
/** Returns a function for the status of a route for a user. */
const get =
  (path: string, token: string) =>
  async (origin: string): Promise<number> =>
    (await client(origin, token).get(path)).status;
const guest = (origin: string, path: string, body: object) => client(origin).post(path, body, { from: nextAddress() });
const settings = (patch: object) => done(api.patch('/settings', patch));
const role = async (permissions: string[]): Promise<string> => {
  const key = `role_${++n}`;
  await done(api.post('/roles', { key, label: key, permissions }));
  return key;
};

const CHANGES: Record<string, () => Promise<Change>> = {
  'a log-out': async () => {
    const { token, api: own } = await makeUser(admin, 'member');
    return {
      ask: (origin) => me(origin, token),
      before: 200,
      after: 401,
      change: () => done(own.post('/auth/logout')),
    };
  },
  'a deactivated user': async () => {
    const { token, user } = await makeUser(admin, 'member');
    return {
      ask: (origin) => me(origin, token),
      before: 200,
      after: 401,
      change: () => done(api.patch(`/users/${user.id}`, { is_active: false })),
    };
  },
  'a password that is changed, and with it the other sessions': async () => {
    const { api: own, user } = await makeUser(admin, 'member');
    const { token } = await login(one.origin, user.email);
    const body = { current_password: PASSWORD, new_password: 'loud-heron-skips-9-puddles' };
    return {
      ask: (origin) => me(origin, token),
      before: 200,
      after: 401,
      change: () => done(own.post('/auth/change-password', body)),
    };
  },
  'the role of a user': async () => {
    const { token, user } = await makeUser(admin, 'member');
    return {
      ask: get('/users', token),
      before: 403,
      after: 200,
      change: () => done(api.patch(`/users/${user.id}`, { role: 'admin' })),
    };
  },
  'permissions of a role': async () => {
    const key = await role(['cards.view']);
    const { token } = await makeUser(admin, key);
    return {
      ask: get('/cards', token),
      before: 200,
      after: 403,
      change: () => done(api.patch(`/roles/${key}`, { permissions: ['users.manage'] })),
    };
  },
  'a role that is archived': async () => {
    const key = await role(['cards.view']);
    const give = async (origin: string) =>
      (
        await client(origin, admin.token).post('/users', {
          email: `held-${++n}@example.org`,
          display_name: 'Held',
          role: key,
        })
      ).status;
    return {
      ask: give,
      before: 201,
      after: 422,
      change: async () => {
        await sql(database, `update users set role = 'viewer' where role = $1`, [key]);
        await done(api.post(`/roles/${key}/archive`));
      },
    };
  },
  'a field of a card type': async () => {
    const type = `Sensor${++n}`;
    await done(api.post('/metamodel/types', { key: type, label: type }));
    const create = async (origin: string) =>
      (await client(origin, admin.token).post('/cards', { type, name: `S ${++n}`, attributes: { range: 5 } })).status;
    return {
      ask: create,
      before: 422,
      after: 201,
      change: () =>
        done(
          api.patch(`/metamodel/types/${type}`, {
            sections: [{ key: 'main', fields: [{ key: 'range', kind: 'number' }] }],
          }),
        ),
    };
  },
  'permissions of a stakeholder role': async () => {
    const { token, user } = await makeUser(admin, 'viewer');
    const { body: card } = await api.post('/cards', { type: 'Sensor', name: `Held ${++n}` });
    await done(api.post(`/cards/${card.id}/stakeholders`, { user_id: user.id, role: 'observer' }));
    const edit = async (origin: string) =>
      (await client(origin, token).patch(`/cards/${card.id}`, { description: String(++n) })).status;
    const permit = (permissions: object) => done(api.patch(`${SENSOR}/stakeholder-roles/observer`, { permissions }));
    return {
      ask: edit,
      before: 403,
      after: 200,
      change: () => permit({ 'card.edit': true }),
      undo: () => permit({ 'card.edit': null }),
    };
  },
  'whether writes need a version': async () => {
    const { body: card } = await api.post('/cards', { type: 'Sensor', name: `Versioned ${++n}` });
    const edit = async (origin: string) =>
      (await client(origin, admin.token).patch(`/cards/${card.id}`, { description: String(++n) })).status;
    return {
      ask: edit,
      before: 200,
      after: 428,
      change: () => settings({ require_if_match: true }),
      undo: async () => {
        const {
          body: { version },
        } = await api.get('/settings');
        await done(api.patch('/settings', { require_if_match: false }, { headers: { 'if-match': `"${version}"` } }));
      },
    };
  },
  'limits of rates': async () => {
    const policy = async (origin: string) =>
      (
        await guest(origin, '/auth/login', { email: 'nobody@example.org', password: 'wrong-guess-of-mine' })
      ).headers.get('ratelimit-policy');
    return {
      ask: policy,
      before: '"address";q=10;w=60',
      after: '"address";q=7;w=60',
      change: () => settings({ rate_limits: { login: 7 } }),
      undo: () => settings({ rate_limits: { login: 10 } }),
    };
  },
  'whether people may register': async () => {
    const register = async (origin: string) =>
      (
        await guest(origin, '/auth/register', {
          email: `guest-${++n}@example.org`,
          password: PASSWORD,
          display_name: 'Guest',
        })
      ).status;
    return {
      ask: register,
      before: 403,
      after: 201,
      change: () => settings({ registration: { enabled: true } }),
      undo: () => settings({ registration: { enabled: false } }),
    };
  },
  'a module that is switched off': async () => ({
    ask: get('/adr', admin.token),
    before: 200,
    after: 404,
    change: () => done(api.patch('/settings/modules/adr', { enabled: false })),
    undo: () => done(api.patch('/settings/modules/adr', { enabled: true })),
  }),
};

for (const cut of [false, true]) {
  for (const [what, prepare] of Object.entries(CHANGES)) {
    t.test(`${what}${cut ? ', after the loss of the connections of listeners' : ''}`, async (t) => {
      const { ask, before, after, change, undo } = await prepare();
      const nodes = Object.entries(OTHERS);
      // Fills the caches of the nodes.
      for (const [name, { origin }] of nodes)
        await until(async () => (await ask(origin)) === before, 5_000).catch(() => t.fail(`${name} before`));
      if (cut)
        await sql(
          database,
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'lintel-notifier'`,
        );
      await change();
      const began = performance.now();
      t.equal(await ask(one.origin), after, 'immediately on the node of the change');
      await Promise.all(
        nodes.map(async ([name, { origin }]) => {
          await until(async () => (await ask(origin)) === after, WITHIN_MS).catch(() =>
            t.fail(`${name}: not within a second`),
          );
          t.comment(`${name} after ${Math.round(performance.now() - began)} ms`);
        }),
      );
      await undo?.();
    });
  }
}

t.test('the node behind the pooler has received no notification', async (t) => {
  t.ok(pooler.dropped > 0, `${pooler.dropped} notifications were dropped`);
});

t.test('requests of one address count together on all nodes', async (t) => {
  const minute = async (): Promise<number> =>
    (await sql<{ m: number }>(database, 'select floor(extract(epoch from clock_timestamp()) / 60)::int as m'))[0]!.m;
  const origins = [one.origin, listening.origin, unlistening.origin];
  // The window is one minute of the clock of the database: requests across its end are repeated.
  const statuses = await until(async () => {
    const [from, began] = [nextAddress(), await minute()];
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        client(origins[i % 3]!).post(
          '/auth/login',
          { email: 'nobody@example.org', password: 'wrong-guess-of-mine' },
          { from },
        ),
      ),
    );
    return (await minute()) === began && answers.map(({ status }) => status);
  }, 60_000);
  t.equal(statuses.filter((status) => status === 401).length, 10);
  t.equal(statuses.filter((status) => status === 429).length, 40);
});
