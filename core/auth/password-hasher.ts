import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { invalid } from '../errors.js';
import { passwordFault } from './password-policy.js';

/** Argon2id (the library's default variant) with 19 MiB and two passes, as OWASP's password storage sheet has it. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Text that looks alike is typed differently on different keyboards. */
const canonical = (password: string): string => password.normalize('NFKC');

/** Hashes and verifies passwords on the thread pool, never on the event loop. */
export class PasswordHasher {
  private readonly decoy = hash(randomBytes(32), OPTIONS);

  /** @returns the hash with its parameters, in PHC string format */
  async hash(password: string): Promise<string> {
    return await hash(canonical(password), OPTIONS);
  }

  /**
   * Verifies a password. Without a hash it takes as long as with one, and fails.
   * @param hashed what `hash` gave
   */
  async verify(hashed: string | null | undefined, password: string): Promise<boolean> {
    const matches = await verify(hashed ?? await this.decoy, canonical(password));
    return matches && typeof hashed === 'string';
  }

  /**
   * What the policy has against a password somebody wants to set.
   * @param email the account's
   * @returns the reason, undefined when it will do
   */
  fault(password: string, email?: string): string | undefined {
    return passwordFault(password, email);
  }

  /**
   * Hashes a password that is about to be set.
   * @param field JSON pointer of the body's member it came in
   * @param email the account's, which must not be the password
   * @throws 422 when the policy refuses it
   */
  async hashNew(password: string, field: string, email?: string): Promise<string> {
    const reason = this.fault(password, email);
    if (reason !== undefined) throw invalid({ field, reason });
    return await this.hash(password);
  }
}
