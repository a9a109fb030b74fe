import type pg from 'pg';
import type { Statement } from './database.js';
import type { Sent, StatementRole } from './statement-role.js';

/** Reading in a part of a transaction; throws after its end. */
export interface Reading {
  query<R extends pg.QueryResultRow>(statement: Statement, values?: unknown[], role?: StatementRole): Promise<R[]>;
  /** The error of the first statement that failed; locks that were taken are lost then. */
  readonly failure: Error | undefined;
  /** Runs other work that reads in the transaction. */
  during<T>(work: () => Promise<T>): Promise<T>;
  end(): Promise<void>;
}

/** The transaction in which statements read. */
interface Surrounding {
  begin(): Promise<void>;
  send<R extends pg.QueryResultRow>(sent: Sent, role?: StatementRole): Promise<pg.QueryResult<R>>;
}

/**
 * Statements that only read, in a part of a transaction that `end` ends: one that writes fails.
 * @param ms timeout of each statement
 */
export function readingIn(transaction: Surrounding, ms: number): Reading {
  let begun: Promise<unknown> | undefined;
  let isOver = false;
  let failure: Error | undefined;
  const during: Reading['during'] = async (work) => {
    if (isOver) throw new Error('the time for reading in the transaction is over');
    return await work();
  };
  const begin = async (): Promise<void> => {
    await transaction.begin();
    const settings = `set transaction read only; set local statement_timeout = ${Math.ceil(ms)}`;
    await transaction.send(`savepoint reading; ${settings}`);
  };
  return {
    get failure() {
      return failure;
    },
    during,
    query: async <R extends pg.QueryResultRow>(statement: Statement, values: unknown[] = [], role?: StatementRole) => {
      await during(() => (begun ??= begin()));
      try {
        // Sent without waiting after the check, so that it precedes the statement of `end`.
        return (await during(() => transaction.send<R>({ ...statement, values }, role))).rows;
      } catch (error) {
        failure ??= error as Error;
        throw error;
      }
    },
    end: async () => {
      isOver = true;
      if (!begun) return;
      await begun;
      try {
        // The transaction can write again, and keeps the locks that were taken.
        await transaction.send('release savepoint reading; set local statement_timeout to default');
      } catch {
        // A statement failed.
        await transaction.send('rollback to savepoint reading; release savepoint reading');
      }
    },
  };
}
