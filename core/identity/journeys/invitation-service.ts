import { requireRoom, type RequestContext } from '@lintel/sdk';
import type { Database } from '../../foundation/db/database.js';
import type { Page } from '../../foundation/db/list-query.js';
import type { Transactions, UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { invalid, Problem, problem } from '../../foundation/errors.js';
import { clientKey, type ClientInfo } from '../../foundation/http/client-address.js';
import { uuidv7 } from '../../foundation/ids.js';
import { nameKey } from '../../foundation/text.js';
import { byPassword, type AuthService, type PasswordPolicy, type TokenAnswer } from '../auth/index.js';
import { mayMail, queueAccountMail, unlinked } from '../mails/index.js';
import type { PasswordHasher } from '../passwords/index.js';
import { giverOf, storedPermissions, type RbacService, type RoleGrantPolicy } from '../rbac/index.js';
import type { UserService } from '../users/index.js';
import {
  INVITATIONS,
  endInvitation,
  findInvitation,
  hasAccount,
  insertInvitation,
  invitationOfToken,
  listInvitations,
  lockInvitation,
  prolongInvitation,
  readInvitationMail,
  type InvitationRow,
  type LockedInvitation,
} from './invitation-repository.js';
import type { MailSetup } from './mail-setup.js';
import type { PreparedMail } from './mail-sender.js';
import type { AcceptBody, InvitationCreate, InvitationQuery, InvitationView } from './schemas.js';
import { endMailTokens, spendMailToken } from './token-repository.js';
import { hashOf, linkInvalid, newMailToken } from './tokens.js';

/** Permission of a user who invites; asked again when the invitation is accepted. */
const PERMISSION = 'users.manage';
/** Maximum number of mails to one address in an hour. */
const MOST_MAILS = 10;

/** Invitations: how people get an account whose e-mail address is confirmed and whose password only they know. */
export class InvitationService {
  constructor(
    private readonly db: Database,
    private readonly transactions: Transactions,
    private readonly rbac: RbacService,
    private readonly users: UserService,
    private readonly auth: AuthService,
    private readonly hasher: PasswordHasher,
    private readonly setup: MailSetup,
    private readonly passwords: PasswordPolicy,
  ) {}

  async list(query: InvitationQuery): Promise<Page<InvitationView>> {
    const page = await listInvitations(this.db, query);
    return { ...page, items: page.items.map(viewInvitation) };
  }

  /** @throws `not_found` */
  async get(id: string): Promise<InvitationView> {
    const row = await findInvitation(this.db, id);
    if (!row) throw problem('not_found');
    return viewInvitation(row);
  }

  /**
   * Invites a person, by a mail with a link.
   * @returns the id of the invitation
   * @throws 403 where the role has permissions that the caller does not have, 409 `email_taken`, `invitation_exists` or
   *   `mail_unavailable`, `limit_reached`, 422 for a role that cannot be given, 429 after many mails to the address
   */
  async create(ctx: RequestContext, { email, role, display_name, locale }: InvitationCreate): Promise<string> {
    await this.ensurePossible();
    const address = email.trim();
    const email_key = nameKey(address);
    const made = await this.transactions.run(ctx, async (uow) => {
      const policy = await this.rbac.grantPolicy(uow);
      policy.ensureGivable(await giverOf(uow), role);
      await this.ensureFree(uow, email_key);
      await requireRoom(uow, INVITATIONS, [{ invited_by: ctx.actor!.id }], problem);
      const id = uuidv7();
      const expires_at = await insertInvitation(uow, {
        id,
        email: address,
        email_key,
        display_name: display_name?.trim() ?? null,
        role,
        locale: locale ?? null,
        invited_by: ctx.actor!.id,
      });
      await queueAccountMail(uow, 'invitation', id);
      emit(uow, 'created', { id, email: address }, { email: address, role, expires_at: expires_at.toISOString() });
      return { id };
    });
    return made.id;
  }

  /**
   * Sends the mail again, with a new link that is valid for seven days; earlier links end. From now on the permissions of
   * the caller limit the role.
   * @throws as `create`, 404, 409 `invalid_state` where it was accepted or withdrawn, or its role cannot be given any more
   */
  async resend(ctx: RequestContext, id: string): Promise<void> {
    await this.ensurePossible();
    await this.transactions.run(ctx, async (uow) => {
      const policy = await this.rbac.grantPolicy(uow);
      const giver = await giverOf(uow);
      const invitation = await this.lock(uow, id);
      if (!policy.isGivable(invitation.role))
        throw problem('invalid_state', { detail: `The role ${invitation.role} cannot be given any more.` });
      policy.ensureWithin(giver, invitation.role);
      await this.ensureFree(uow, invitation.email_key);
      const expires_at = await prolongInvitation(uow, id, ctx.actor!.id);
      await endMailTokens(uow, { invitationId: id });
      await queueAccountMail(uow, 'invitation', id);
      emit(uow, 'resent', invitation, { expires_at: expires_at.toISOString() });
      return { id };
    });
  }

  /** @throws 404, 409 `invalid_state`, 403 where the role has permissions that the caller does not have */
  async withdraw(ctx: RequestContext, id: string): Promise<void> {
    await this.transactions.run(ctx, async (uow) => {
      const policy = await this.rbac.grantPolicy(uow);
      const giver = await giverOf(uow);
      const invitation = await this.lock(uow, id);
      policy.ensureWithin(giver, invitation.role);
      await endInvitation(uow, id, 'withdrawn', null);
      await endMailTokens(uow, { invitationId: id });
      emit(uow, 'withdrawn', invitation);
    });
  }

  /**
   * Makes the account of an invitation, and logs it in. The user who invited must still have every permission of the role,
   * and may still manage users. Of several requests with one token, one succeeds.
   * @throws 422 `link_invalid`, 422 for a password that the policy rejects or a missing name, 409 `email_taken`, 503
   *   `unavailable` where too many passwords are queued for hashing
   */
  async accept(ctx: RequestContext, body: AcceptBody, client: ClientInfo): Promise<TokenAnswer> {
    const hash = hashOf(body.token);
    const found = await invitationOfToken(this.db, hash);
    if (!found) throw linkInvalid();
    this.ensurePasswords();
    const display_name = body.display_name ?? found.display_name;
    const fault = this.hasher.fault(body.password, found.email);
    const faults = [
      ...(fault === undefined ? [] : [{ field: '/password', reason: fault }]),
      ...(display_name === null
        ? [{ field: '/display_name', reason: 'is required, because the invitation has none' }]
        : []),
    ];
    if (faults.length > 0) throw invalid(...faults);
    const password_hash = await this.hasher.hash(body.password, clientKey(client.address));
    const answer = await this.auth.signIn(ctx, client, async (uow) => {
      const policy = await this.rbac.grantPolicy(uow);
      const invitation = await lockInvitation(uow, found.id);
      if (invitation?.status !== 'pending' || !(await spendMailToken(uow, hash, 'accept'))) throw linkInvalid();
      const { id, email, role, locale } = invitation;
      await this.ensureStillGiven(uow, policy, invitation);
      const userId = await this.users.insert(
        uow,
        { email, display_name: display_name!, role, kind: 'person', locale, password_hash },
        'user.registered',
      );
      await endInvitation(uow, id, 'accepted', userId);
      await endMailTokens(uow, { invitationId: id });
      emit(uow, 'accepted', invitation, { user_id: userId });
      return byPassword(userId);
    });
    return answer!;
  }

  /** The mail of an invitation, with a new token; undefined where it has ended. */
  async prepareMail(uow: UnitOfWork, id: string): Promise<PreparedMail | undefined> {
    const found = await readInvitationMail(uow, id);
    if (!found) return undefined;
    const { email, display_name, locale, expires_at, inviter } = found;
    const token = await newMailToken(uow, 'accept', { invitationId: id }, expires_at);
    return {
      to: email,
      locale,
      tokens: [token],
      letter: {
        subject: 'invitation_subject',
        name: display_name,
        values: { inviter: unlinked(inviter), email, until: expires_at },
        blocks: [
          'invitation_body',
          { label: 'invitation_action', url: this.setup.link('accept-invitation', token) },
          'invitation_expiry',
          'invitation_ignore',
        ],
      },
    };
  }

  /** @throws 409 `mail_unavailable`, 403 `registration_disabled` */
  private async ensurePossible(): Promise<void> {
    this.ensurePasswords();
    await this.setup.ensure();
  }

  /** @throws 403 `registration_disabled` where single sign-on is enforced: persons have no passwords then */
  private ensurePasswords(): void {
    if (!this.passwords.allowsRegistration)
      throw problem('registration_disabled', { detail: 'Persons get accounts by single sign-on only.' });
  }

  /** @throws 404, 409 unless the invitation is still to be accepted, or has expired */
  private async lock(uow: UnitOfWork, id: string): Promise<LockedInvitation> {
    const invitation = await lockInvitation(uow, id);
    if (!invitation) throw problem('not_found');
    if (invitation.state !== 'pending')
      throw problem('invalid_state', { detail: `The invitation is ${invitation.state}.` });
    return invitation;
  }

  /** @throws 409 `email_taken` where an account has the address, 429 where many mails were sent to it */
  private async ensureFree(uow: UnitOfWork, emailKey: string): Promise<void> {
    if (await hasAccount(uow, emailKey)) throw problem('email_taken');
    if (!(await mayMail(uow, `invitation ${emailKey}`, MOST_MAILS)))
      throw problem('rate_limited', {
        detail: `${MOST_MAILS} mails were sent to this address within an hour.`,
        headers: { 'retry-after': '3600' },
      });
  }

  /** @throws 422 `link_invalid` where the user who invited could not give the role now */
  private async ensureStillGiven(
    uow: UnitOfWork,
    policy: RoleGrantPolicy,
    { invited_by, role }: LockedInvitation,
  ): Promise<void> {
    const detail = 'The person who sent the invitation may no longer give its role. Ask for a new invitation.';
    const giver = invited_by === null ? undefined : await storedPermissions(uow, invited_by);
    if (!giver?.has(PERMISSION)) throw problem('link_invalid', { detail });
    try {
      policy.ensureGivable(giver, role);
    } catch (error) {
      if (error instanceof Problem) throw problem('link_invalid', { detail });
      throw error;
    }
  }
}

function emit(
  uow: UnitOfWork,
  what: 'created' | 'resent' | 'withdrawn' | 'accepted',
  { id, email }: Pick<InvitationRow, 'id' | 'email'>,
  data: Record<string, unknown> = {},
): void {
  uow.emit({ type: `invitation.${what}`, subject: { kind: 'invitation', id, name: email }, data });
}

const viewInvitation = ({
  invited_by,
  inviter_name,
  created_at,
  sent_at,
  expires_at,
  ended_at,
  ...rest
}: InvitationRow): InvitationView => ({
  ...rest,
  invited_by: invited_by === null ? null : { id: invited_by, display_name: inviter_name! },
  created_at: created_at.toISOString(),
  sent_at: sent_at.toISOString(),
  expires_at: expires_at.toISOString(),
  ended_at: ended_at?.toISOString() ?? null,
});
