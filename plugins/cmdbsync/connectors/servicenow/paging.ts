import { ConnectorError } from '@lintel/sdk';
import { listOf, objectOf } from '../http.js';
import type { Client } from './client.js';
import { isSysId, queryOf, sysIdOf, type Filter } from './query.js';
import { dateTime } from './values.js';

/** What is read of a table. */
export interface Selection {
  table: string;
  filter: Filter;
  /** Conditions of the connector besides the filter. */
  conditions: readonly string[];
  /** Of sysparm_fields; undefined: all. */
  fields: readonly string[] | undefined;
  withDisplayValues: boolean;
  allowHidden: boolean;
  /** Whether the table tells when its records were created. */
  isDated: boolean;
}

/** Where a page begins. */
interface Position {
  /** Id of the last record before; empty at the begin. */
  after: string;
  /** Rows behind it that access rules hide, and that pages without a record have passed. */
  offset: number;
  /** Rows behind it, if they were counted. */
  rest: number | null;
  /** Records that were read before. */
  read: number;
  /** Rows at the begin. */
  total: number | null;
  /** The clock of the instance at the begin, in milliseconds since 1970. */
  start: number | null;
}

/** A page of a table. */
export interface Rows {
  rows: Record<string, unknown>[];
  next: string | undefined;
  total: number | undefined;
  date: number | undefined;
}

/** Rows of a page where the size does not matter. */
const PAGE = 1_000;
const START: Position = { after: '', offset: 0, rest: null, read: 0, total: null, start: null };

type Written = [string, number, number | null, number, number | null, number | null];
const write = ({ after, offset, rest, read, total, start }: Position): string => {
  const written: Written = [after, offset, rest, read, total, start];
  return JSON.stringify(written);
};

function positionOf(cursor: string | undefined): Position {
  if (cursor === undefined) return START;
  const [after, offset, rest, read, total, start] = JSON.parse(cursor) as Written;
  if (after !== '' && !isSysId(after))
    throw new ConnectorError('invalid_answer', 'The position of the page is invalid.');
  return { after, offset, rest, read, total, start };
}

/** Pages of tables in the order of `sys_id`: records that come, go or change during a read move no other one to another page. */
export class Pages {
  constructor(private readonly client: Client) {}

  /**
   * Reads a page. ServiceNow leaves out rows that access rules hide after it has chosen those of the page, so that a page that is not
   * full need not be the last one: then what is left is counted.
   * @param cursor `next` of the page before
   * @throws ConnectorError `forbidden` at the end of a read that had fewer records than rows, unless hidden rows are allowed
   */
  async page(selection: Selection, cursor: string | undefined, limit: number): Promise<Rows> {
    const position = positionOf(cursor);
    const { after, offset } = position;
    const isFirst = cursor === undefined;
    const { result, total, date } = await this.request(selection, after, {
      sysparm_limit: String(limit),
      ...(offset > 0 && { sysparm_offset: String(offset) }),
      // A count takes as long as a query without a limit.
      ...(!isFirst && { sysparm_no_count: 'true' }),
    });
    const rows = listOf(result).map(objectOf);
    if (rows.length > limit)
      throw new ConnectorError('invalid_answer', `ServiceNow answers with more than ${limit} records.`);
    const last = inOrder(rows, after);
    const now = {
      ...position,
      read: position.read + rows.length,
      ...(isFirst && { total: total ?? null, start: date ?? null }),
    };
    const next = await this.nextOf(selection, now, rows.length, last, limit);
    if (next) return { rows, next: write(next), total: now.total ?? undefined, date };
    return { rows, next: undefined, total: await this.totalOf(selection, now), date };
  }

  private async nextOf(
    selection: Selection,
    now: Position,
    found: number,
    last: string | undefined,
    limit: number,
  ): Promise<Position | undefined> {
    if (last !== undefined) {
      const next: Position = { ...now, after: last, offset: 0, rest: null };
      if (found === limit) return next;
      if (now.read === now.total && !selection.allowHidden) return undefined;
      const rest = await this.count(selection, last);
      return rest > 0 ? { ...next, rest } : undefined;
    }
    const rest = now.rest ?? (now.read === 0 && now.total === 0 ? 0 : await this.count(selection, now.after));
    const offset = now.offset + limit;
    return offset < rest ? { ...now, offset, rest } : undefined;
  }

  /** The number of records of a complete read: rows that were removed or created during it are not missing. */
  private async totalOf(selection: Selection, { read, total, start }: Position): Promise<number | undefined> {
    if (total === null || total <= read) return total ?? undefined;
    if (selection.allowHidden) return read;
    const before =
      start === null || !selection.isDated ? [] : [`sys_created_on<=${dateTime(new Date(start).toISOString())}`];
    const conditions = [...selection.conditions, ...before];
    const rows = Math.min(total, await this.count({ ...selection, conditions }, ''));
    if (rows > read)
      throw new ConnectorError(
        'forbidden',
        `ServiceNow counts ${rows} records in ${selection.table} and shows ${read}: access rules hide the others from the account. ` +
          'Let it read them, leave them out by the filter, or allow hidden records in the settings of the connection.',
      );
    return rows;
  }

  private async count(selection: Selection, after: string): Promise<number> {
    const { total } = await this.request({ ...selection, fields: [] }, after, { sysparm_limit: '1' });
    if (total === undefined)
      throw new ConnectorError('invalid_answer', 'ServiceNow does not tell the number of records.');
    return total;
  }

  private async request(selection: Selection, after: string, query: Readonly<Record<string, string>>) {
    const { table, filter, conditions, fields, withDisplayValues } = selection;
    return await this.client.request(table, {
      sysparm_query: queryOf(filter, [...conditions, ...(after === '' ? [] : [`sys_id>${after}`])]),
      ...(fields && { sysparm_fields: ['sys_id', ...fields].join(',') }),
      sysparm_display_value: withDisplayValues ? 'all' : 'false',
      sysparm_exclude_reference_link: 'true',
      ...query,
    });
  }

  /** All rows that are selected. @param most rows at most, roughly */
  async all(selection: Selection, most: number): Promise<Record<string, unknown>[]> {
    const rows: Record<string, unknown>[] = [];
    let cursor: string | undefined;
    do {
      const page = await this.page(selection, cursor, PAGE);
      rows.push(...page.rows);
      cursor = page.next;
    } while (cursor !== undefined && rows.length < most);
    return rows;
  }
}

const HEX = /^[0-9a-f]{32}$/;

/**
 * Checks that a page has each record once, behind those of the pages before.
 * @returns the last id
 */
function inOrder(rows: readonly Record<string, unknown>[], after: string): string | undefined {
  let last = after;
  const seen = new Set([after]);
  for (const row of rows) {
    const value = row['sys_id'];
    const id = sysIdOf(typeof value === 'object' && value !== null ? (value as { value?: unknown }).value : value);
    // Other ids are sorted as the database of the instance does.
    if (seen.has(id) || (HEX.test(id) && HEX.test(last) && id < last))
      throw new ConnectorError('invalid_answer', 'ServiceNow does not sort the records by sys_id.');
    seen.add(id);
    last = id;
  }
  return rows.length === 0 ? undefined : last;
}
