import { setTimeout as delay } from 'node:timers/promises';
import type { RequestContext } from '@lintel/sdk';
import type { Database } from '../../foundation/db/database.js';
import type { Transactions, UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { clientKey } from '../../foundation/http/client-address.js';
import { uuidv7 } from '../../foundation/ids.js';
import type { Log } from '../../foundation/log.js';
import { nameKey } from '../../foundation/text.js';
import type { PasswordPolicy } from '../auth/index.js';
import { mayMail, queueAccountMail } from '../mails/index.js';
import type { PasswordHasher } from '../passwords/index.js';
import type { UserService } from '../users/index.js';
import type { MailSetup } from './mail-setup.js';
import type { PreparedMail } from './mail-sender.js';
import { accountOfToken, endResets, insertReset, isResetValid, readResetMail } from './reset-repository.js';
import { hashOf, linkInvalid, newMailToken } from './tokens.js';

/** Maximum number of mails to one account in an hour. */
const MOST_MAILS = 3;
/** The duration of a request is rounded up to a multiple of this, so that it does not reveal whether an account exists. */
const STEP_MS = 300;

/** How users who do not know their password set a new one, by a link that is mailed to them. */
export class PasswordResetService {
  constructor(
    private readonly db: Database,
    private readonly transactions: Transactions,
    private readonly users: UserService,
    private readonly hasher: PasswordHasher,
    private readonly setup: MailSetup,
    private readonly passwords: PasswordPolicy,
    private readonly log: Log,
  ) {}

  /**
   * Mails a link to the user of an address, if an active account of a person with a local password has it. Does the same,
   * and takes the same time, whether or not a mail is sent.
   */
  async request(ctx: RequestContext, email: string): Promise<void> {
    const began = performance.now();
    await this.queue(ctx, nameKey(email.trim()));
    await delay(STEP_MS - ((performance.now() - began) % STEP_MS));
  }

  /**
   * Sets the password of the account of a token, ends all its sessions and clears its failed log-ins. Of several requests
   * with one token, one succeeds, and the other tokens of the account end.
   * @param address of the client
   * @throws 422 `link_invalid`, 422 where the policy rejects the password, 503 `unavailable` where too many passwords are
   *   queued for hashing
   */
  async reset(
    ctx: RequestContext,
    { token, password }: { token: string; password: string },
    address: string,
  ): Promise<void> {
    const hash = hashOf(token);
    const account = await accountOfToken(this.db, hash);
    if (!account || !this.mayHavePassword(account.user_id)) throw linkInvalid();
    const password_hash = await this.hasher.hashNew(password, '/password', account.email, clientKey(address));
    await this.transactions.run(ctx, async (uow) => {
      // The user is locked first, as by log-ins and other changes: what is read after it is current.
      const user = await this.users.lockIfExists(uow, account.user_id);
      if (!user || !(await isResetValid(uow, hash))) throw linkInvalid();
      await endResets(uow, user.id);
      await this.users.resetPassword(uow, user, password_hash);
    });
  }

  /** The mail of a reset, with a new token; undefined where it has ended. */
  async prepareMail(uow: UnitOfWork, id: string): Promise<PreparedMail | undefined> {
    const found = await readResetMail(uow, id);
    if (!found) return undefined;
    const { email, display_name, locale, expires_at } = found;
    const token = await newMailToken(uow, 'reset', { resetId: id }, expires_at);
    return {
      to: email,
      locale,
      tokens: [token],
      letter: {
        subject: 'reset_subject',
        name: display_name,
        values: { email, until: expires_at },
        blocks: [
          'reset_body',
          { label: 'reset_action', url: this.setup.link('reset-password', token) },
          'reset_expiry',
          'reset_ignore',
        ],
      },
    };
  }

  /** Where single sign-on is enforced, only one named administrator has a password. */
  private mayHavePassword(userId: string): boolean {
    return this.passwords.allowsPassword({ id: userId, kind: 'person' });
  }

  private async queue(ctx: RequestContext, emailKey: string): Promise<void> {
    const missing = await this.setup.missing();
    if (missing.length > 0) {
      this.log.warn({ missing }, 'a new password was requested, but mails with links cannot be sent');
      return;
    }
    await this.transactions.run(ctx, async (uow) => {
      if (!(await mayMail(uow, `reset ${emailKey}`, MOST_MAILS))) return;
      const id = uuidv7();
      const userId = await insertReset(uow, id, emailKey);
      if (userId === undefined) return;
      if (!this.mayHavePassword(userId)) return await endResets(uow, userId);
      await queueAccountMail(uow, 'password_reset', id);
      uow.emit({ type: 'user.password_reset_requested', subject: { kind: 'user', id: userId } });
    });
  }
}
