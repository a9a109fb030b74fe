import t from 'tap';
import { migrationContract, resourceContract, testApp } from '@lintel/sdk/testing';
import module from '../index.js';

const app = await testApp({ module });
t.teardown(app.close);
const architect = await app.asUser('architect');
const { body: card } = await architect.post('/cards', { type: 'BusinessProcess', name: 'Orders' });

const checks = [
  ...resourceContract({
    app,
    path: `${app.prefix}/processes/${card.id}/assessments`,
    kind: 'bpm_assessment',
    create: (n) => ({ assessed_on: `2026-01-${String((n % 28) + 1).padStart(2, '0')}`, overall: 3, notes: 'Soon.' }),
    update: { notes: 'Later.' },
    nullable: 'notes',
    text: 'notes',
    invalid: [{ body: { assessed_on: 'today', overall: 9 }, fields: ['/assessed_on', '/overall'] }],
  }),
  ...resourceContract({
    app,
    path: `${app.prefix}/templates`,
    kind: 'bpm_template',
    create: (n) => ({ name: `Template ${n}`, description: 'Soon.' }),
    update: { description: 'Later.' },
    nullable: 'description',
    text: 'description',
    invalid: [{ body: { name: ' ' }, fields: ['/name'] }],
  }),
  ...migrationContract({ module }),
];
for (const { name, run } of checks) t.test(name, (t) => t.resolves(run()));
