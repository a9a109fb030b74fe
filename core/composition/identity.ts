import { Revisions } from '../foundation/db/revisions.js';
import { Transactions } from '../foundation/db/unit-of-work.js';
import { Outbound } from '../foundation/outbound/index.js';
import { Secrets } from '../foundation/secrets/index.js';
import {
  AuthService,
  DatabaseLimitStore,
  RateLimiter,
  RedisLimitStore,
  SessionCache,
  SetupCode,
  TokenKeys,
  WriteLimits,
} from '../identity/auth/index.js';
import {
  AccountMailSender,
  EmailChangeService,
  InvitationService,
  MailSetup,
  PasswordResetService,
} from '../identity/journeys/index.js';
import { LoginAttempts, PasswordHasher } from '../identity/passwords/index.js';
import { PermissionCatalogue, RbacService, RoleService } from '../identity/rbac/index.js';
import { GroupRoles, IdentityService, OidcProtocol, SignInUsers, SsoService } from '../identity/sso/index.js';
import { ActingUsers, ApiTokenService } from '../identity/tokens/index.js';
import { SsoAccounts, UserService } from '../identity/users/index.js';
import { MetamodelService } from '../inventory/metamodel/index.js';
import { SettingsService, SmtpSettings, SsoSettings } from '../settings/index.js';
import { CONFIG, DATABASE, LOG } from './tokens.js';
import type { Once } from './once.js';

/** Registers log-in, passwords, users and roles. */
export function registerIdentity(once: Once): void {
  once(PermissionCatalogue, (get) => new PermissionCatalogue(get(Transactions)));
  once(
    RbacService,
    (get) =>
      new RbacService(
        get(DATABASE),
        get(Transactions),
        get(Revisions),
        get(MetamodelService),
        get(PermissionCatalogue),
      ),
  );
  once(RoleService, (get) => new RoleService(get(DATABASE), get(Transactions), get(PermissionCatalogue)));
  once(TokenKeys, (get) => new TokenKeys(get(CONFIG), get(Secrets)));
  once(RateLimiter, (get) => {
    const fallback = new DatabaseLimitStore(get(DATABASE));
    const { redisUrl: url } = get(CONFIG);
    return new RateLimiter(
      url === undefined ? fallback : new RedisLimitStore({ url, secrets: get(Secrets), fallback, log: get(LOG) }),
    );
  });
  once(WriteLimits, (get) => new WriteLimits(get(DATABASE), get(SettingsService)));
  once(PasswordHasher, (get) => new PasswordHasher(get(CONFIG).threadPoolSize));
  once(LoginAttempts, (get) => new LoginAttempts(get(DATABASE), () => get(SettingsService).current.login_limits));
  once(SetupCode, (get) => new SetupCode(get(DATABASE), get(Secrets), get(LOG)));
  once(SessionCache, (get) => new SessionCache(get(DATABASE), get(Revisions), get(RbacService)));
  once(
    UserService,
    (get) =>
      new UserService(get(DATABASE), get(Transactions), get(RbacService), get(PasswordHasher), get(LoginAttempts)),
  );
  once(
    AuthService,
    (get) =>
      new AuthService(
        get(DATABASE),
        get(Transactions),
        get(CONFIG),
        get(SessionCache),
        get(RbacService),
        get(UserService),
        get(SettingsService),
        get(PasswordHasher),
        get(SetupCode),
        get(LoginAttempts),
        get(SsoSettings),
      ),
  );
  registerSso(once);
  once(ActingUsers, (get) => new ActingUsers(get(DATABASE), get(UserService), get(RbacService)));
  once(
    ApiTokenService,
    (get) =>
      new ApiTokenService(
        get(DATABASE),
        get(Transactions),
        get(AuthService),
        get(RbacService),
        get(PermissionCatalogue),
        get(UserService),
        get(SettingsService),
      ),
  );
  registerJourneys(once);
}

/** Registers what users do by links of mails. */
function registerJourneys(once: Once): void {
  once(MailSetup, (get) => new MailSetup(get(SmtpSettings), get(CONFIG).publicUrl));
  once(
    InvitationService,
    (get) =>
      new InvitationService(
        get(DATABASE),
        get(Transactions),
        get(RbacService),
        get(UserService),
        get(AuthService),
        get(PasswordHasher),
        get(MailSetup),
        get(SsoSettings),
      ),
  );
  once(
    PasswordResetService,
    (get) =>
      new PasswordResetService(
        get(DATABASE),
        get(Transactions),
        get(UserService),
        get(PasswordHasher),
        get(MailSetup),
        get(SsoSettings),
        get(LOG),
      ),
  );
  once(
    EmailChangeService,
    (get) =>
      new EmailChangeService(get(DATABASE), get(Transactions), get(AuthService), get(UserService), get(MailSetup)),
  );
  once(
    AccountMailSender,
    (get) =>
      new AccountMailSender(get(Transactions), get(SmtpSettings), get(SettingsService), {
        invitation: (...of) => get(InvitationService).prepareMail(...of),
        password_reset: (...of) => get(PasswordResetService).prepareMail(...of),
        email_change_old: (uow, id) => get(EmailChangeService).prepareMail(uow, id, 'old'),
        email_change_new: (uow, id) => get(EmailChangeService).prepareMail(uow, id, 'new'),
      }),
  );
}

function registerSso(once: Once): void {
  once(OidcProtocol, (get) => new OidcProtocol(get(Outbound)));
  once(SsoAccounts, (get) => new SsoAccounts(get(UserService)));
  once(GroupRoles, (get) => new GroupRoles(get(SsoAccounts), get(LOG)));
  once(SignInUsers, (get) => new SignInUsers(get(RbacService), get(SsoAccounts), get(SsoSettings), get(LOG)));
  once(
    SsoService,
    (get) =>
      new SsoService(
        get(DATABASE),
        get(Transactions),
        get(CONFIG),
        get(SsoSettings),
        get(OidcProtocol),
        get(SignInUsers),
        get(AuthService),
        get(Secrets),
        get(LOG),
      ),
  );
  once(
    IdentityService,
    (get) =>
      new IdentityService(
        get(DATABASE),
        get(Transactions),
        get(RbacService),
        get(UserService),
        get(SsoAccounts),
        get(SsoSettings),
      ),
  );
}
