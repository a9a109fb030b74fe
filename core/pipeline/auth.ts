import jwt, { type FastifyJWTOptions } from '@fastify/jwt';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { AUDIENCE, ISSUER, REQUIRED_CLAIMS, type Claims } from '../identity/auth/index.js';

declare module '@fastify/jwt' {
  interface FastifyJWT {
    namespaces: 'current' | 'previous';
  }
}

const VERIFIED_TOKENS_KEPT = 10_000;

/** Only one algorithm, and only tokens with an expiry: the library would accept a token without one. */
const options = (namespace: 'current' | 'previous', secret: string): FastifyJWTOptions => ({
  namespace,
  secret,
  sign: { algorithm: 'HS256' },
  verify: {
    algorithms: ['HS256'],
    requiredClaims: [...REQUIRED_CLAIMS],
    allowedIss: ISSUER,
    allowedAud: AUDIENCE,
    cache: VERIFIED_TOKENS_KEPT,
  },
});

/** Access tokens: signed with the current key, verified with the current and, during a key change, the previous one. */
export default fp(
  async (app: FastifyInstance) => {
    const { auth, tokenKeys } = app.services;
    await app.register(jwt, options('current', tokenKeys.current));
    if (tokenKeys.previous !== undefined) await app.register(jwt, options('previous', tokenKeys.previous));
    const verifiers = [app.jwt.current, ...(tokenKeys.previous === undefined ? [] : [app.jwt.previous])];

    auth.useTokens({
      sign: (claims) => app.jwt.current.sign(claims),
      verify(token) {
        for (const verifier of verifiers) {
          try {
            return verifier.verify<Claims>(token);
          } catch {
            /* The token is invalid for this key. */
          }
        }
        return undefined;
      },
    });
  },
  { name: 'auth', dependencies: ['errors'] },
);
