import pg from 'pg';

/** A database role as which statements run, with only its rights. */
export interface StatementRole {
  readonly name: string;
  /** Called with the error of a statement for which the role lacks a right. */
  refused(error: Error): void;
}

/** A statement as pg takes it: a text, or an object with it. */
export type Sent = string | pg.QueryConfig | pg.QueryArrayConfig;

const LACKS_RIGHT = '42501';
const ABORTED = '25P02';
const BEGIN = /^\s*begin\b/i;
const END = /^\s*(commit|rollback(?!\s+to\b))\b/i;
const ROLLBACK = /\brollback\b/i;

const textOf = (sent: Sent): string => (typeof sent === 'string' ? sent : sent.text);
const codeOf = (error: unknown): string | undefined => (error as { code?: string }).code;
const setRole = ({ name }: StatementRole): string => `set local role ${pg.escapeIdentifier(name)}`;

/** Reports the error of a statement for which a role lacks a right. */
async function observed<T>(role: StatementRole | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (role && codeOf(error) === LACKS_RIGHT) role.refused(error as Error);
    throw error;
  }
}

/**
 * Sends the statements of one transaction, each as its role. `set local role` is sent when the role changes; it ends with the
 * transaction, so no state of the session remains. Statements run one after another, so that no other one of the
 * transaction can run between a change of the role and the statement that it is for.
 */
export class RoleSwitch {
  private last: Promise<unknown> = Promise.resolve();
  /** The role that is set, undefined for the user of the service; `unknown` after a rollback to a savepoint, which restores an earlier one. */
  private current: string | undefined = undefined;
  private isKnown = true;

  constructor(private readonly client: pg.ClientBase) {}

  /**
   * Runs a statement as a role.
   * @param role undefined: as the user of the service
   */
  async run(sent: Sent, role: StatementRole | undefined): Promise<pg.QueryResult> {
    const mine = this.last.then(() => observed(role, () => this.runNow(sent, role)));
    this.last = mine.then(undefined, () => undefined);
    return await mine;
  }

  private async runNow(sent: Sent, role: StatementRole | undefined): Promise<pg.QueryResult> {
    // The end of the transaction needs no right.
    if (!END.test(textOf(sent))) await this.change(role);
    try {
      return await this.client.query(sent);
    } finally {
      if (ROLLBACK.test(textOf(sent))) this.isKnown = false;
    }
  }

  private async change(role: StatementRole | undefined): Promise<void> {
    if (this.isKnown && this.current === role?.name) return;
    this.isKnown = false;
    try {
      await this.client.query(role ? setRole(role) : 'reset role');
      this.current = role?.name;
      this.isKnown = true;
    } catch (error) {
      // A failed transaction accepts only a rollback, to a savepoint or of the whole; it refuses any other statement itself.
      if (codeOf(error) !== ABORTED) throw error;
    }
  }
}

/** A connection of the pool whose statements run as a role, each in a transaction of its own, unless one was begun on it. */
class AloneAs {
  private hasBegun = false;

  constructor(
    private readonly client: pg.ClientBase,
    private readonly role: StatementRole,
  ) {}

  async run(sent: Sent): Promise<pg.QueryResult> {
    return await observed(this.role, () => this.runNow(sent));
  }

  private async runNow(sent: Sent): Promise<pg.QueryResult> {
    const { client } = this;
    const text = textOf(sent);
    if (BEGIN.test(text)) {
      return await this.undone(async () => {
        const result = await client.query(sent);
        await client.query(setRole(this.role));
        this.hasBegun = true;
        return result;
      });
    }
    // The end of the transaction is also the end of the role.
    if (END.test(text)) this.hasBegun = false;
    else if (!this.hasBegun) return await this.inTransaction(sent);
    return await client.query(sent);
  }

  private async inTransaction(sent: Sent): Promise<pg.QueryResult> {
    const { client } = this;
    return await this.undone(async () => {
      await client.query(`begin; ${setRole(this.role)}`);
      const result = await client.query(sent);
      await client.query('commit');
      return result;
    });
  }

  /** Ends the transaction if the work fails, before the connection is released. */
  private async undone<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      // If the connection has failed, the pool does not use it again.
      await this.client.query('rollback').catch(() => undefined);
      throw error;
    }
  }
}

type Callback = (error: unknown, result?: unknown) => void;

/** The connection, with another function that sends statements. @param run takes a statement with its values */
export function sentBy<C extends pg.ClientBase>(client: C, run: (sent: Sent) => Promise<pg.QueryResult>): C {
  const query = (sent: Sent, ...[values, last]: (unknown[] | Callback | undefined)[]): unknown => {
    const callback = typeof values === 'function' ? values : (last as Callback | undefined);
    const bound = Array.isArray(values) && typeof sent === 'string' ? { text: sent, values } : sent;
    if (!callback) return run(bound);
    run(bound).then(
      (result) => callback(null, result),
      (error: unknown) => callback(error),
    );
    return undefined;
  };
  return new Proxy(client, {
    get: (target, key) => (key === 'query' ? query : (Reflect.get(target, key) as unknown)),
  });
}

/** A connection of the pool whose statements run as a role, each in a transaction, unless one was begun. */
export function asRole<C extends pg.ClientBase>(client: C, role: StatementRole): C {
  const alone = new AloneAs(client, role);
  return sentBy(client, (sent) => alone.run(sent));
}
