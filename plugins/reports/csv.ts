import type { ReportCell, ReportTable } from '@lintel/sdk';

/** A spreadsheet would run such a text as a formula (CWE-1236); an apostrophe before it makes it plain text. */
const FORMULA = /^'*[=+@\t\r\n＝＋－＠-]/;
const QUOTED = /[",\r\n]/;

function cell(value: ReportCell): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A table as CSV by RFC 4180, in UTF-8. */
export const csv = ({ columns, rows }: ReportTable): Buffer =>
  Buffer.from([columns.map(({ title }) => title), ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join(''));
