/** How the values of a column are stored and shown. */
export type XlsxKind = 'text' | 'number' | 'date' | 'boolean' | 'link';

/** A text that opens an address. */
export interface XlsxLink {
  text: string;
  /** An absolute URL with the scheme http, https or mailto; with any other one, only the text is written. */
  url: string;
}

/**
 * A value of a cell. By the kind of its column:
 * - `number`: a number, or its decimal digits as text
 * - `date`: a day (`YYYY-MM-DD`), or a time as `Date` or RFC 3339, which is shown in UTC
 * - `boolean`: a boolean, or `true` or `false` as text
 * - `link`: a link, or a URL as text
 *
 * A value that does not fit is written as text; null, undefined and empty text leave the cell empty.
 */
export type XlsxValue = string | number | boolean | Date | XlsxLink | null | undefined;

export interface XlsxColumn {
  header: string;
  kind: XlsxKind;
  /** In characters, 1 to 255; by kind and header where absent. */
  width?: number;
}

export interface XlsxSheet {
  /** Characters that spreadsheets do not accept are replaced, and a number is added where another sheet has the name. */
  name: string;
  /** At least one, at most `XLSX_MAX_COLUMNS`. */
  columns: readonly XlsxColumn[];
  /** Values in the order of the columns, at most `XLSX_MAX_ROWS` rows; read only as fast as the file is read. */
  rows: Iterable<readonly XlsxValue[]> | AsyncIterable<readonly XlsxValue[]>;
}

/** Maximum number of rows of a sheet below its header. */
export const XLSX_MAX_ROWS = 1_048_575;
/** Maximum number of columns of a sheet. */
export const XLSX_MAX_COLUMNS = 16_384;
/** Media type of the file. */
export const XLSX_MEDIA = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
