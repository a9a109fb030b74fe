import t from 'tap';
import { resourceContract, testApp } from '@lintel/sdk/testing';
import module from '../index.js';

const app = await testApp({ module });
t.teardown(app.close);
const architect = await app.asUser('architect');
const { body: card } = await architect.post('/cards', { type: 'Initiative', name: 'Contract' });
await app.admin.post('/roles', {
  key: 'controller',
  label: 'Controller',
  permissions: ['cards.view', 'costs.view', 'ppm.view'],
});
const path = `${app.prefix}/initiatives/${card.id}`;

const checks = [
  ...resourceContract({
    app,
    path: `${path}/budgets`,
    kind: 'ppm_budget',
    reader: 'controller',
    create: (n) => ({ fiscal_year: 2000 + (n % 100), category: 'capex', amount: n + 0.5, description: 'Soon.' }),
    update: { category: 'opex' },
    nullable: 'description',
    text: 'description',
    invalid: [
      {
        body: { fiscal_year: 0, category: 'tax', amount: -1, currency: 'euro' },
        fields: ['/fiscal_year', '/category', '/amount', '/currency'],
      },
    ],
  }),
  ...resourceContract({
    app,
    path: `${path}/costs`,
    kind: 'ppm_cost',
    reader: 'controller',
    create: (n) => ({ date: `2026-01-${String((n % 28) + 1).padStart(2, '0')}`, category: 'capex', actual: n }),
    update: { category: 'opex' },
    nullable: 'description',
    text: 'description',
    invalid: [
      {
        body: { date: 'today', category: 'tax', planned: -1, wbs_id: 'x' },
        fields: ['/date', '/category', '/planned', '/wbs_id'],
      },
    ],
  }),
  ...resourceContract({
    app,
    path: `${path}/risks`,
    kind: 'ppm_risk',
    create: (n) => ({ title: `Risk ${n}`, probability: 1 + (n % 5), impact: 2, description: 'Soon.' }),
    update: { mitigation: 'Later.' },
    nullable: 'mitigation',
    text: 'description',
    invalid: [
      {
        body: { title: ' ', probability: 6, impact: 0, status: 'gone' },
        fields: ['/title', '/probability', '/impact', '/status'],
      },
    ],
  }),
];
for (const { name, run } of checks) t.test(name, (t) => t.resolves(run()));
