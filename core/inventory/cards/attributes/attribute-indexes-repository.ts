import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { Database } from '../../../foundation/db/database.js';
import type { Metamodel } from '../../metamodel/index.js';
import { classOf } from './attribute-fields-repository.js';
import { comparable, compared } from './attribute-values-repository.js';
import { fieldKey } from './field-key.js';

/** Held by whoever makes and drops these indexes; PostgreSQL frees it when the session dies. */
const INDEX_LOCK = 7_315_022;
const PREFIX = 'cards_attr_';

/** An index of one field of one card type. */
export interface AttributeIndex {
  /** Follows from the definition: another expression is another index. */
  name: string;
  /** What stands behind `on`. */
  definition: string;
  /** The field as people know it. */
  field: string;
}

/** An index that is there, and whether queries may use it: one whose making was broken off is only in the way. */
export interface StandingIndex {
  name: string;
  valid: boolean;
}

/** The indexes a metamodel asks for, by name. */
export function wantedIndexes({ types }: Metamodel): Map<string, AttributeIndex> {
  const indexes = [...types].flatMap(([type, { fields }]) =>
    fields.fields
      .filter((field) => field.filterable === true)
      .map((field): AttributeIndex => {
        const value = comparable(field.key, classOf(field), '');
        // Cards without a value are in no such index: most fields of most cards have none.
        const definition = `cards ((${compared(value)}), id) where type = '${fieldKey(type)}' and status = 'ACTIVE' and ${value.sql} is not null`;
        return {
          name: PREFIX + createHash('sha256').update(definition).digest('hex').slice(0, 24),
          definition,
          field: `${type}.${field.key}`,
        };
      }),
  );
  return new Map(indexes.map((index) => [index.name, index]));
}

const STANDING = {
  name: 'attribute-indexes',
  text: `select c.relname as name, i.indisvalid and i.indisready and i.indislive as valid from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = 'cards'::regclass and starts_with(c.relname, '${PREFIX}') order by 1`,
};
const IS_EMPTY = { name: 'cards-none', text: 'select not exists (select from cards) as empty' };
const IS_QUEUED = {
  name: 'job-is-queued',
  text: `select exists (select from jobs where type = $1 and state = 'queued') as queued`,
};

export const standingIndexes = async (db: Pick<Database, 'query'>): Promise<StandingIndex[]> =>
  await db.query<StandingIndex & Record<string, unknown>>(STANDING);
export const hasNoCards = async (db: Pick<Database, 'query'>): Promise<boolean> =>
  (await db.query<{ empty: boolean }>(IS_EMPTY))[0]!.empty;
/** Whether a job of the type waits to be run. */
export const isQueued = async (db: Pick<Database, 'query'>, type: string): Promise<boolean> =>
  (await db.query<{ queued: boolean }>(IS_QUEUED, [type]))[0]!.queued;

/** A session in which indexes of cards are made and dropped. */
export class IndexSession {
  private constructor(
    private readonly client: pg.Client,
    private readonly pid: number,
  ) {}

  static async open(db: Database): Promise<IndexSession> {
    const client = await db.dedicated('lintel-indexes');
    // However long it takes, whatever is set for the others.
    await client.query('set statement_timeout = 0');
    const {
      rows: [row],
    } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    return new IndexSession(client, row!.pid);
  }

  /**
   * Tries to be the one who makes and drops. Nobody waits for it inside the database: making an index waits for every
   * transaction, and would wait for the one that waits.
   */
  async tryLock(): Promise<boolean> {
    const {
      rows: [row],
    } = await this.client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [INDEX_LOCK]);
    return row!.held;
  }

  async standing(): Promise<StandingIndex[]> {
    return (await this.client.query<StandingIndex>(STANDING.text)).rows;
  }

  /** Makes an index while cards are read and written. @param atOnce locks writers out instead: for a table without cards */
  async create({ name, definition, field }: AttributeIndex, atOnce = false): Promise<void> {
    await this.client.query(`create index ${atOnce ? '' : 'concurrently '}if not exists ${name} on ${definition}`);
    await this.client.query(`comment on index ${name} is '${field}'`);
  }

  async drop(name: string, atOnce = false): Promise<void> {
    await this.client.query(
      `drop index ${atOnce ? '' : 'concurrently '}if exists ${this.client.escapeIdentifier(name)}`,
    );
  }

  /** All of it in one transaction that waits for no lock longer than `ms`. */
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

  /** Has the planner know how values are spread; what an index says of them is read from nowhere else. */
  async analyze(): Promise<void> {
    await this.client.query('analyze cards');
  }

  /** Breaks off what the session does. */
  async cancel(db: Pick<Database, 'query'>): Promise<void> {
    await db.query({ name: undefined, text: 'select pg_cancel_backend($1)' }, [this.pid]);
  }

  async close(): Promise<void> {
    await this.client.end();
  }
}
