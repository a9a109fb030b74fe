export { AuthService } from './service.js';
export { PasswordHasher } from './password-hasher.js';
export { SessionCache, type Identity } from './session-cache.js';
export { TokenKeys } from './token-keys.js';
export { AUDIENCE, ISSUER, REQUIRED_CLAIMS, type AccessTokens, type Claims } from './access-tokens.js';
export { clientKey } from './client-address.js';
export { RateLimiter, type RateLimitState } from './rate-limiter.js';
export { cleanCounters } from './limits-repository.js';
export { cleanSessions } from './session-repository.js';
