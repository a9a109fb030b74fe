import t from 'tap';
import { currencyDigits } from '../../core/foundation/currency.js';
import { registerAdmin, testApp, type AnyBody } from '../support/app.js';
import { staged } from '../support/imports.js';

const { origin, close } = await testApp();
t.teardown(close);
const { api } = await registerAdmin(origin);

const create = async (amount: number, more: object = {}): Promise<{ status: number; body: AnyBody }> =>
  api.post('/cards', {
    type: 'Application',
    name: `Costs ${amount} ${Math.random()}`,
    attributes: { costTotalAnnual: amount },
    ...more,
  });
const use = async (currency: string): Promise<void> => {
  t.equal((await api.patch('/settings', { currency })).status, 200, currency);
};

t.test('digits of ISO 4217', async (t) => {
  const digits = { EUR: 2, USD: 2, JPY: 0, KRW: 0, ISK: 0, HUF: 2, KWD: 3, TND: 3, IQD: 3, CLF: 4, MGA: 2 };
  for (const [currency, expected] of Object.entries(digits)) t.equal(currencyDigits(currency), expected, currency);
});

t.test('costs have at most the digits of the currency of the workspace', async (t) => {
  const cases: [currency: string, taken: number[], refused: number[]][] = [
    ['EUR', [0, 12, 12.5, 12.34, 0.01, 1e13 + 0.25], [12.345, 0.001, 1e-7, 12.000000001]],
    ['JPY', [0, 12, 500], [12.5, 0.01]],
    ['KWD', [12.345, 12.34, 7], [12.3456]],
  ];
  for (const [currency, taken, refused] of cases) {
    await use(currency);
    for (const amount of taken) {
      const { status, body } = await create(amount);
      t.equal(status, 201, `${currency} ${amount}`);
      t.equal((body['attributes'] as AnyBody)['costTotalAnnual'], amount);
    }
    const digits = currencyDigits(currency);
    for (const amount of refused)
      t.match(
        await create(amount),
        {
          status: 422,
          body: {
            errors: [
              { field: '/attributes/costTotalAnnual', reason: `must have at most ${digits} digits after the point` },
            ],
          },
        },
        `${currency} ${amount}`,
      );
  }
});

t.test('the rule is that of changes, bulk requests, imports and relations too', async (t) => {
  await use('EUR');
  const { body: card } = await create(1.25);
  await use('JPY');
  t.match(await api.patch(`/cards/${card.id}`, { description: 'Other' }), { status: 200 }, 'stored amounts stay');
  t.match(await api.patch(`/cards/${card.id}`, { attributes: { costTotalAnnual: 1.5 } }), { status: 422 });
  t.match(await api.patch(`/cards/${card.id}`, { attributes: { costTotalAnnual: 2, numberOfUsers: 3 } }), {
    status: 200,
  });
  t.match(
    await api.post('/cards/bulk', {
      operations: [{ op: 'update', id: card.id, card: { attributes: { costTotalAnnual: 0.5 } } }],
    }),
    { body: { results: [{ errors: [{ reason: 'must have at most 0 digits after the point' }] }] } },
  );
  const target = (await api.post('/cards', { type: 'ITComponent', name: 'Server' })).body;
  const relation = (amount: number) =>
    api.post('/relations', {
      type: 'applicationToITComponent',
      source_id: card.id,
      target_id: target.id,
      attributes: { costTotalAnnual: amount },
    });
  t.match(await relation(0.5), { status: 422, body: { errors: [{ field: '/attributes/costTotalAnnual' }] } });
  t.match(await relation(5), { status: 201 });
  const { id } = await staged(api, 'csv', 'type,name,costTotalAnnual\nApplication,Imported,3.5\nApplication,Whole,3\n');
  const rows = (await api.get(`/imports/${id}/rows`)).body.items;
  t.match(rows, [
    { verdict: 'invalid', errors: [{ reason: 'must have at most 0 digits after the point' }] },
    { verdict: 'create' },
  ]);
});
