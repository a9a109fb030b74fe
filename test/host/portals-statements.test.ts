/** The statements of a visitor of a portal. */
import t from 'tap';
import { expectStatus, registerAdmin, testApp } from '../support/app.js';
import { watchStatements } from '../support/statements.js';

const watch = watchStatements();
const { origin, close } = await testApp();
t.teardown(async () => {
  watch.stop();
  await close();
});
const admin = await registerAdmin(origin);
for (const name of ['Shop', 'Ledger', 'Payroll']) await admin.api.post('/cards', { type: 'Application', name });
const fields = ['description', 'subtype', 'lifecycle_phase', 'attributes.businessCriticality'];
const portal = {
  slug: 'apps',
  title: 'Apps',
  type: 'Application',
  fields,
  visitor_filters: ['subtype'],
  is_published: true,
};
expectStatus(await admin.api.post('/portals', portal), 201, 'a portal');
const PORTAL = `${origin}/api/v1/portals/public/apps`;

t.test('they do not depend on the number of cards, of fields and of filters', async (t) => {
  for (const query of [
    'page_size=1',
    'page_size=2',
    'page_size=3',
    'page_size=3&search=o%20p&subtype=microservice',
    'page_size=3&total=none',
  ]) {
    const { statements, answer } = await watch.during(() => fetch(`${PORTAL}/cards?${query}`));
    t.equal(answer.status, 200, query);
    // Portals are read at most every 250 ms.
    const own = statements.filter(({ text }) => !text.includes('portals_portals'));
    t.equal(own.length, 3, `${query}: one statement in a transaction`);
  }
});

t.test('answers are kept for a moment, and so is what portals there are', async (t) => {
  const { statements, answer } = await watch.during(() =>
    Promise.all(Array.from({ length: 40 }, (_, i) => fetch(i % 2 ? `${PORTAL}/cards` : `${PORTAL}-${i}/cards`))),
  );
  t.same([...new Set(answer.map(({ status }) => status))].sort(), [200, 404]);
  t.ok(statements.length < 12, `${statements.length} statements for 40 requests`);
});
