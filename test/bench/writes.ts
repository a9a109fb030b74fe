import pg from 'pg';
import type { Sample } from './load.js';

/** What PostgreSQL did between two readings. */
export interface Written {
  walBytes: number;
  /** Statements of all sessions of the database, those of background work included. */
  statements: number;
  /** What the log says in detail; undefined if a checkpoint has removed the log of that time. */
  details: WrittenDetails | undefined;
}

interface WrittenDetails {
  /** Bytes of the log that are whole pages, each written at its first change after a checkpoint. */
  pages: number;
  /** Updates of rows of cards and relations, and how many of them were heap-only. */
  updates: number;
  hot: number;
}

/** What one kind of write costs; the members are the columns of the table and the names in the JSON file. */
export interface WriteFigures {
  /** Does not change between versions, so that their files can be compared. */
  name: string;
  per: 'request' | 'row';
  per_second: number;
  /** CPU of the service and of all processes of PostgreSQL; null where the system does not report it. */
  node_ms: number | null;
  postgres_ms: number | null;
  wal_bytes: number;
  /** The part of `wal_bytes` that is whole pages. */
  wal_page_bytes: number | null;
  statements: number;
  /** Share of the updates of rows of cards and relations that wrote to no index; null without such updates. */
  hot_share: number | null;
}

/** Space on disk after the fill, with indexes and TOAST tables. */
export interface DiskFigures {
  cards: number;
  /** Those of `CARD_TABLES` that there are. */
  card_tables_bytes: number;
  card_tables_bytes_per_card: number;
  database_bytes: number;
  database_bytes_per_card: number;
}

/** Tables whose rows exist once or more for each card. A version of the schema may lack some. */
const CARD_TABLES = ['cards', 'card_contents', 'card_versions', 'card_deletions'];
/** Tables with one row for each card or relation, which a change updates. */
const UPDATED_TABLES = ['cards', 'card_contents', 'relations'];

interface Reading {
  lsn: string;
  statements: number;
}

// The log up to the last flush has all confirmed writes, and it can be read.
const READ = `select pg_current_wal_flush_lsn()::text as lsn, (select coalesce(sum(calls), 0)::float8 from pg_stat_statements s join pg_database d on d.oid = s.dbid
    where d.datname = current_database() and s.query not like '%pg_stat_statements%') as statements`;
const BYTES = `select pg_wal_lsn_diff($2, $1)::float8 as n`;
// Block 0 of the record of an update is that of the new row.
const DETAILS = `select coalesce(sum(block_fpi_length), 0)::float8 as pages, (count(*) filter (where updated))::int as updates,
    (count(*) filter (where updated and record_type like 'HOT%'))::int as hot
  from (select *, resource_manager = 'Heap' and record_type in ('UPDATE', 'UPDATE+INIT', 'HOT_UPDATE', 'HOT_UPDATE+INIT') and block_id = 0
    and reldatabase = (select oid from pg_database where datname = current_database())
    and relfilenode in (select pg_relation_filenode(to_regclass(t)) from unnest($3::text[]) t) as updated from pg_get_wal_block_info($1, $2, false)) b`;

/**
 * Measures what writes cost in PostgreSQL. Updates are counted in the write-ahead log, because sessions add theirs to
 * `pg_stat_user_tables` once a second, and idle ones after ten: most measurements are shorter.
 */
export class WriteMeter {
  /** @param client a connection that is used for nothing else */
  constructor(private readonly client: pg.Client) {}

  /** Creates the extensions it needs; `pg_stat_statements` must be preloaded. */
  async prepare(): Promise<void> {
    await this.client.query('create extension pg_stat_statements; create extension pg_walinspect');
  }

  /** Starts to measure. @returns a function that ends it */
  async start(): Promise<() => Promise<Written>> {
    const before = await this.read();
    return async () => {
      const after = await this.read();
      const { rows } = await this.client.query<{ n: number }>(BYTES, [before.lsn, after.lsn]);
      return {
        walBytes: rows[0]!.n,
        statements: after.statements - before.statements,
        details: await this.details(before.lsn, after.lsn),
      };
    };
  }

  /** Space on disk now. @param cards number of cards in the database */
  async disk(cards: number): Promise<DiskFigures> {
    const { rows } = await this.client.query<{ tables: number; database: number }>(
      `select (select sum(pg_total_relation_size(to_regclass(t)))::float8 from unnest($1::text[]) t) as tables, pg_database_size(current_database())::float8 as database`,
      [CARD_TABLES],
    );
    const { tables, database } = rows[0]!;
    return {
      cards,
      card_tables_bytes: tables,
      card_tables_bytes_per_card: tables / cards,
      database_bytes: database,
      database_bytes_per_card: database / cards,
    };
  }

  private async read(): Promise<Reading> {
    return (await this.client.query<Reading>(READ)).rows[0]!;
  }

  private async details(from: string, to: string): Promise<WrittenDetails | undefined> {
    try {
      return (await this.client.query<WrittenDetails>(DETAILS, [from, to, UPDATED_TABLES])).rows[0]!;
    } catch (error) {
      if (
        error instanceof pg.DatabaseError &&
        /could not find a valid record|has already been removed/.test(error.message)
      )
        return undefined;
      throw error;
    }
  }
}

/** The sum of several measurements; details are known only if those of all are. */
export function sumWritten(parts: readonly Written[]): Written {
  const sum = (of: (part: Written) => number) => parts.reduce((n, part) => n + of(part), 0);
  const detail = (of: keyof WrittenDetails) => sum(({ details }) => details![of]);
  return {
    walBytes: sum((part) => part.walBytes),
    statements: sum((part) => part.statements),
    details: parts.every((part) => part.details)
      ? { pages: detail('pages'), updates: detail('updates'), hot: detail('hot') }
      : undefined,
  };
}

/**
 * The figures of one kind of write.
 * @param sample rate and CPU µs of each step
 * @param written by so many steps
 */
export function writeFigures(
  name: string,
  per: WriteFigures['per'],
  { perSecond, node, postgres }: Pick<Sample, 'perSecond' | 'node' | 'postgres'>,
  { walBytes, statements, details }: Written,
  steps: number,
): WriteFigures {
  return {
    name,
    per,
    per_second: perSecond,
    node_ms: node === undefined ? null : node / 1_000,
    postgres_ms: postgres === undefined ? null : postgres / 1_000,
    wal_bytes: walBytes / steps,
    wal_page_bytes: details ? details.pages / steps : null,
    statements: statements / steps,
    hot_share: details && details.updates > 0 ? details.hot / details.updates : null,
  };
}
