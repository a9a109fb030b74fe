import { setTimeout as delay } from 'node:timers/promises';
import type { RequestContext } from '@lintel/sdk';
import type { Database } from '../db/database.js';
import type { Transactions, UnitOfWork } from '../db/unit-of-work.js';
import { nameKey } from '../text.js';
import type { PasswordHasher } from './password-hasher.js';
import { acceptPassword, countMiss, findAccount, findAccountById, type Account, type LoginLimits } from './repository.js';

/** Refusals take a multiple of this, so that their time does not tell why. */
const STEP_MS = 150;

/** Checks passwords so that a refusal never tells its reason: unknown, wrong, disabled and locked are one. */
export class Credentials {
  /** @param limits those of now */
  constructor(private readonly db: Database, private readonly transactions: Transactions, private readonly hasher: PasswordHasher, private readonly limits: () => LoginLimits) {}

  /**
   * Checks e-mail and password, counts a miss, and on success runs `work` in the transaction that forgives the
   * misses. A right password counts only while the account is not locked, however many come at once.
   * @returns what `work` gave; undefined when the log-in is refused
   */
  async logIn<T>(ctx: RequestContext, email: string, password: string, work: (uow: UnitOfWork, account: Account) => Promise<T>): Promise<T | undefined> {
    const began = performance.now();
    const result = await this.attempt(ctx, await findAccount(this.db, nameKey(email.trim())), password, work);
    if (result === undefined) await delay(STEP_MS - ((performance.now() - began) % STEP_MS));
    return result;
  }

  /** The same for the user of a session, who must give the password again. */
  async confirm<T>(ctx: RequestContext, userId: string, password: string, work: (uow: UnitOfWork, account: Account) => Promise<T>): Promise<T | undefined> {
    return await this.attempt(ctx, await findAccountById(this.db, userId), password, work);
  }

  private async attempt<T>(ctx: RequestContext, account: Account | undefined, password: string, work: (uow: UnitOfWork, account: Account) => Promise<T>): Promise<T | undefined> {
    const hash = account?.password_hash;
    const isRight = await this.hasher.verify(hash, password);
    if (!account?.may_log_in || typeof hash !== 'string') return undefined;
    return await this.transactions.run(ctx, async (uow) => {
      if (isRight) return await acceptPassword(uow, account.id, hash) ? await work(uow, account) : undefined;
      const miss = await countMiss(uow, account.id, this.limits());
      if (miss?.lockedUntil) {
        uow.emit({ type: 'user.locked', subject: { kind: 'user', id: account.id, name: miss.name }, data: { locked_until: miss.lockedUntil.toISOString() } });
      }
      return undefined;
    });
  }
}
