/** Workbooks with as many rows and links as a sheet can have, which take several seconds. */
import { buffer } from 'node:stream/consumers';
import t from 'tap';
import { XLSX_MAX_ROWS, xlsx, type XlsxColumn, type XlsxSheet } from '../../core/foundation/xlsx/index.js';
import { readXlsx } from '../support/xlsx.js';

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

t.test('as many links as a sheet can have; the next one is a text', async (t) => {
  const links = Array.from({ length: 65_531 }, (_, i) => [`https://example.org/${i}`]);
  const columns: XlsxColumn[] = [{ header: 'link', kind: 'link' }];
  const { sheets } = readXlsx(await buffer(xlsx([{ name: 'Sheet', columns, rows: links }])));
  t.equal(sheets[0]!.links.size, 65_530);
  t.equal(sheets[0]!.rows.at(-1)![0], 'https://example.org/65530');
});
