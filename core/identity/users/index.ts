export { UserService } from './service.js';
export { receiverOf, viewUser } from './views.js';
export type { UserRow } from './repository.js';
export { DisplayName, Email, Locale, NewPassword, Role, userProperties, type UserView } from './schemas.js';
