import t from 'tap';
import { resourceContract, testApp } from '@lintel/sdk/testing';
import { until } from '../../../test/support/app.js';
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

interface TypeBody {
  sections: { fields: { key: string }[] }[];
}
// An administrator may remove fields that roll-ups write.
const { body: type } = await app.admin.get('/metamodel/types/Initiative');
const sections = (type as unknown as TypeBody).sections.map((section) => ({
  ...section,
  fields: section.fields.filter(({ key }) => key !== 'startDate'),
}));
const removed = await app.admin.patch('/metamodel/types/Initiative', { sections });

t.test('a field that the metamodel does not have is left out of the roll-up', async (t) => {
  t.equal(removed.status, 200, JSON.stringify(removed.body));
  const { body: dated } = await architect.post('/cards', { type: 'Initiative', name: 'Dated' });
  const item = { title: 'All', start_date: '2026-03-02', end_date: '2026-03-06' };
  t.equal((await architect.post(`${app.prefix}/initiatives/${dated.id}/wbs`, item)).status, 201);
  const attributes = await until(async () => {
    const { body } = await architect.get(`/cards/${dated.id}`);
    const found = body['attributes'] as Record<string, unknown>;
    return found['endDate'] !== undefined && found;
  });
  t.strictSame(attributes, { endDate: '2026-03-06' });
  const { body: plan } = await architect.get(`${app.prefix}/initiatives/${dated.id}`);
  t.match(plan, { start_date: '2026-03-02', card_roll_up: { fields: ['endDate'] } });
});

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
