export { UserService } from './service.js';
export { SsoAccounts, type RoleDecision } from './sso-accounts.js';
export { receiverOf, viewUser } from './views.js';
export type { UserRow } from './repository.js';
export { DisplayName, Email, isEmail, Locale, NewPassword, Role, userProperties, type UserView } from './schemas.js';
