export { Outbound } from './request.js';
export { isPublic } from './guard.js';
export type { Address, Resolve } from './resolve.js';
export { bareHost, portOf } from './url.js';
export { retryAfter } from './retries.js';
export type { Opened } from './exchange.js';
