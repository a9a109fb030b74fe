import { setTimeout as delay } from 'node:timers/promises';
import type { RequestContext } from '@lintel/sdk';
import type { Database } from '../../foundation/db/database.js';
import type { Transactions, UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { clientKey } from '../../foundation/http/client-address.js';
import {
  findAccountById,
  type Account,
  type LoginAttempts,
  type PasswordHasher,
  type Source,
} from '../passwords/index.js';
import type { PasswordPolicy } from './sign-in.js';

/** The duration of a refusal is rounded up to a multiple of this, so that it does not reveal the reason. */
const STEP_MS = 150;

/**
 * Checks passwords without revealing why a log-in was refused: unknown account, wrong password, disabled account and
 * too many failures look the same, and so does an account that must use single sign-on.
 */
export class Credentials {
  constructor(
    private readonly db: Database,
    private readonly transactions: Transactions,
    private readonly hasher: PasswordHasher,
    private readonly attempts: LoginAttempts,
    private readonly policy: PasswordPolicy,
  ) {}

  /**
   * Checks e-mail and password and counts failures. On success runs `work` in the transaction that clears the failures
   * counted for this address. An attempt refused because of earlier failures is not hashed, and is answered after the
   * time hashing would have taken. Even a correct password is refused while attempts are blocked, including for
   * concurrent attempts.
   * @param ip address of the client
   * @returns the result of `work`; undefined when the log-in is refused
   * @throws 503 `unavailable` where too many passwords are queued for verification, whether or not the account exists
   */
  async logIn<T>(
    ctx: RequestContext,
    email: string,
    password: string,
    ip: string,
    work: (uow: UnitOfWork, account: Account) => Promise<T>,
  ): Promise<T | undefined> {
    const began = performance.now();
    const address = clientKey(ip);
    const { account, limited, source } = await this.attempts.find(email, address);
    if (limited) await delay(this.hasher.expectedMs);
    const isRight =
      !limited && (await this.hasher.verify(account?.password_hash, password, address)) && this.mayLogIn(account);
    const result = limited ? undefined : await this.settle(ctx, source, isRight, account, address, work);
    if (result === undefined) await delay(STEP_MS - ((performance.now() - began) % STEP_MS));
    return result;
  }

  /**
   * The same for the user of a session who must enter the password again. Failures are counted for the session.
   * @param prepare the expensive part of the work, done after the password was verified and before the transaction
   */
  async confirm<P, T>(
    ctx: RequestContext,
    password: string,
    ip: string,
    prepare: () => Promise<P>,
    work: (uow: UnitOfWork, prepared: P) => Promise<T>,
  ): Promise<T | undefined> {
    const { id, sessionId } = ctx.actor!;
    const account = await findAccountById(this.db, id);
    if (!account || !this.mayLogIn(account) || account.password_hash === null) return undefined;
    const { source, limited } = await this.attempts.ofSession(account.email_key, sessionId);
    if (limited) return undefined;
    const isRight = await this.hasher.verify(account.password_hash, password, id);
    const prepared = isRight ? await prepare() : undefined;
    return await this.settle(ctx, source, isRight, account, clientKey(ip), (uow) => work(uow, prepared as P));
  }

  private mayLogIn(account: Account | undefined): boolean {
    return account?.may_log_in === true && this.policy.allowsPassword(account);
  }

  private async settle<T>(
    ctx: RequestContext,
    source: Source,
    isRight: boolean,
    account: Account | undefined,
    address: string,
    work: (uow: UnitOfWork, account: Account) => Promise<T>,
  ): Promise<T | undefined> {
    return await this.transactions.run(ctx, async (uow) => {
      if (isRight && account && (await this.attempts.accept(uow, source, account.id, account.password_hash!)))
        return await work(uow, account);
      if (!isRight) await this.attempts.miss(uow, source, account, address);
      return undefined;
    });
  }
}
