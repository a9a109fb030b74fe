import type pg from 'pg';
import type { ReadSource } from '../../foundation/db/database.js';
import { problem } from '../../foundation/errors.js';
import { RoleSwitch, type StatementRole } from '../../foundation/db/statement-role.js';

/** Maximum time of one statement, in ms; when so much time has passed, no further one begins. */
const STATEMENT_MS = 20_000;
/** The same for readers without an account, of whom anyone may send many requests. */
export const PUBLIC_STATEMENT_MS = 5_000;
/** Memory of a sort or hash table: groups of a hundred thousand cards do not fit into the default of 4 MB. */
const WORK_MEM = '64MB';
/**
 * With the 1.1 of the platform, a quarter of a million rows are read in the order of an index, from all over the table, where to
 * read a million in their order takes half of the time.
 */
const RANDOM_PAGE_COST = 2;
const begin = (statementMs: number): string =>
  `begin isolation level repeatable read read only; set local statement_timeout = ${statementMs}; set local work_mem = '${WORK_MEM}'; set local random_page_cost = ${RANDOM_PAGE_COST}`;

/** Sends a statement that reads. @param name for the logs of PostgreSQL */
export type Send = <R extends pg.QueryResultRow>(name: string, text: string, values: unknown[]) => Promise<R[]>;

/**
 * Runs reads that all see the same snapshot, on one connection.
 * @param role as which the statements run; undefined: as the user of the service
 * @param statementMs maximum time of one statement, in ms
 */
export async function inSnapshot<T>(
  from: ReadSource,
  role: StatementRole | undefined,
  work: (send: Send) => Promise<T>,
  statementMs = STATEMENT_MS,
): Promise<T> {
  const client = await from.connect();
  const statements = new RoleSwitch(client);
  const began = performance.now();
  let broken: Error | undefined;
  try {
    await client.query(begin(statementMs));
    const result = await work(async <R extends pg.QueryResultRow>(name: string, text: string, values: unknown[]) => {
      if (performance.now() - began > statementMs)
        throw problem('too_expensive', {
          detail: `The read took longer than ${statementMs / 1_000} s; narrow its filters.`,
        });
      // Not prepared, because most statements have another text each time.
      const sent = { text: `/* ${name.replace(/[^\w .-]/g, '')} */ ${text}`, values };
      return (await statements.run(sent, role)).rows as R[];
    });
    await client.query('commit');
    return result;
  } catch (error) {
    try {
      await client.query('rollback');
    } catch (failure) {
      broken = failure as Error;
      from.broke?.(broken);
    }
    throw error;
  } finally {
    client.release(broken);
  }
}
