import t from 'tap';
import { migrationContract, resourceContract, testApp } from '@lintel/sdk/testing';
import module from '../index.js';

const app = await testApp({ module });
t.teardown(app.close);
// Of the roles that exist from the start only the administrator holds the permission.
await app.admin.post('/roles', { key: 'publisher', label: 'Publisher', permissions: ['portals.manage', 'cards.view'] });

/** The check for a reader who may not write: a user who sees portals may write them; `portals.test.ts` has who may not. */
const ONE_PERMISSION = 'a reader can only read';

for (const { name, run } of [
  ...resourceContract({
    app,
    writer: 'publisher',
    reader: 'publisher',
    path: '/portals',
    kind: 'portals',
    create: (n) => ({ slug: `portal-${n}`, title: `Portal ${n}`, type: 'Application' }),
    update: { title: 'Changed' },
    nullable: 'description',
    text: 'title',
    invalid: [
      { body: { slug: 'No Slug', title: 'x', type: 'Application' }, fields: ['/slug'] },
      { body: { slug: 'x1', title: ' ', type: 'Application', page_size: 101 }, fields: ['/page_size', '/title'] },
    ],
  }),
  ...migrationContract({ module }),
].filter(({ name: check }) => !check.startsWith(ONE_PERMISSION)))
  t.test(name, (t) => t.resolves(run()));
