/** Workbooks with as many rows as a sheet can have: a million, which take several seconds. */
import { buffer } from 'node:stream/consumers';
import t from 'tap';
import { XLSX_MAX_ROWS, xlsx, type XlsxColumn, type XlsxSheet } from '../../core/foundation/xlsx/index.js';

const COLUMNS: XlsxColumn[] = [{ header: 'n', kind: 'number' }];
const sheet = (rows: XlsxSheet['rows']): XlsxSheet => ({ name: 'Sheet', columns: COLUMNS, rows });

function* many(rows: number): Generator<number[]> {
  for (let i = 0; i < rows; i++) yield [i];
}

t.test('as many rows as a sheet can have, and no more', async (t) => {
  let bytes = 0;
  for await (const chunk of xlsx([sheet(many(XLSX_MAX_ROWS))])) bytes += (chunk as Buffer).length;
  t.ok(bytes > 1_000_000);
  await t.rejects(buffer(xlsx([sheet(many(XLSX_MAX_ROWS + 1))])), RangeError);
});
