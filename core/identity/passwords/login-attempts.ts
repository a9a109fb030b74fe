import type { Database } from '../../foundation/db/database.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { sha256 } from '../../foundation/digest.js';
import { nameKey } from '../../foundation/text.js';
import {
  acceptPassword,
  clearMisses,
  countMiss,
  findAttempt,
  isLimited,
  missedFrom,
  UNKNOWN_ADDRESSES,
  type Account,
  type Attempt,
  type LoginLimits,
} from './login-attempts-repository.js';

/** What the failures of an attempt are counted by. */
export interface Source {
  /** Digest of the e-mail address that was entered. */
  key: Buffer;
  /** The client's address, or the session whose user enters the password again. */
  from: string;
  /** Whether the failure is also counted for all unknown addresses together. */
  isUnknown: boolean;
}

/**
 * The key by which failures for an account are counted, also for e-mail addresses without an account. A digest, because
 * the field may contain anything, such as a password entered by mistake.
 */
const accountKey = sha256;
const sourcesOf = ({ from, isUnknown }: Source): string[] => (isUnknown ? [from, UNKNOWN_ADDRESSES] : [from]);

/**
 * Counts wrong passwords and decides which attempts are allowed. Failures are counted per account and address, and, for
 * addresses without a log-in to the account in 30 days, per account: attackers can block unknown addresses, but not the
 * owner's.
 */
export class LoginAttempts {
  /** @param limits returns the current limits */
  constructor(
    private readonly db: Database,
    private readonly limits: () => LoginLimits,
  ) {}

  /** @param address the key by which the client is counted */
  async find(email: string, address: string): Promise<Attempt & { source: Source }> {
    const emailKey = nameKey(email.trim());
    const key = accountKey(emailKey);
    const attempt = await findAttempt(this.db, emailKey, key, address);
    return { ...attempt, source: { key, from: address, isUnknown: !attempt.known } };
  }

  /**
   * The source for a user who enters the password again within a session: failures of other clients do not count there.
   */
  async ofSession(emailKey: string, sessionId: string): Promise<{ source: Source; limited: boolean }> {
    const source = { key: accountKey(emailKey), from: `session ${sessionId}`, isUnknown: false };
    return { source, limited: await isLimited(this.db, source.key, sourcesOf(source)) };
  }

  /**
   * Accepts a password that was verified against `hash`, unless concurrent failures have blocked attempts. @returns
   * whether it was accepted
   */
  async accept(uow: UnitOfWork, source: Source, userId: string, hash: string): Promise<boolean> {
    return await acceptPassword(uow, source.key, sourcesOf(source), userId, hash);
  }

  /**
   * Counts a wrong password. When this blocks further attempts, an event with the addresses is written.
   * @param account undefined where it does not exist: everything else is the same
   * @param address address of the client
   */
  async miss(uow: UnitOfWork, source: Source, account: Account | undefined, address: string): Promise<void> {
    const limits = this.limits();
    const here = await countMiss(uow, source.key, source.from, limits.max_misses, limits);
    if (here === undefined) return;
    const all = source.isUnknown
      ? await countMiss(uow, source.key, UNKNOWN_ADDRESSES, limits.max_misses_unknown_addresses, limits)
      : undefined;
    const refused = [
      ...(here ? [{ until: here, scope: source.from === address ? 'address' : 'session', addresses: [address] }] : []),
      ...(all
        ? [{ until: all, scope: 'unknown_addresses', addresses: await missedFrom(uow, source.key, limits) }]
        : []),
    ];
    if (account === undefined) return;
    for (const { until, ...details } of refused) {
      uow.emit({
        type: 'user.locked',
        subject: { kind: 'user', id: account.id, name: account.display_name },
        data: { locked_until: until.toISOString(), ...details },
      });
    }
  }

  /** Clears all failures of an account. @returns whether there were any */
  async clear(uow: UnitOfWork, emailKey: string): Promise<boolean> {
    return await clearMisses(uow, accountKey(emailKey));
  }
}
