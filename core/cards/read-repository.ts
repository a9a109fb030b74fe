import type { RequestContext } from '@lintel/sdk';
import { RAW_TEXT, type Database } from '../db/database.js';
import { Bindings, listQuery, named, type ListParams, type ListSpec } from '../db/list-query.js';
import type { PageText } from '../http/respond.js';
import type { Metamodel } from '../metamodel/index.js';
import { compileFilters, type CardFilters } from './filters.js';
import { cardJson, VIEW_COLUMNS, VIEW_WIDTH, type CardJson, type SeesCosts } from './view.js';

/** The sorts a card list documents. */
export const CARD_LIST: ListSpec = {
  table: 'cards c',
  id: 'c.id',
  sorts: {
    name: { sql: 'c.name_key', type: 'text' },
    type: { sql: 'c.type', type: 'text', collate: '"C"' },
    subtype: { sql: 'c.subtype', type: 'text', collate: '"C"', nullable: true },
    status: { sql: 'c.status', type: 'text', collate: '"C"' },
    approval_status: { sql: 'c.approval_status', type: 'text', collate: '"C"' },
    data_quality: { sql: 'c.data_quality', type: 'numeric' },
    created_at: { sql: 'c.created_at', type: 'timestamptz' },
    updated_at: { sql: 'c.updated_at', type: 'timestamptz' },
  },
  defaultSort: 'name',
};

export type CardListQuery = ListParams & CardFilters;

/** What a reader is: whose stakeholder roles count and what costs are open. */
export interface Reader {
  ctx: RequestContext;
  metamodel: Metamodel;
  seesCosts: SeesCosts;
  /** UTC day, YYYY-MM-DD. */
  today: string;
}

function scopeOf(query: CardListQuery): string {
  const { page: _page, page_size: _size, cursor: _cursor, sort_by: _by, sort_dir: _dir, ...filters } = query;
  return JSON.stringify(Object.entries(filters).sort());
}

/** One page: total, keys and full rows in one statement, so that all are of one snapshot. */
export async function listCards(db: Database, query: CardListQuery, reader: Reader): Promise<PageText> {
  const bindings = new Bindings();
  const { where, counted } = compileFilters(query, bindings, reader.metamodel, reader.ctx.actor?.id);
  const total = counted
    ? `select coalesce(sum(n), 0)::bigint as total from card_counts where ${counted.join(' and ')}`
    : `select count(*) as total from cards c where ${where.join(' and ')}`;
  const keys = listQuery(CARD_LIST, query, where, bindings, scopeOf(query));
  const text = `with total as materialized (${total}), keys as materialized (${keys.keys})
    select ${VIEW_COLUMNS}, total.total, keys.sort_value
    from total left join keys on true left join cards c on c.id = keys.id order by keys.place`;
  const rows = await db.rows(named(text), bindings.values);
  const found = rows.filter((r) => r[0] !== null);
  const shown = found.slice(0, keys.page_size);
  const last = shown.at(-1);
  return {
    items: shown.map((row) => cardJson(row, reader.metamodel, reader.seesCosts, reader.today).json),
    total: Number(rows[0]![VIEW_WIDTH]),
    total_relation: 'eq',
    page: keys.page,
    page_size: keys.page_size,
    next_cursor: last && found.length > shown.length ? keys.nextCursor(last[VIEW_WIDTH + 1], last[0]) : null,
  };
}

const GET = { name: 'card-get', text: `select ${VIEW_COLUMNS} from cards c where c.id = $1` };

/** Reads one card, from the pool or, to see what is not committed yet, in a unit of work. */
export async function getCard(db: Pick<Database, 'rows'>, id: string, reader: Reader): Promise<CardJson | undefined> {
  const [row] = await db.rows(GET, [id]);
  return row && cardJson(row, reader.metamodel, reader.seesCosts, reader.today);
}

/** Rows of one fetch: what is in memory at a time. */
const FETCH = 500;

/** Every card of the filters as JSON lines, of one snapshot, read on only as fast as the reader takes it. */
export async function* exportCards(db: Database, query: CardFilters, reader: Reader): AsyncGenerator<string> {
  const bindings = new Bindings();
  const { where } = compileFilters(query, bindings, reader.metamodel, reader.ctx.actor?.id);
  const client = await db.pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin read only');
    await client.query(`declare export no scroll cursor for select ${VIEW_COLUMNS} from cards c where ${where.join(' and ')} order by c.id`, bindings.values);
    for (;;) {
      const { rows } = await client.query({ text: `fetch ${FETCH} from export`, rowMode: 'array', types: RAW_TEXT as never });
      if (rows.length === 0) break;
      yield (rows as (string | null)[][]).map((row) => `${cardJson(row, reader.metamodel, reader.seesCosts, reader.today).json}\n`).join('');
    }
    await client.query('commit');
  } catch (error) {
    broken = error as Error;
    throw error;
  } finally {
    // Abandoned in the middle: the transaction is open still.
    if (!broken) await client.query('rollback').catch((e: Error) => { broken = e; });
    client.release(broken);
  }
}
