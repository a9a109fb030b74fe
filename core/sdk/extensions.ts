import type { TSchema } from 'typebox';
import type { RequestContext } from './context.js';

/** A section that a module adds to a card: `GET /cards/{id}/sections` returns all of them. */
export interface CardSection<S> {
  /** Unique within the module. */
  key: string;
  title: string;
  /** The permission to see it: the application permission, or `cardPermission` by a stakeholder role on the card. */
  permission: string;
  cardPermission?: string;
  /** Card types that have it; default: all. */
  types?: readonly string[];
  /** Schema of the result of `load`, as JSON: a value that does not match, or is longer than 1 MiB, is shown as unavailable. */
  schema: TSchema;
  /** The timeout is two seconds. @returns the content of the section; undefined if it has none for the card */
  load(services: S, ctx: RequestContext, cardId: string): Promise<unknown>;
}

/** A column a module adds to every export of cards, named `<module>.<key>`. */
export interface ExportColumn {
  key: string;
  title: string;
  /** The permission to get the column. */
  permission: string;
  /**
   * SQL of a scalar over one card, such as `(select count(*) from costs_items i where i.card_id = <card>)`.
   * It is checked when the module is enabled, without a row; SQL that fails for a row aborts the export.
   * @param card SQL of the card's id
   */
  sql(card: string): string;
  /** The type of the result; `text` accepts every type. */
  type: 'text' | 'number' | 'boolean' | 'date' | 'timestamp';
}

/** A row of an import format, with the members of a row of an NDJSON import. */
export interface ImportRow {
  /** Position in the file, such as a line or an element id; `12` and `line 12` are also shown as the line. */
  place: string;
  kind: 'card' | 'relation';
  /** A card as in a line of an NDJSON import, or the value of `relation` of such a line; up to 1 MiB of JSON. */
  data: Record<string, unknown>;
  /** Errors of the row; such a row fails and the others do not. */
  errors?: { field: string; reason: string }[];
}

/** A file format that a module adds to `POST /imports`. */
export interface ImportFormat<S> {
  /** Value of `format`: the module's id, or begins with it and `_`. */
  id: string;
  title: string;
  /** With the dot, lower case. */
  extensions: readonly string[];
  contentTypes: readonly string[];
  /**
   * Reads the file as a stream: up to 100 MiB, a million rows, 15 minutes, and at most a minute without
   * reading a chunk of the file or yielding a row.
   * @throws a Problem if the file is not of the format: its detail and errors become those of the import
   */
  parse(services: S, file: AsyncIterable<Buffer>): AsyncIterable<ImportRow>;
}
