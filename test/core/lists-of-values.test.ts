/** Lists in query parameters: a value may contain the comma that separates values. */
import t from 'tap';
import { listedValue, splitValues } from '@lintel/sdk';
import { registerAdmin, testApp, type AnyBody } from '../support/app.js';

t.test('a list of listed values has these values', async (t) => {
  const values = ['a', 'a,b', '\\', 'C:\\x', ',', '\\,', '', '😀,', 'Smith, Jones & Co.'];
  t.same(splitValues(values.map(listedValue).join(',')), values);
  for (const value of values) t.same(splitValues(listedValue(value)), [value]);
  t.same(splitValues('a,b\\c'), ['a', 'b\\c'], 'other backslashes stand for themselves');
});

t.test('filters, and the links of reports', async (t) => {
  const { origin, close } = await testApp();
  t.teardown(close);
  const { api } = await registerAdmin(origin);
  const products = ['Smith, Jones & Co.', 'Smith', 'A\\B', 'Other'];
  for (const [n, productName] of products.entries())
    await api.post('/cards', {
      type: 'Application',
      name: productName,
      external_id: `key,${n}`,
      attributes: { productName },
    });
  const named = async (query: Record<string, string>): Promise<string[]> =>
    (await api.get<{ items: AnyBody[] }>('/cards', { query: { sort_by: 'name', ...query } })).body.items.map(
      ({ name }) => name,
    );
  t.same(await named({ 'attributes.productName': 'Smith\\, Jones & Co.' }), ['Smith, Jones & Co.']);
  t.same(await named({ 'attributes.productName': 'Smith\\, Jones & Co.,Other' }), ['Other', 'Smith, Jones & Co.']);
  t.same(await named({ 'attributes.productName[ne]': 'Smith\\, Jones & Co.' }), ['A\\B', 'Other', 'Smith']);
  t.same(await named({ 'attributes.productName': 'A\\B' }), ['A\\B']);
  t.same(await named({ external_id: 'key\\,0,key\\,3' }), ['Other', 'Smith, Jones & Co.']);
  const { body } = await api.get<{ total: number; href: string }>('/reports/portfolio', {
    query: { type: 'Application', 'attributes.productName': 'Smith\\, Jones & Co.', x: 'timeModel', y: 'hostingType' },
  });
  t.equal(body.total, 1, JSON.stringify(body));
  t.equal((await api.get<AnyBody>(body.href.replace('/api/v1', ''))).body['total'], 1, body.href);
});
