import type { RequestContext } from '@lintel/sdk';
import type { Database } from '../../foundation/db/database.js';
import type { Transactions, UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { invalid, problem } from '../../foundation/errors.js';
import { uuidv7 } from '../../foundation/ids.js';
import { nameKey } from '../../foundation/text.js';
import type { AuthService } from '../auth/index.js';
import { mayMail, queueAccountMail } from '../mails/index.js';
import type { UserService } from '../users/index.js';
import {
  confirmChange,
  findEmailChange,
  insertEmailChange,
  lockChangeOfToken,
  markApplied,
  readChangeMail,
  userOfChangeToken,
  withdrawChange,
  type EmailChangeRow,
} from './email-change-repository.js';
import type { PreparedMail } from './mail-sender.js';
import type { MailSetup } from './mail-setup.js';
import type { EmailChangeBody, EmailChangeView } from './schemas.js';
import { endMailTokens } from './token-repository.js';
import { hashOf, linkInvalid, newMailToken } from './tokens.js';

/** Maximum number of changes that a user may request in an hour, and of mails to one new address. */
const MOST_MAILS = 3;

/** How users change their own e-mail address: the previous and the new address both confirm it, by links. */
export class EmailChangeService {
  constructor(
    private readonly db: Database,
    private readonly transactions: Transactions,
    private readonly auth: AuthService,
    private readonly users: UserService,
    private readonly setup: MailSetup,
  ) {}

  /** The change of the caller that is to be confirmed. @throws `not_found` */
  async get({ actor }: RequestContext): Promise<EmailChangeView> {
    const row = await findEmailChange(this.db, actor!.id);
    if (!row) throw problem('not_found');
    return viewChange(row);
  }

  /**
   * Requests a change; an earlier one is withdrawn. Whether the new address is taken is found only when both have confirmed
   * it, so that a request does not reveal it.
   * @returns the change
   * @param ip address of the client
   * @throws 409 `mail_unavailable`, `invalid_state` for a service account, 422 where the password is wrong or was wrong too
   *   often, or the address is the current one, 429 after three requests in an hour
   */
  async request(ctx: RequestContext, body: EmailChangeBody, ip: string): Promise<EmailChangeView> {
    await this.setup.ensure();
    const { id: userId } = ctx.actor!;
    const { kind, email: current } = await this.users.get(userId);
    if (kind !== 'person')
      throw problem('invalid_state', { detail: 'The address of a service account is changed by an administrator.' });
    const new_email = body.email.trim();
    const key = nameKey(new_email);
    if (key === nameKey(current)) throw invalid({ field: '/email', reason: 'is the current address' });
    return await this.auth.account.withPassword(ctx, body.current_password, ip, async (uow) => {
      const user = await this.users.lock(uow, userId);
      if (
        !(await mayMail(uow, `change of ${userId}`, MOST_MAILS)) ||
        !(await mayMail(uow, `change to ${key}`, MOST_MAILS))
      )
        throw problem('rate_limited', {
          detail: `At most ${MOST_MAILS} changes can be requested in an hour.`,
          headers: { 'retry-after': '3600' },
        });
      await this.end(uow, userId, user.display_name);
      const id = uuidv7();
      const change = await insertEmailChange(uow, { id, user_id: userId, old_email: user.email, new_email });
      await queueAccountMail(uow, 'email_change_old', id);
      await queueAccountMail(uow, 'email_change_new', id);
      emit(uow, 'requested', userId, user.display_name, { email: new_email });
      return viewChange(change);
    });
  }

  /** Withdraws the change of the caller. @throws `not_found` */
  async withdraw(ctx: RequestContext): Promise<void> {
    await this.transactions.run(ctx, async (uow) => {
      const user = await this.users.lock(uow, ctx.actor!.id);
      if (!(await this.end(uow, user.id, user.display_name))) throw problem('not_found');
    });
  }

  /** Withdraws the change of a token. @throws 422 `link_invalid` */
  async withdrawByLink(ctx: RequestContext, token: string): Promise<void> {
    await this.byToken(ctx, token, async (uow, hash, user) => {
      if (!(await lockChangeOfToken(uow, hash, ['withdraw']))) throw linkInvalid();
      await this.end(uow, user.id, user.display_name);
    });
  }

  /**
   * Confirms a change for the address to which the token was mailed, and applies it when both have confirmed.
   * @returns whether it was applied
   * @throws 422 `link_invalid`, 409 `email_taken`, after which the token is still valid
   */
  async confirm(ctx: RequestContext, token: string): Promise<boolean> {
    return await this.byToken(ctx, token, async (uow, hash, user) => {
      const change = await lockChangeOfToken(uow, hash, ['confirm_old', 'confirm_new']);
      const isPossible = user.is_active && user.auth_provider === 'local' && user.email === change?.old_email;
      if (!change || !isPossible) throw linkInvalid();
      const purpose = change.purpose === 'confirm_old' ? 'confirm_old' : 'confirm_new';
      const isComplete = await confirmChange(uow, change.id, purpose);
      emit(uow, 'confirmed', user.id, user.display_name, { address: purpose === 'confirm_old' ? 'old' : 'new' });
      if (!isComplete) return false;
      await markApplied(uow, change.id);
      await endMailTokens(uow, { changeId: change.id });
      await this.users.changeEmail(uow, user, change.new_email);
      return true;
    });
  }

  /** The mail of a change to the previous or the new address, with new tokens; undefined where it has ended. */
  async prepareMail(uow: UnitOfWork, id: string, to: 'old' | 'new'): Promise<PreparedMail | undefined> {
    const change = await readChangeMail(uow, id);
    if (!change || (to === 'old' ? change.confirmed_old_at : change.confirmed_new_at) !== null) return undefined;
    const { old_email, new_email, expires_at, display_name, locale } = change;
    const confirming = await newMailToken(uow, `confirm_${to}`, { changeId: id }, expires_at);
    const withdrawing = await newMailToken(uow, 'withdraw', { changeId: id }, expires_at);
    return {
      to: to === 'old' ? old_email : new_email,
      locale,
      tokens: [confirming, withdrawing],
      letter: {
        subject: `change_${to}_subject`,
        // The new address is not confirmed: a name would let users send texts of their choice to any address.
        ...(to === 'old' && { name: display_name }),
        values: { until: expires_at, ...(to === 'old' && { old: old_email, new: new_email }) },
        blocks: [
          `change_${to}_body`,
          { label: 'change_action', url: this.setup.link('confirm-email', confirming) },
          'change_expiry',
          `change_${to}_warning`,
          { label: 'change_withdraw', url: this.setup.link('withdraw-email', withdrawing), isSecondary: true },
        ],
      },
    };
  }

  /** Runs `work` while the user of the token is locked, as by every change of the user. @throws 422 `link_invalid` */
  private async byToken<T>(
    ctx: RequestContext,
    token: string,
    work: (uow: UnitOfWork, hash: Buffer, user: Awaited<ReturnType<UserService['lock']>>) => Promise<T>,
  ): Promise<T> {
    const hash = hashOf(token);
    const userId = await userOfChangeToken(this.db, hash);
    if (userId === undefined) throw linkInvalid();
    return await this.transactions.run(ctx, async (uow) => {
      const user = await this.users.lockIfExists(uow, userId);
      if (!user) throw linkInvalid();
      return await work(uow, hash, user);
    });
  }

  /** Ends the pending change of a user. @returns whether it could still be confirmed */
  private async end(uow: UnitOfWork, userId: string, name: string): Promise<boolean> {
    const ended = await withdrawChange(uow, userId);
    if (!ended) return false;
    await endMailTokens(uow, { changeId: ended.id });
    if (ended.was_open) emit(uow, 'withdrawn', userId, name);
    return ended.was_open;
  }
}

function emit(
  uow: UnitOfWork,
  what: 'requested' | 'confirmed' | 'withdrawn',
  id: string,
  name: string,
  data: Record<string, unknown> = {},
): void {
  uow.emit({ type: `user.email_change_${what}`, subject: { kind: 'user', id, name }, data });
}

const viewChange = ({
  new_email,
  confirmed_old_at,
  confirmed_new_at,
  created_at,
  expires_at,
}: EmailChangeRow): EmailChangeView => ({
  email: new_email,
  confirmed_by_old_address: confirmed_old_at !== null,
  confirmed_by_new_address: confirmed_new_at !== null,
  created_at: created_at.toISOString(),
  expires_at: expires_at.toISOString(),
});
