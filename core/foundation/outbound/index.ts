export { Outbound } from './request.js';
export { isPublic } from './guard.js';
export type { Address, Resolve } from './resolve.js';
export { bareHost, portOf } from './url.js';
