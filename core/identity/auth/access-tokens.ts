import { problem, type Problem } from '../../foundation/errors.js';

/** Claims of an access token or API token. Only `sub`, `sid`, `use` and `exp` are trusted: all else is read from current data. */
export interface Claims {
  sub: string;
  /** Id of the session, or of the API token. */
  sid: string;
  role: string;
  jti: string;
  /** Seconds since 1970. */
  iat: number;
  exp: number;
  iss: string;
  aud: string;
  /** Of an API token, which is not accepted as an access token of a session, nor the other way round. */
  use?: 'api';
}

export const ISSUER = 'lintel';
export const AUDIENCE = 'lintel';
export const REQUIRED_CLAIMS: readonly (keyof Claims)[] = ['sub', 'sid', 'role', 'jti', 'iat', 'exp', 'iss', 'aud'];

/** Signs and verifies access tokens and API tokens; implemented by the HTTP layer. */
export interface AccessTokens {
  sign(claims: Claims): string;
  /** @returns the claims; undefined for a token that is forged, malformed or expired */
  verify(token: string): Claims | undefined;
}

const BEARER = /^Bearer +([\w-]{1,1000}\.[\w-]{1,3000}\.[\w-]{1,1000}) *$/i;

/** The token of an Authorization header; undefined where the header is absent or malformed. */
export function bearerToken(header: string | undefined): string | undefined {
  return header === undefined ? undefined : BEARER.exec(header)?.[1];
}

/** The problem for a request without a valid token. @param detail the reason, as a sentence */
export const invalidToken = (detail: string): Problem =>
  problem('invalid_token', { detail, headers: { 'www-authenticate': 'Bearer error="invalid_token"' } });
