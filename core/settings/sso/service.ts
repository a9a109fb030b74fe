import type { PermissionSet, RequestContext } from '@lintel/sdk';
import type { Config } from '../../../config/schema.js';
import { checkVersion } from '../../foundation/conditions.js';
import { ofFixedExtent } from '../../foundation/db/constraints.js';
import type { Database } from '../../foundation/db/database.js';
import type { Revisions } from '../../foundation/db/revisions.js';
import type { Transactions, UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { invalid, problem } from '../../foundation/errors.js';
import { pointerToken } from '../../foundation/json-pointer.js';
import { mergePatch } from '../../foundation/merge-patch.js';
import type { Secrets } from '../../foundation/secrets/index.js';
import type { PasswordPolicy } from '../../identity/auth/index.js';
import { ADMIN, giverOf, type RbacService, type RoleGrantPolicy } from '../../identity/rbac/index.js';
import {
  CALLBACK_PATH,
  rolesAtIssuers,
  SsoRefusal,
  type GroupRoles,
  type OidcProtocol,
  type SignInRules,
  type SsoPolicy,
  type SsoProvider,
} from '../../identity/sso/index.js';
import type { UserService } from '../../identity/users/index.js';
import { ConnectionTestFailure, tryOut } from '../connection-test.js';
import { lockSection, readSection, shareSection, writeSection } from '../repository.js';
import type { ConnectionTestView } from '../section-schemas.js';
import { faultsOf, groupRulesOf, issuerOf, rolesOf, type Fault } from './rules.js';
import type { ProviderValues, SsoPatch, SsoValues, SsoView } from './schemas.js';
import {
  boundSecretFaults,
  changesOf,
  complete,
  secretName,
  split,
  withoutFixedIssuers,
  type GivenSecrets,
  type Stored,
} from './values.js';

/** Attempts to read settings and secrets between changes. */
const MOST_READS = 5;

/** The settings of single sign-on: cached in memory on every node; changes take effect within a second. */
export class SsoSettings implements SsoPolicy, PasswordPolicy {
  private held = complete({});

  constructor(
    private readonly db: Database,
    private readonly transactions: Transactions,
    private readonly revisions: Revisions,
    private readonly secrets: Secrets,
    private readonly rbac: RbacService,
    private readonly users: UserService,
    private readonly groupRoles: GroupRoles,
    private readonly protocol: OidcProtocol,
    private readonly config: Pick<Config, 'publicUrl'>,
  ) {}

  /** Called after the rows of the settings were created. */
  async start(): Promise<void> {
    this.revisions.on('settings', () => this.load());
    await this.load();
  }

  get current(): SsoPolicy['current'] {
    const providers = Object.entries(this.held.providers)
      .filter(([, { is_enabled }]) => is_enabled)
      .map(([id, { kind, label }]) => ({ id, kind, label }))
      .sort((a, b) => (a.label === b.label ? (a.id < b.id ? -1 : 1) : a.label < b.label ? -1 : 1));
    return { ...this.held, providers };
  }

  get issuers(): ReadonlyMap<string, string> {
    return new Map(
      Object.entries(this.held.providers).flatMap(([id, values]) => {
        const issuer = issuerOf(values);
        return issuer === null ? [] : [[issuer, id] as const];
      }),
    );
  }

  async provider(id: string): Promise<SsoProvider | undefined> {
    const provider = Object.hasOwn(this.held.providers, id) ? await this.usable(id) : undefined;
    return provider?.is_enabled === true ? provider : undefined;
  }

  async lockRules(uow: UnitOfWork, id: string): Promise<SignInRules> {
    const { providers, jit } = await this.locked(uow);
    const values = Object.hasOwn(providers, id) ? providers[id] : undefined;
    const issuer = values && issuerOf(values);
    return { jit, provider: values?.is_enabled === true && issuer ? { ...values, issuer } : undefined };
  }

  async rolesByGroups(uow: UnitOfWork, id: string): Promise<readonly (string | null)[]> {
    const { providers, jit } = await this.locked(uow);
    const { role_map = [], unmapped } = Object.hasOwn(providers, id) ? providers[id]! : {};
    const others = unmapped === 'jit_role' && role_map.length > 0 ? [jit.role] : [];
    return [...role_map.map(({ role }) => role), ...others];
  }

  /** Persons use single sign-on where it is enforced, except one administrator; service accounts use passwords. */
  allowsPassword({ id, kind }: { id: string; kind: 'person' | 'service' }): boolean {
    const { enforced, break_glass_user_id } = this.held;
    return !enforced || kind === 'service' || id === break_glass_user_id;
  }

  get allowsRegistration(): boolean {
    return !this.held.enforced;
  }

  /** Whether the account is the only administrator who can log in with a password; locks the settings that say so. */
  async isProtected(uow: UnitOfWork, userId: string): Promise<boolean> {
    const { enforced, break_glass_user_id } = await this.locked(uow);
    return enforced && break_glass_user_id === userId;
  }

  async read(): Promise<SsoView> {
    const { value, version } = await readSection<Stored>(this.db, 'sso');
    const values = complete(value);
    const ids = Object.keys(values.providers);
    const present = await this.secrets.present(ids.map(secretName));
    const { publicUrl } = this.config;
    return {
      ...values,
      providers: Object.fromEntries(
        Object.entries(values.providers).map(([id, provider]) => [
          id,
          { ...provider, client_secret: { is_set: present.has(secretName(id)) } },
        ]),
      ),
      callback_url: publicUrl === undefined ? null : `${publicUrl}${CALLBACK_PATH}`,
      version,
    };
  }

  /**
   * Roles follow a changed group map at once, in the same transaction.
   * @throws precondition_failed; validation_failed; forbidden where sign-ins give, gave or could take away a role with
   *   permissions that the caller does not have; unavailable where a statement about all accounts, which no other patch
   *   would shorten, exceeds its time
   */
  async update(ctx: RequestContext, patch: SsoPatch): Promise<void> {
    await ofFixedExtent(() => this.change(ctx, patch));
  }

  private async change(ctx: RequestContext, patch: SsoPatch): Promise<void> {
    const { values, secrets } = split(patch);
    await this.transactions.run(ctx, async (uow) => {
      // The settings first, as in sign-ins and changes of users: no account of a provider changes meanwhile.
      const { value, version } = await lockSection<Stored>(uow, 'sso');
      const roles = await this.rbac.grantPolicy(uow);
      const before = complete(value);
      const stored = withoutFixedIssuers(mergePatch(value, values) as Stored);
      const after = complete(stored);
      const set = await this.secrets.present(Object.keys(before.providers).map(secretName), uow);
      const changes = changesOf(before, after);
      // Whether a sent secret equals the stored one is not revealed: sending one always counts as a change.
      for (const [id, given] of secrets)
        if (given !== null || set.has(secretName(id)))
          changes.push({
            field: `providers.${id}.client_secret`,
            old: { is_set: set.has(secretName(id)) },
            new: { is_set: given !== null },
          });
      checkVersion(
        ctx,
        version,
        changes.map(({ field }) => field),
      );
      await this.check(uow, before, after, [
        ...boundSecretFaults(before, after, set, secrets),
        ...this.roleFaults(roles, before, after),
      ]);
      if (changes.length === 0) return { version };
      if (changes.some(({ field }) => field === 'jit' || field.startsWith('providers.'))) {
        const giver = await giverOf(uow);
        await this.ensureGivable(uow, roles, giver, before, after);
        await this.groupRoles.follow(uow, roles, giver, groupRulesOf(before, roles), groupRulesOf(after, roles));
      }
      await this.storeSecrets(uow, before, after, secrets);
      uow.emit({
        type: 'settings.updated',
        subject: { kind: 'settings', id: 'sso', name: 'Single sign-on' },
        data: { changes },
      });
      uow.bump('settings');
      return { version: await writeSection(uow, 'sso', stored) };
    });
  }

  /** Reads metadata and keys of a provider, enabled or not, and reports the result. @throws validation_failed */
  async test(id: string): Promise<ConnectionTestView> {
    const { value } = await readSection<Stored>(this.db, 'sso');
    if (!Object.hasOwn(value.providers ?? {}, id)) throw invalid({ field: '/provider', reason: 'names no provider' });
    return await tryOut(async () => {
      const { publicUrl } = this.config;
      if (publicUrl === undefined)
        throw new ConnectionTestFailure('PUBLIC_URL is not set, so that the provider could not send browsers back.');
      const provider = await this.usable(id);
      if (!provider) throw new ConnectionTestFailure('The issuer or the client id is not set.');
      try {
        const keys = await this.protocol.probe(provider);
        return `${provider.issuer} answers, with ${keys} signing key${keys === 1 ? '' : 's'}. Its redirect URI has to be ${publicUrl}${CALLBACK_PATH}`;
      } catch (error) {
        if (error instanceof SsoRefusal) throw new ConnectionTestFailure(error.message);
        throw error;
      }
    }, undefined);
  }

  /** Read from the database: the secret of one issuer must not be sent to that of settings from before or after it. */
  private async usable(id: string): Promise<(SsoProvider & Pick<ProviderValues, 'is_enabled'>) | undefined> {
    for (let tries = 0; tries < MOST_READS; tries++) {
      const { value, version } = await readSection<Stored>(this.db, 'sso');
      const secret = (await this.secrets.get(secretName(id)))?.toString('utf8');
      if ((await readSection(this.db, 'sso')).version !== version) continue;
      const { providers } = complete(value);
      const values = Object.hasOwn(providers, id) ? providers[id] : undefined;
      const issuer = values && issuerOf(values);
      if (!values || !issuer || values.client_id === null) return undefined;
      return { ...values, id, issuer, client_id: values.client_id, secret };
    }
    return undefined;
  }

  private roleFaults(roles: RoleGrantPolicy, before: SsoValues, after: SsoValues): Fault[] {
    const known = rolesOf(before);
    const isFaulty = (role: string): boolean => !known.has(role) && !roles.isGivable(role);
    const reason = 'names no role that can be given';
    return [
      ...(after.jit.role !== null && isFaulty(after.jit.role) ? [{ field: '/jit/role', reason }] : []),
      ...Object.entries(after.providers).flatMap(([id, { role_map }]) =>
        role_map.flatMap(({ role }, n) =>
          isFaulty(role) ? [{ field: `/providers/${pointerToken(id)}/role_map/${n}/role`, reason }] : [],
        ),
      ),
    ];
  }

  private async check(uow: UnitOfWork, before: SsoValues, after: SsoValues, faults: Fault[]): Promise<void> {
    faults.push(...faultsOf(after));
    if (after.enforced && !before.enforced && this.config.publicUrl === undefined)
      faults.push({ field: '/enforced', reason: 'needs PUBLIC_URL' });
    const { enforced, break_glass_user_id: id } = after;
    const isNew = enforced !== before.enforced || id !== before.break_glass_user_id;
    if (id !== null && isNew && !(await this.isWorkingAdmin(uow, id)))
      faults.push({
        field: '/break_glass_user_id',
        reason: 'must be an active administrator, a person, who has a password and no single sign-on',
      });
    if (faults.length > 0) throw invalid(...faults);
  }

  private async isWorkingAdmin(uow: UnitOfWork, id: string): Promise<boolean> {
    const user = await this.users.lock(uow, id).catch(absentUser);
    return (
      user?.is_active === true &&
      user.role === ADMIN &&
      user.kind === 'person' &&
      user.auth_provider === 'local' &&
      user.password_hash !== null
    );
  }

  /**
   * Requires that the caller has all permissions that sign-ins gave before the change or give after it, and those of the
   * accounts at the providers, which groups could take away.
   */
  private async ensureGivable(
    uow: UnitOfWork,
    roles: RoleGrantPolicy,
    giver: PermissionSet,
    before: SsoValues,
    after: SsoValues,
  ): Promise<void> {
    const issuers = [before, after].flatMap(({ providers }) => Object.values(providers).map(issuerOf));
    const held = await rolesAtIssuers(
      uow,
      issuers.filter((issuer) => issuer !== null),
    );
    const given = new Set([...rolesOf(before), ...rolesOf(after), ...held]);
    if (after.jit.role === null || before.jit.role === null) given.add(roles.defaultRole);
    for (const role of given) roles.ensureWithin(giver, role);
  }

  private async storeSecrets(uow: UnitOfWork, before: SsoValues, after: SsoValues, given: GivenSecrets): Promise<void> {
    for (const [id, secret] of given)
      if (secret === null) await this.secrets.remove(secretName(id), uow);
      else await this.secrets.set(secretName(id), Buffer.from(secret), uow);
    for (const id of Object.keys(before.providers))
      if (!Object.hasOwn(after.providers, id)) await this.secrets.remove(secretName(id), uow);
  }

  /** The stored settings, which do not change until the unit of work ends. */
  private async locked(uow: UnitOfWork): Promise<SsoValues> {
    return complete((await shareSection<Stored>(uow, 'sso')).value);
  }

  private async load(): Promise<void> {
    this.held = complete((await readSection<Stored>(this.db, 'sso')).value);
  }
}

function absentUser(error: unknown): undefined {
  if ((error as { code?: unknown }).code === problem('not_found').code) return undefined;
  throw error;
}
