import type { TSchema } from 'typebox';
import type { RequestContext } from './context.js';

/** A part a module adds to a card: `GET /cards/{id}/sections` answers with all of them. */
export interface CardSection<S> {
  /** Unique within the module. */
  key: string;
  title: string;
  /** Who sees it: the application permission, or `cardPermission` by a stakeholder role on the card. */
  permission: string;
  cardPermission?: string;
  /** Card types it is of; all when absent. */
  types?: readonly string[];
  /** Of what `load` gives, as JSON: what is otherwise is shown as unavailable, as is what is longer than 1 MiB. */
  schema: TSchema;
  /** Has two seconds. @returns what the section holds; undefined where it has nothing to say of the card */
  load(services: S, ctx: RequestContext, cardId: string): Promise<unknown>;
}

/** A column a module adds to every export of cards, named `<module>.<key>`. */
export interface ExportColumn {
  key: string;
  title: string;
  /** Who gets the column. */
  permission: string;
  /**
   * SQL of a scalar over one card, such as `(select count(*) from costs_items i where i.card_id = <card>)`.
   * It is checked when the module is switched on, without a row; SQL that fails at a row breaks the export off.
   * @param card SQL of the card's id
   */
  sql(card: string): string;
  /** What the SQL gives; text may be anything. */
  type: 'text' | 'number' | 'boolean' | 'date' | 'timestamp';
}

/** What an import format yields: the same members a row of an NDJSON import has. */
export interface ImportRow {
  /** Line, element id or whatever helps the reader to find it in the file; `12` and `line 12` are shown as the line too. */
  place: string;
  kind: 'card' | 'relation';
  /** A card as a line of an NDJSON import has it, or what such a line has under `relation`; up to 1 MiB of JSON. */
  data: Record<string, unknown>;
  /** What is wrong with the row itself; such a row fails and the others do not. */
  errors?: { field: string; reason: string }[];
}

/** A file format a module teaches `POST /imports`. */
export interface ImportFormat<S> {
  /** Value of `format`: the module's id, or begins with it and `_`. */
  id: string;
  title: string;
  /** With the dot, lower case. */
  extensions: readonly string[];
  contentTypes: readonly string[];
  /**
   * Reads the file, never whole in memory: up to 100 MiB, a million rows, 15 minutes, and no minute in which it neither
   * takes a piece of the file nor gives a row.
   * @throws a Problem for a file that is not of the format: its detail and errors become those of the import
   */
  parse(services: S, file: AsyncIterable<Buffer>): AsyncIterable<ImportRow>;
}
