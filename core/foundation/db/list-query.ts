import { LRUCache } from 'lru-cache';
import { digest } from '../digest.js';
import { problem } from '../errors.js';
import { isUuid } from '../ids.js';
import type { Statement } from './database.js';

/** Collects the bound values of a statement while its text is built. */
export class Bindings {
  readonly values: unknown[] = [];
  /** @returns the placeholder of the value, `$n` */
  add(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

/** A sort a resource documents: SQL over the listed table, and the type its cursor value is cast to. */
export interface Sort {
  sql: string;
  type: 'text' | 'timestamptz' | 'integer' | 'numeric' | 'bigint' | 'date' | 'uuid' | 'boolean';
  nullable?: boolean;
  /** Collation of a text sort whose column does not define one. */
  collate?: string;
  /** A rank computed for one result: best match first; a cursor contains a page number. */
  ranked?: boolean;
}

/** One page of a list, as returned to the client. */
export interface Page<T> {
  items: T[];
  /** Null if the hits were not counted. */
  total: number | null;
  total_relation: 'eq' | 'gte' | 'none';
  page: number;
  page_size: number;
  next_cursor: string | null;
}

export interface ListParams {
  page?: number | undefined;
  page_size?: number | undefined;
  cursor?: string | undefined;
  sort_by?: string | undefined;
  sort_dir?: 'asc' | 'desc' | undefined;
  /** `none`: the hits are not counted. Lists may have further values. */
  total?: string | undefined;
}

/** Whether the request has `total=none`. */
export const isUncounted = ({ total }: Pick<ListParams, 'total'>): boolean => total === 'none';

/** The members of a page that state the number of hits. @param total undefined if they were not counted */
export const exactTotal = (total: number | undefined): Pick<Page<never>, 'total' | 'total_relation'> =>
  total === undefined ? { total: null, total_relation: 'none' } : { total, total_relation: 'eq' };

export interface ListSpec {
  /** Table with its alias, as in FROM. */
  table: string;
  /** Unique column that breaks ties in the sort order. */
  id: string;
  idType?: Sort['type'];
  sorts: Record<string, Sort>;
  defaultSort: string;
  defaultDir?: 'asc' | 'desc';
}

export interface ListQuery {
  page: number;
  page_size: number;
  /** Selects id, sort value and rank of the requested rows, plus one row that shows whether there is a next page. */
  keys: string;
  /** The parts of `keys`, for a list that builds its own statement. */
  conditions: string[];
  /** The sort value, in the form in which it is compared. */
  value: string;
  /** As in ORDER BY. */
  order: string;
  /** The reverse order. */
  reversed: string;
  limit: string;
  /** Number of rows skipped. */
  offset: number;
  /** The placeholder bound to the same number. */
  offsetBound: string;
  /** Whether the conditions include a cursor. */
  keyed: boolean;
  /** The cursor's position as bound placeholders: sort value, which may be absent, and id. */
  after: { value: string | undefined; id: string } | undefined;
  dir: 'asc' | 'desc';
  /** Creates `next_cursor` from the last row's sort value and id. */
  nextCursor(value: unknown, id: unknown): string;
}

const INTEGER = /^-?\d{1,18}$/;
const DAY = /^\d{4,6}-\d\d-\d\d$/;
const TIME = /^\d{4,6}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01]) ([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,6})?\+00$/;

/**
 * Whether a text is a value of the type in PostgreSQL's output format. Cursors come from clients, so their content is
 * validated.
 */
const PRINTED: Record<Sort['type'], (text: string) => boolean> = {
  text: () => true,
  uuid: isUuid,
  integer: (text) => INTEGER.test(text) && Math.abs(Number(text)) < 2 ** 31,
  bigint: (text) => INTEGER.test(text),
  numeric: (text) => /^-?\d{1,400}(\.\d{1,400})?$/.test(text),
  boolean: (text) => text === 'true' || text === 'false',
  date: (text) => DAY.test(text) && !text.startsWith('0000'),
  timestamptz: (text) => TIME.test(text) && !text.startsWith('0000'),
};

interface Cursor {
  v: string | null;
  i: string;
  p: number;
  h: string;
}

function readCursor(text: string, hash: string, type: Sort['type'], idType: Sort['type']): Cursor {
  try {
    const c = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as Cursor;
    const sound =
      (typeof c.v === 'string' || c.v === null) &&
      typeof c.i === 'string' &&
      Number.isSafeInteger(c.p) &&
      c.p > 1 &&
      c.h === hash;
    if (
      sound &&
      PRINTED[idType](c.i) &&
      (c.v === null || PRINTED[type](c.v)) &&
      !c.i.includes('\0') &&
      !c.v?.includes('\0')
    )
      return c;
  } catch {
    /* The response is the same for every kind of invalid cursor. */
  }
  throw problem('invalid_cursor', {
    errors: [{ field: 'cursor', reason: 'is damaged or belongs to another query', in: 'query' }],
  });
}

