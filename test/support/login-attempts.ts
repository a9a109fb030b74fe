import { client, nextAddress, PASSWORD, sql, type TestApp } from './app.js';

export const WRONG_PASSWORD = 'wrong-guess-of-mine';

export interface LoginAttempts {
  /** Tries to log in from an address. @returns the status */
  attempt(email: string, password: string, from: string, origin?: string): Promise<number>;
  /** Logs in once from a new address, which is known from then on. @returns the address @throws unless it succeeds */
  ownAddress(email: string): Promise<string>;
  /** Sends wrong passwords from so many unknown addresses that attempts from all unknown addresses are refused. */
  blockUnknownAddresses(email: string): Promise<void>;
  /** Whether a correct password from an unknown address is refused. */
  isRefused(email: string): Promise<boolean>;
  /** The data of the events of a type about a user, in order. */
  eventsOf(id: string, type: string): Promise<Record<string, unknown>[]>;
}

/**
 * Common steps of tests of log-in limits.
 * @param misses number of wrong passwords from unknown addresses after which these are refused
 */
export function loginAttempts({ origin: own, database }: TestApp, misses: number): LoginAttempts {
  const attempt: LoginAttempts['attempt'] = async (email, password, from, origin = own) =>
    (await client(origin).post('/auth/login', { email, password }, { from })).status;
  return {
    attempt,
    async ownAddress(email) {
      const from = nextAddress();
      const status = await attempt(email, PASSWORD, from);
      if (status !== 200) throw new Error(`logging in as ${email} gave ${status}`);
      return from;
    },
    async blockUnknownAddresses(email) {
      await Promise.all(Array.from({ length: misses }, () => attempt(email, WRONG_PASSWORD, nextAddress())));
    },
    isRefused: async (email) => (await attempt(email, PASSWORD, nextAddress())) === 401,
    eventsOf: async (id, type) =>
      (
        await sql<{ data: Record<string, unknown> }>(
          database,
          'select data from (select id, type, subject_id, data from event_outbox union all select position, type, subject_id, data from events) as e where subject_id = $1 and type = $2 order by id',
          [id, type],
        )
      ).map(({ data }) => data),
  };
}
