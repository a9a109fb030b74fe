import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { Database } from '../../../foundation/db/database.js';
import type { Metamodel } from '../../metamodel/index.js';
import { classOf } from './attribute-fields-repository.js';
import { comparable, compared, fieldKey } from './attribute-values-repository.js';

/** Held while these indexes are created and dropped; PostgreSQL releases it when the session ends. */
const INDEX_LOCK = 7_315_022;
const PREFIX = 'cards_attr_';

/** An index on one field of one card type. */
export interface AttributeIndex {
  /** Derived from the definition: a different expression has a different name. */
  name: string;
  /** The text after `on`. */
  definition: string;
  /** The field in readable form, for the index comment. */
  field: string;
}

/** An existing index, and whether it is valid: an interrupted creation leaves an invalid one. */
export interface ExistingIndex {
  name: string;
  valid: boolean;
}

/** The indexes required by a metamodel, by name. */
export function requiredIndexes({ types }: Metamodel): Map<string, AttributeIndex> {
  const indexes = [...types].flatMap(([type, { fields }]) =>
    fields.fields
      .filter((field) => field.filterable === true)
      .map((field): AttributeIndex => {
        const value = comparable(field.key, classOf(field), '');
        // Partial index: cards without a value are not in it, because most fields of most cards have none.
        const definition = `card_contents ((${compared(value)}), id) where type = '${fieldKey(type)}' and ${value.sql} is not null`;
        return {
          name: PREFIX + createHash('sha256').update(definition).digest('hex').slice(0, 24),
          definition,
          field: `${type}.${field.key}`,
        };
      }),
  );
  return new Map(indexes.map((index) => [index.name, index]));
}

const EXISTING = {
  name: 'attribute-indexes',
  text: `select c.relname as name, i.indisvalid and i.indisready and i.indislive as valid from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = 'card_contents'::regclass and starts_with(c.relname, '${PREFIX}') order by 1`,
};
const IS_EMPTY = { name: 'cards-none', text: 'select not exists (select from cards) as empty' };
const IS_QUEUED = {
  name: 'job-is-queued',
  text: `select exists (select from jobs where type = $1 and state = 'queued') as queued`,
};

export const existingIndexes = async (db: Pick<Database, 'query'>): Promise<ExistingIndex[]> =>
  await db.query<ExistingIndex & Record<string, unknown>>(EXISTING);
export const hasNoCards = async (db: Pick<Database, 'query'>): Promise<boolean> =>
  (await db.query<{ empty: boolean }>(IS_EMPTY))[0]!.empty;
/** Whether a job of the type is queued. */
export const isQueued = async (db: Pick<Database, 'query'>, type: string): Promise<boolean> =>
  (await db.query<{ queued: boolean }>(IS_QUEUED, [type]))[0]!.queued;

/** A session that creates and drops indexes on cards. */
export class IndexSession {
  private constructor(
    private readonly client: pg.Client,
    private readonly pid: number,
  ) {}

  static async open(db: Database): Promise<IndexSession> {
    const client = await db.dedicated('lintel-indexes');
    // Creating an index may take longer than the usual timeout.
    await client.query('set statement_timeout = 0');
    const {
      rows: [row],
    } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    return new IndexSession(client, row!.pid);
  }

  /**
   * Tries to take the lock. Does not wait inside the database: CREATE INDEX CONCURRENTLY waits for all transactions,
   * including one that waits for this lock, which would be a deadlock.
   */
  async tryLock(): Promise<boolean> {
    const {
      rows: [row],
    } = await this.client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [INDEX_LOCK]);
    return row!.held;
  }

  async existing(): Promise<ExistingIndex[]> {
    return (await this.client.query<ExistingIndex>(EXISTING.text)).rows;
  }

  /**
   * Creates an index without blocking reads and writes. @param atOnce blocks writes instead, for a table without cards
   */
  async create({ name, definition, field }: AttributeIndex, atOnce = false): Promise<void> {
    await this.client.query(`create index ${atOnce ? '' : 'concurrently '}if not exists ${name} on ${definition}`);
    await this.client.query(`comment on index ${name} is '${field}'`);
  }

  async drop(name: string, atOnce = false): Promise<void> {
    await this.client.query(
      `drop index ${atOnce ? '' : 'concurrently '}if exists ${this.client.escapeIdentifier(name)}`,
    );
  }

  /** Runs `work` in one transaction with a lock timeout of `ms`. */
  async atOnce(ms: number, work: () => Promise<void>): Promise<void> {
    await this.client.query(`begin; set local lock_timeout = ${Math.trunc(ms)}`);
    try {
      await work();
      await this.client.query('commit');
    } catch (error) {
      await this.client.query('rollback');
      throw error;
    }
  }

  /** Collects statistics: those of an index expression exist only after ANALYZE. */
  async analyze(): Promise<void> {
    await this.client.query('analyze card_contents');
  }

  /** Cancels the running statement of the session. */
  async cancel(db: Pick<Database, 'query'>): Promise<void> {
    await db.query({ name: undefined, text: 'select pg_cancel_backend($1)' }, [this.pid]);
  }

  async close(): Promise<void> {
    await this.client.end();
  }
}