/**
 * Builds the query of a list: a deferred join (only keys are sorted), with keyset paging if a cursor is given, else by
 * page number.
 * @param where conditions already bound in `bindings`, joined by AND
 * @param scope identifies the list and all its filters: a cursor of another scope is rejected
 */
export function listQuery(
  spec: ListSpec,
  params: ListParams,
  where: string[],
  bindings: Bindings,
  scope: string,
): ListQuery {
  const sortBy = params.sort_by ?? spec.defaultSort;
  const sort = spec.sorts[sortBy]!;
  const dir = params.sort_dir ?? (sort.ranked ? 'desc' : params.sort_by ? 'asc' : (spec.defaultDir ?? 'asc'));
  const size = params.page_size ?? 50;
  const hash = digest(JSON.stringify([spec.table, scope, sortBy, dir])).slice(0, 10);
  const value = sort.collate ? `${sort.sql} collate ${sort.collate}` : sort.sql;
  const op = dir === 'asc' ? '>' : '<';
  const conditions = [...where];
  let page = params.page ?? 1;
  let keyset = false;
  let after: ListQuery['after'];
  if (params.cursor !== undefined) {
    const cursor = readCursor(params.cursor, hash, sort.type, spec.idType ?? 'uuid');
    page = cursor.p;
    keyset = !sort.ranked;
    if (keyset) {
      const id = `${bindings.add(cursor.i)}::${spec.idType ?? 'uuid'}`;
      const v = cursor.v === null ? undefined : `${bindings.add(cursor.v)}::${sort.type}`;
      after = { value: v, id };
      if (v === undefined) conditions.push(`${value} is null and ${spec.id} ${op} ${id}`);
      else {
        const behind = `(${value}, ${spec.id}) ${op} (${v}, ${id})`;
        conditions.push(sort.nullable ? `(${behind} or ${value} is null)` : behind);
      }
    }
  }
  const offset = keyset ? 0 : Math.min((page - 1) * size, Number.MAX_SAFE_INTEGER);
  // Empty values sort last in both directions.
  const order = `${value} ${dir}${sort.nullable ? ' nulls last' : ''}, ${spec.id} ${dir}`;
  const back = dir === 'asc' ? 'desc' : 'asc';
  const reversed = `${value} ${back}${sort.nullable ? ' nulls first' : ''}, ${spec.id} ${back}`;
  // The limit is validated and part of the text: with a bound limit the planner must guess it, and plans anew each
  // time.
  const offsetBound = offset > 0 ? `${bindings.add(offset)}::bigint` : '0';
  const limit = `limit ${size + 1}${offset > 0 ? ` offset ${offsetBound}` : ''}`;
  return {
    page,
    page_size: size,
    conditions,
    value,
    order,
    reversed,
    limit,
    offset,
    offsetBound,
    keyed: keyset,
    after,
    dir,
    keys: `select ${spec.id} as id, (${value})::text as sort_value, row_number() over (order by ${order}) as place
      from (select * from ${spec.table} ${conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''} order by ${order} ${limit}) ${spec.table.split(' ').at(-1)!}`,
    nextCursor: (v, i) =>
      Buffer.from(
        JSON.stringify({ v: v === null ? null : String(v), i: String(i), p: page + 1, h: hash } satisfies Cursor),
      ).toString('base64url'),
  };
}

/** Named statements, by text. */
const NAMED = new Map<string, Statement>();
/** Maximum number of named statements: each connection keeps the statements that it has prepared until it is closed. */
const MOST_NAMED = 2_000;
/** SQL texts seen once recently: a statement that is rare is not prepared. */
const SEEN = new LRUCache<string, true>({ max: 500 });

/**
 * Derives a name from the text, so that each connection prepares the statement once; a text gets a name when it is used
 * the second time.
 */
export function named(text: string): Statement {
  const known = NAMED.get(text);
  if (known) return known;
  if (NAMED.size >= MOST_NAMED) return { name: undefined, text };
  if (!SEEN.delete(text)) {
    SEEN.set(text, true);
    return { name: undefined, text };
  }
  const statement = { name: digest(text), text };
  NAMED.set(text, statement);
  return statement;
}
