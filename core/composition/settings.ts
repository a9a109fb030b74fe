import { Revisions } from '../foundation/db/revisions.js';
import { Transactions } from '../foundation/db/unit-of-work.js';
import { FileStore } from '../foundation/files/index.js';
import { Outbound } from '../foundation/outbound/index.js';
import { Secrets } from '../foundation/secrets/index.js';
import { AccessGate } from '../inventory/access/index.js';
import { RbacService } from '../identity/rbac/index.js';
import {
  AiSettings,
  CardLimits,
  LanguageModel,
  LogoService,
  SettingsService,
  SmtpSettings,
  SsoSettings,
} from '../settings/index.js';
import { GroupRoles, OidcProtocol } from '../identity/sso/index.js';
import { UserService } from '../identity/users/index.js';
import { CONFIG, DATABASE } from './tokens.js';
import type { Once } from './once.js';

/** Registers the settings of the workspace. */
export function registerSettings(once: Once): void {
  once(
    SettingsService,
    (get) => new SettingsService(get(DATABASE), get(Transactions), get(Revisions), get(RbacService)),
  );
  once(CardLimits, (get) => new CardLimits(get(SettingsService)));
  once(LogoService, (get) => new LogoService(get(DATABASE), get(Transactions), get(FileStore), get(Revisions)));
  once(
    SmtpSettings,
    (get) => new SmtpSettings(get(DATABASE), get(Transactions), get(Secrets), get(Outbound), get(SettingsService)),
  );
  once(
    SsoSettings,
    (get) =>
      new SsoSettings(
        get(DATABASE),
        get(Transactions),
        get(Revisions),
        get(Secrets),
        get(RbacService),
        get(UserService),
        get(GroupRoles),
        get(OidcProtocol),
        get(CONFIG),
      ),
  );
  once(
    AiSettings,
    (get) =>
      new AiSettings(
        get(DATABASE),
        get(Transactions),
        get(Secrets),
        get(Outbound),
        (ctx) => get(AccessGate).hiddenTypes(ctx).length === 0,
      ),
  );
  once(LanguageModel, (get) => new LanguageModel(get(DATABASE), get(Transactions), get(Outbound), get(AiSettings)));
}
