export { SsoService, CALLBACK_PATH } from './service.js';
export { IdentityService } from './identity-service.js';
export { GroupRoles, type GroupRules, type RulesByIssuer } from './group-roles.js';
export { SignInUsers } from './sign-in-users.js';
export { OidcProtocol } from './protocol.js';
export { rolesAtIssuers } from './identities-repository.js';
export { cleanSso } from './repository.js';
export {
  PROVIDER_KINDS,
  SsoRefusal,
  TOKEN_AUTHS,
  type GroupRole,
  type ProviderKind,
  type SsoPolicy,
  type SignInRules,
  type SsoProvider,
  type TokenAuth,
} from './provider.js';
