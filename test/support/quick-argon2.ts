/**
 * Replaces `@node-rs/argon2` in files that share a process: the same function with less memory and one pass, because hashing took 3 %
 * of the processor time of all tests. Files in a process of their own, and services, use the parameters of the service.
 */
import { hash as hashWith, verify, type Options } from '@node-rs/argon2';

/** The least that the library accepts for one lane is 8 KiB. */
const QUICK = { memoryCost: 64, timeCost: 1 };

export const hash = (password: string | Uint8Array, options: Options): Promise<string> =>
  hashWith(password, { ...options, ...QUICK });
export { verify };
