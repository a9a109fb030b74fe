import t from 'tap';
import { migrationContract, resourceContract, testApp } from '@lintel/sdk/testing';
import module from '../index.js';

const app = await testApp({ module });
t.teardown(app.close);
const architect = await app.asUser('architect');
const { body: card } = await architect.post('/cards', { type: 'Initiative', name: 'Contract' });
const path = `${app.prefix}/initiatives/${card.id}`;
const { body: task } = await architect.post(`${path}/tasks`, { title: 'Discussed' });
const { body: other } = await architect.post('/cards', { type: 'Initiative', name: 'Dependencies' });
const net = `${app.prefix}/initiatives/${other.id}`;
const items: string[] = [];
for (let i = 0; i < 40; i++) items.push((await architect.post(`${net}/wbs`, { title: `Item ${i}` })).body.id);
// Pairs of which each is used once, and none makes a cycle.
const pairs = items.flatMap((predecessor_id, i) =>
  items.slice(i + 1).map((successor_id) => ({ predecessor_id, successor_id })),
);
let used = 0;

const checks = [
  ...resourceContract({
    app,
    path: `${path}/wbs`,
    kind: 'ppm_wbs',
    create: (n) => ({ title: `Item ${n}`, description: 'Soon.' }),
    update: { description: 'Later.' },
    nullable: 'description',
    text: 'description',
    invalid: [
      {
        body: { title: ' ', completion: 101, duration_days: -1 },
        fields: ['/title', '/completion', '/duration_days'],
      },
    ],
  }),
  ...resourceContract({
    app,
    path: `${path}/tasks`,
    kind: 'ppm_task',
    create: (n) => ({ title: `Task ${n}`, description: 'Soon.' }),
    update: { description: 'Later.' },
    nullable: 'description',
    text: 'description',
    invalid: [{ body: { title: ' ', status: 'later', tags: [''] }, fields: ['/title', '/status', '/tags/0'] }],
  }),
  ...resourceContract({
    app,
    path: `${path}/tasks/${task.id}/comments`,
    kind: 'ppm_task_comment',
    create: (n) => ({ text: `Comment ${n}` }),
    update: { text: 'Later.' },
    text: 'text',
    invalid: [{ body: { text: ' ' }, fields: ['/text'] }],
  }),
  ...resourceContract({
    app,
    path: `${net}/dependencies`,
    kind: 'ppm_dependency',
    create: () => pairs[used++]!,
    update: { lag_days: 3 },
    invalid: [{ body: { ...pairs[0], type: 'XX', lag_days: 1000 }, fields: ['/type', '/lag_days'] }],
  }),
  ...resourceContract({
    app,
    path: `${path}/status-reports`,
    kind: 'ppm_status_report',
    create: (n) => ({
      report_date: `2026-01-${String((n % 28) + 1).padStart(2, '0')}`,
      schedule_health: 'on_track',
      cost_health: 'at_risk',
      scope_health: 'off_track',
    }),
    update: { summary: 'Later.' },
    nullable: 'summary',
    text: 'summary',
    invalid: [
      {
        body: { report_date: 'today', schedule_health: 'good', cost_health: 'at_risk', scope_health: 'at_risk' },
        fields: ['/report_date', '/schedule_health'],
      },
    ],
  }),
  ...resourceContract({
    app,
    path: `${app.prefix}/holidays`,
    kind: 'ppm_holiday',
    create: (n) => ({ date: new Date(Date.UTC(2100, 0, 1 + n)).toISOString().slice(0, 10), name: `Holiday ${n}` }),
    update: { name: 'Other' },
    text: 'name',
    invalid: [{ body: { date: 'today', name: ' ' }, fields: ['/date', '/name'] }],
  }),
  ...migrationContract({ module }),
];
for (const { name, run } of checks) t.test(name, (t) => t.resolves(run()));
