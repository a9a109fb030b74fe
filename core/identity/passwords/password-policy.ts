import { nameKey } from '../../foundation/text.js';
import { isCommonPassword } from './common-passwords.js';

const MIN = 10;
const MAX = 256;

/**
 * Checks a new password against the policy.
 * @param email e-mail address of the account
 * @returns the reason for rejecting it; undefined if it is acceptable
 */
export function passwordFault(password: string, email?: string): string | undefined {
  const { length } = [...password];
  if (length < MIN) return `must have at least ${MIN} characters`;
  if (length > MAX) return `must not have more than ${MAX} characters`;
  if (email !== undefined && nameKey(password.trim()) === nameKey(email.trim()))
    return 'must not be the e-mail address';
  if (isCommonPassword(password)) return 'is one of the commonest passwords';
  return undefined;
}
