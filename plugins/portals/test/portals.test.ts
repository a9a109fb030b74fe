import t from 'tap';
import { makeUser, registerAdmin, testApp, until, type Session } from '../../../test/support/app.js';
import { change, createPortal, visit, type Portal } from './support.js';

const { origin, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const get = (path: string, init?: RequestInit) => visit(origin, path, init);

/** Applications have the field `costTotalAnnual`, which is a cost, and `businessCriticality`, an option. */
async function card(body: object): Promise<string> {
  const answer = await admin.api.post<{ id: string }>('/cards', { type: 'Application', ...body });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body.id;
}
const shop = await card({
  name: 'Shop',
  description: 'Sells things.',
  external_id: 'secret-7',
  alias: 'Hidden alias',
  attributes: { businessCriticality: 'missionCritical', costTotalAnnual: 90_000 },
});
await card({ name: 'Ledger', description: 'Books.', attributes: { businessCriticality: 'businessCritical' } });
await card({ name: 'Äpfel & Söhne' });
const gone = await card({ name: 'Gone' });
await admin.api.post(`/cards/${gone}/archive`, {});
await admin.api.post('/cards', { type: 'Provider', name: 'Oak' });

t.test('everything', async (t) => {
  const made = await createPortal(admin, {
    slug: 'apps',
    title: 'Our applications',
    fields: ['description', 'attributes.businessCriticality'],
    visitor_filters: ['attributes.businessCriticality'],
    search_fields: ['name', 'description'],
    is_published: true,
  });
  console.error(made);
  console.error(await get('apps'));
  console.error((await get('apps/cards')).text);
  console.error((await get('apps/cards?search=aPFel')).text);
  console.error((await get('apps/cards?attributes.businessCriticality=missionCritical')).text);
  console.error((await get('apps/cards?attributes.costTotalAnnual=1&sort_by=attributes.costTotalAnnual')).text);
  console.error((await get(`apps/cards/${shop}`)).text);
  console.error((await get(`apps/cards/${gone}`)).text);
  const page = await get(`apps/page`);
  console.error(page.text, page.headers);
  console.error((await get(`nothing/page`)).status);
  console.error((await get(`nothing/cards`)).text);
});
