import type { SignedInBy } from '../identity.js';

/**
 * A sign-in whose first step has succeeded. Every way of signing in ends in `AuthService.start` with one of these, and only
 * that creates a session: what must be asked of the user in addition, such as a second factor, belongs before it, in this one
 * place, for all ways.
 */
export interface SignIn extends SignedInBy {
  userId: string;
  /** Encrypted ID token of the provider, for log-out there. */
  idToken?: Buffer | null;
}

export const byPassword = (userId: string): SignIn => ({ userId, method: 'local', provider: null });

/** Which accounts may use a password, besides those that have none. */
export interface PasswordPolicy {
  allowsPassword(account: { id: string; kind: 'person' | 'service' }): boolean;
  /** Whether persons may create accounts with a password. */
  readonly allowsRegistration: boolean;
}
