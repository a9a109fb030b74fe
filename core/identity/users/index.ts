export { UserService, receiverOf, viewUser, type DepartureParticipant } from './service.js';
export type { UserRow } from './repository.js';
export { DisplayName, Email, Locale, NewPassword, userProperties, type UserView } from './schemas.js';
