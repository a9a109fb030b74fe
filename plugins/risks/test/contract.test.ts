import t from 'tap';
import { migrationContract, resourceContract, testApp } from '@lintel/sdk/testing';
import module from '../index.js';

const app = await testApp({ module });
t.teardown(app.close);
const architect = await app.asUser('architect');
const { body: card } = await architect.post('/cards', { type: 'Application', name: 'Shop' });
const { body: risk } = await architect.post(app.prefix, { title: 'A risk', category: 'security' });

const checks = [
  ...resourceContract({
    app,
    path: app.prefix,
    kind: 'risks',
    create: (n) => ({
      title: `Risk ${n}`,
      category: 'security',
      description: 'Soon.',
      cards: [{ card_id: card.id, role: 'affected' }],
    }),
    update: { description: 'Later.' },
    nullable: 'description',
    text: 'description',
    bulk: 'risk',
    transition: { to: 'analysed', body: { comment: 'Seen.' }, refused: 'closed', code: 'risks_move_refused' },
    invalid: [
      { body: { title: ' ', category: 'none', initial_impact: 1 }, fields: ['/category', '/initial_impact', '/title'] },
    ],
  }),
  ...resourceContract({
    app,
    path: `${app.prefix}/${risk.id}/mitigations`,
    kind: 'risks_mitigation',
    create: (n) => ({ title: `Mitigation ${n}`, description: 'Soon.' }),
    update: { description: 'Later.' },
    nullable: 'description',
    text: 'description',
    invalid: [{ body: { title: '', recurrence: 'hourly' }, fields: ['/recurrence', '/title'] }],
  }),
  ...migrationContract({ module }),
];
for (const { name, run } of checks) t.test(name, (t) => t.resolves(run()));
