import { randomBytes } from 'node:crypto';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { sha256 } from '../../foundation/digest.js';
import { problem } from '../../foundation/errors.js';
import { insertMailToken, type TokenOwner, type TokenPurpose } from './token-repository.js';

/** A token has 256 random bits, so a plain hash of it cannot be reversed by search. */
export const hashOf = sha256;

/**
 * Makes a token for the mail that is about to be sent, and stores its hash. The tokens of earlier attempts to send the
 * mail remain valid: one of them may have arrived.
 * @returns the token, which must only be given to the mail
 */
export async function newMailToken(
  uow: UnitOfWork,
  purpose: TokenPurpose,
  owner: TokenOwner,
  expiresAt: Date,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await insertMailToken(uow, hashOf(token), purpose, owner, expiresAt);
  return token;
}

export const linkInvalid = () => problem('link_invalid');
