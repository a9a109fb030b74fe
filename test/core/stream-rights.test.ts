/**
 * Permissions revoked while a stream is open are effective immediately: changes made after the response to the revocation,
 * on another node, are not delivered. The node of the stream has no notifier, so that it detects the change only by polling.
 */
import t from 'tap';
import { AFTER, COST, done, revokeWhileConnected, READ, startNodes, type Revocation } from '../support/rights.js';

const nodes = await startNodes();
t.teardown(nodes.close);
const { admin, make } = nodes;
await make('/metamodel/types/Application/stakeholder-roles', {
  key: 'seer',
  label: 'Seer',
  permissions: { 'card.view_costs': true },
});

const cases: Revocation[] = [
  {
    what: 'the role loses costs.view',
    permissions: ['costs.view'],
    sees: [COST],
    forbidden: COST,
    stillDelivered: AFTER,
    revoke: ({ role }, { setRole }) => setRole(role, READ),
  },
  {
    what: 'the user gets a role without costs.view',
    permissions: ['costs.view'],
    sees: [COST],
    forbidden: COST,
    stillDelivered: AFTER,
    revoke: ({ user }) => done(admin.api.patch(`/users/${user.user.id}`, { role: 'viewer' })),
  },
  {
    what: 'a rule of the role hides the costs of the type',
    permissions: ['costs.view'],
    sees: [/"new":777\d{6},"old":777\d{6},"field":"attributes.costTotalAnnual"/],
    forbidden: /"costTotalAnnual"|attributes\.costTotalAnnual/,
    stillDelivered: AFTER,
    revoke: ({ role }, { roleRules }) => roleRules(role, { Application: { 'costs.view': false } }),
  },
  {
    what: 'the stakeholder role is taken away',
    permissions: [],
    stakeholder: 'responsible',
    sees: [COST],
    forbidden: COST,
    stillDelivered: AFTER,
    revoke: ({ card, stakeholderId }) => done(admin.api.del(`/cards/${card}/stakeholders/${stakeholderId}`)),
  },
  {
    what: 'the stakeholder role loses card.view_costs',
    permissions: [],
    stakeholder: 'seer',
    sees: [COST],
    forbidden: COST,
    stillDelivered: AFTER,
    revoke: () =>
      done(
        admin.api.patch('/metamodel/types/Application/stakeholder-roles/seer', {
          permissions: { 'card.view_costs': false },
        }),
      ),
  },
  {
    what: 'the role loses cards.view',
    permissions: ['costs.view'],
    sees: [COST],
    forbidden: /"kind":"card"|after-/,
    stillDelivered: /metamodel/,
    revoke: ({ role }, { setRole }) => setRole(role, ['comments.view']),
  },
  {
    what: 'a rule of the role hides the type, and relations with it',
    permissions: ['costs.view'],
    sees: [/"type":"feeds"/, /"type":"touches"/],
    forbidden: /"kind":"card"|"type":"(feeds|touches)"/,
    stillDelivered: /metamodel/,
    revoke: ({ role }, { roleRules }) => roleRules(role, { Application: { 'cards.view': false } }),
  },
  {
    what: 'a rule of the role hides another type, at the end of a relation of any types',
    permissions: [],
    sees: [/"type":"touches"/],
    forbidden: /"type":"touches"/,
    stillDelivered: AFTER,
    revoke: ({ role }, { roleRules }) => roleRules(role, { Provider: { 'cards.view': false } }),
  },
  {
    what: 'the role loses relations.view',
    permissions: ['costs.view'],
    sees: [/"type":"feeds"/],
    forbidden: /"kind":"relation"/,
    stillDelivered: AFTER,
    revoke: ({ role }, { setRole }) => setRole(role, ['cards.view']),
  },
];

for (const revocation of cases) await t.test(revocation.what, (t) => revokeWhileConnected(t, nodes, revocation));
