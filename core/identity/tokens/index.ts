export { ActingUsers } from './acting-users.js';
export { ApiTokenService } from './service.js';
