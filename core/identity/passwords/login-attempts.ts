import { createHash } from 'node:crypto';
import type { Database } from '../../foundation/db/database.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
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

/** What a try is counted by. */
export interface Source {
  /** Digest of the e-mail address it was for. */
  key: Buffer;
  /** Where it came from: an address, or a session whose user gives the password again. */
  from: string;
  /** Whether it also counts together with those from all other addresses that are not known. */
  isUnknown: boolean;
}

/** The key tries on an account are counted by. Addresses nobody is registered under count alike; people type all sorts of things there, hence a digest. */
const accountKey = (emailKey: string): Buffer => createHash('sha256').update(emailKey).digest();
const sourcesOf = ({ from, isUnknown }: Source): string[] => (isUnknown ? [from, UNKNOWN_ADDRESSES] : [from]);

/**
 * Counts wrong passwords and says who may try. They count per account and address, and, from addresses without a
 * log-in to the account in 30 days, per account: others can shut out an address nobody uses, and not the owner's.
 */
export class LoginAttempts {
  /** @param limits those of now */
  constructor(
    private readonly db: Database,
    private readonly limits: () => LoginLimits,
  ) {}

  /** @param address what the client is counted by */
  async find(email: string, address: string): Promise<Attempt & { source: Source }> {
    const emailKey = nameKey(email.trim());
    const key = accountKey(emailKey);
    const attempt = await findAttempt(this.db, emailKey, key, address);
    return { ...attempt, source: { key, from: address, isUnknown: !attempt.known } };
  }

  /** The source of a user who gives the password again within a session: misses of others are not counted there. */
  async ofSession(emailKey: string, sessionId: string): Promise<{ source: Source; limited: boolean }> {
    const source = { key: accountKey(emailKey), from: `session ${sessionId}`, isUnknown: false };
    return { source, limited: await isLimited(this.db, source.key, sourcesOf(source)) };
  }

  /** Accepts a password that was verified against `hash`, unless others were wrong too often meanwhile. @returns whether it was */
  async accept(uow: UnitOfWork, source: Source, userId: string, hash: string): Promise<boolean> {
    return await acceptPassword(uow, source.key, sourcesOf(source), userId, hash);
  }

  /**
   * Counts a wrong password; when tries are refused from now on, the event log says so, with the addresses they came from.
   * @param account undefined where there is none: all else is the same
   * @param address where the try came from
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
    for (const { until, ...told } of refused) {
      uow.emit({
        type: 'user.locked',
        subject: { kind: 'user', id: account.id, name: account.display_name },
        data: { locked_until: until.toISOString(), ...told },
      });
    }
  }

  /** Has nobody be refused any more for misses on an account. @returns whether there were any */
  async clear(uow: UnitOfWork, emailKey: string): Promise<boolean> {
    return await clearMisses(uow, accountKey(emailKey));
  }
}
