import { parse } from 'csv-parse';
import { pipeline, type Readable } from 'node:stream';
import { xlsx, type XlsxColumn } from '../../foundation/xlsx/index.js';

/**
 * A workbook with one sheet of cards.
 * @param columns in the order of the cells
 * @param rows lines of CSV without a header, which end with LF
 * @returns a stream that reads the rows as fast as it is read, and ends their reading when it is destroyed
 */
export function cardWorkbook(columns: readonly XlsxColumn[], rows: Readable): Readable {
  const cells = parse({ record_delimiter: '\n' });
  // The workbook fails with the error of the rows, which the iteration over the cells throws.
  pipeline(rows, cells, () => undefined);
  const file = xlsx([{ name: 'Cards', columns, rows: cells as AsyncIterable<string[]> }]);
  // A workbook that is never read does not begin to read the cells.
  return file.once('close', () => rows.destroy());
}
