/** A session that ends closes its streams immediately on any node: no later change is delivered. */
import t from 'tap';
import { client, login, PASSWORD } from '../support/app.js';
import { AFTER, COST, done, revokeWhileConnected, startNodes, type Revocation } from '../support/rights.js';

const nodes = await startNodes();
t.teardown(nodes.close);
const { a, admin } = nodes;
const ended = { sees: [COST], forbidden: AFTER };

const cases: Revocation[] = [
  {
    what: 'the user logs out',
    permissions: ['costs.view'],
    ...ended,
    revoke: ({ user }) => done(user.api.post('/auth/logout')),
  },
  {
    what: 'the session is ended by another session',
    permissions: ['costs.view'],
    ...ended,
    revoke: async ({ user }) => {
      const other = await login(a.origin, user.user.email);
      const {
        body: { items },
      } = await other.api.get<{ items: { id: string; current: boolean }[] }>('/auth/sessions');
      await Promise.all(
        items.filter(({ current }) => !current).map(({ id }) => done(other.api.del(`/auth/sessions/${id}`))),
      );
    },
  },
  {
    what: 'the password is changed in another session',
    permissions: ['costs.view'],
    ...ended,
    revoke: async ({ user }) => {
      const other = await login(a.origin, user.user.email);
      await done(
        other.api.post('/auth/change-password', { current_password: PASSWORD, new_password: `${PASSWORD}-2` }),
      );
    },
  },
  {
    what: 'an administrator sets another password',
    permissions: ['costs.view'],
    ...ended,
    revoke: ({ user }) => done(admin.api.patch(`/users/${user.user.id}`, { password: `${PASSWORD}-3` })),
  },
  {
    what: 'a refresh token is used twice',
    permissions: ['costs.view'],
    ...ended,
    revoke: async ({ user }) => {
      const refresh = () => client(a.origin).post('/auth/refresh', { refresh_token: user.refreshToken });
      await done(refresh());
      if ((await refresh()).status !== 401) throw new Error('a refresh token was accepted twice');
    },
  },
  {
    what: 'the user is deactivated',
    permissions: ['costs.view'],
    ...ended,
    revoke: ({ user }) => done(admin.api.patch(`/users/${user.user.id}`, { is_active: false })),
  },
  {
    what: 'the user is deleted',
    permissions: ['costs.view'],
    ...ended,
    revoke: ({ user }) => done(admin.api.del(`/users/${user.user.id}`)),
  },
];

for (const revocation of cases) await t.test(revocation.what, (t) => revokeWhileConnected(t, nodes, revocation));
