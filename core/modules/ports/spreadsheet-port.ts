import { guardedCell, type ReportCell, type ReportTable, type SpreadsheetPort } from '@lintel/sdk';
import { buffer } from 'node:stream/consumers';
import { xlsx } from '../../foundation/xlsx/index.js';

const QUOTED = /[",\r\n]/;

function csvCell(value: ReportCell): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const text = guardedCell(value);
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Files of spreadsheets for modules. */
export const spreadsheetPort: SpreadsheetPort = {
  csv: ({ columns, rows }: ReportTable) =>
    Buffer.from(
      [columns.map(({ title }) => title), ...rows].map((row) => `${row.map(csvCell).join(',')}\r\n`).join(''),
    ),
  async xlsx(tables) {
    return await buffer(
      xlsx(
        tables.map(({ name, columns, rows }) => ({
          name,
          columns: columns.map(({ title, kind }) => ({ header: title, kind })),
          rows,
        })),
      ),
    );
  },
};
