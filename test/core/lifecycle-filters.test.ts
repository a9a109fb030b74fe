/** Filters by dates of the life cycle, of lists, facets and exports of cards. */
import t from 'tap';
import { registerAdmin, testApp } from '../support/app.js';

const { origin, close } = await testApp();
t.teardown(close);
const { api } = await registerAdmin(origin);
const card = async (name: string, lifecycle: Record<string, string>): Promise<void> => {
  const answer = await api.post('/cards', { type: 'ITComponent', name, lifecycle });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
};
await card('none', {});
await card('old', { active: '2019-12-31', endOfLife: '2024-06-30' });
await card('next', { plan: '2020-01-01', active: '2020-01-01', endOfLife: '2027-01-01' });
await card('open', { phaseIn: '0999-01-01', active: '2020-01-02' });

const names = async (query: Record<string, string>): Promise<string> => {
  const { status, body } = await api.get('/cards', { query: { type: 'ITComponent', sort_by: 'name', ...query } });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.items.map(({ name }) => name).join();
};

t.test('a date of a phase is compared, and cards without the date do not match', async (t) => {
  for (const [query, expected] of [
    [{ 'lifecycle.endOfLife[lt]': '2027-01-01' }, 'old'],
    [{ 'lifecycle.endOfLife[lte]': '2027-01-01' }, 'next,old'],
    [{ 'lifecycle.endOfLife[gt]': '2024-06-30' }, 'next'],
    [{ 'lifecycle.endOfLife[gte]': '2024-06-30', 'lifecycle.endOfLife[lt]': '2027-01-01' }, 'old'],
    [{ 'lifecycle.active[gte]': '2020-01-01' }, 'next,open'],
    [{ 'lifecycle.phaseIn[lt]': '1000-01-01' }, 'open'],
    [{ 'lifecycle.phaseOut[gte]': '0001-01-01' }, ''],
    [{ 'lifecycle.endOfLife[empty]': 'true' }, 'none,open'],
    [{ 'lifecycle.endOfLife[empty]': 'false' }, 'next,old'],
    [{ 'lifecycle[empty]': 'true' }, 'none'],
    [{ 'lifecycle[empty]': 'false', 'lifecycle.plan[empty]': 'true' }, 'old,open'],
  ] as const)
    t.equal(await names(query), expected, JSON.stringify(query));
});

t.test('facets and exports have the same filters', async (t) => {
  const query = { 'lifecycle.endOfLife[lt]': '2027-01-01' };
  t.equal((await api.get('/cards/facets', { query })).body.total, 1);
  const { body } = await api.get<string>('/cards/export', { query: { ...query, format: 'ndjson' } });
  t.match(String(body), /"name":"old"/);
  t.notMatch(String(body), /"name":"next"/);
});

t.test('all invalid filters are named', async (t) => {
  const wrong = {
    'lifecycle.endOfLife[lt]': '2027-02-30',
    'lifecycle.active[gt]': 'soon',
    'lifecycle.active[empty]': 'maybe',
    'lifecycle.retired[lt]': '2027-01-01',
    'lifecycle.active[ne]': '2027-01-01',
    'lifecycle[lt]': '2027-01-01',
    'lifecycle.active': '2027-01-01',
    'lifecycle.__proto__[lt]': '2027-01-01',
    'lifecycle[empty]': 'null',
  };
  const { status, body } = await api.get('/cards', { query: wrong });
  t.equal(status, 422);
  t.strictSame(body.errors.map(({ field }) => field).sort(), Object.keys(wrong).sort());
  t.equal((await api.get('/relations', { query: { 'lifecycle.active[lt]': '2027-01-01' } })).status, 422);
});
