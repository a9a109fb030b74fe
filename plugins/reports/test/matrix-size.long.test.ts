/** The cells of a matrix are bounded: 200 rows and 200 columns would be 40,000, each with a link. */
import t from 'tap';
import { expectStatus, registerAdmin, testApp } from '../../../test/support/app.js';

const { origin, close } = await testApp();
t.teardown(close);
const { api } = await registerAdmin(origin);

const SIDE = 150;
const made = async (type: string): Promise<string[]> =>
  expectStatus(
    await api.post<{ results: { id: string }[] }>('/cards/bulk', {
      operations: Array.from({ length: SIDE }, (_, i) => ({ op: 'create', card: { type, name: `${type} ${i}` } })),
    }),
    200,
    type,
  ).body.results.map(({ id }) => id);

await t.test('a matrix has at most 20,000 cells, and values of cells', async (t) => {
  const [rows, columns] = [await made('Application'), await made('BusinessCapability')];
  const type = 'applicationToBusinessCapability';
  for (let i = 0; i < SIDE; i += 50) {
    const relation = { op: 'create', type, attributes: { supportType: 'leading' } };
    const operations = rows
      .slice(i, i + 50)
      .flatMap((source_id) => columns.map((target_id) => ({ ...relation, source_id, target_id })));
    expectStatus(await api.post('/relations/bulk', { operations }), 200, 'relations');
  }
  interface Matrix {
    rows: unknown[];
    cells: { values?: unknown[] }[];
    total: number;
    truncated: boolean;
  }
  const query = { row_type: 'Application', col_type: 'BusinessCapability', relation_type: type };
  for (const measure of ['count', 'supportType']) {
    const { body } = await api.get<Matrix>('/reports/matrix', { query: { ...query, measure } });
    t.match({ ...body, rows: body.rows.length }, { rows: SIDE, total: SIDE * SIDE, truncated: true });
    t.equal(body.cells.length, 20_000);
    t.ok(body.cells.flatMap(({ values = [] }) => values).length <= 20_000);
  }
});
