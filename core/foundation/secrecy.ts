import { inspect } from 'node:util';

/** Property names under which secrets usually appear, in case a payload contains one despite the rules. */
const SECRET = /passw|passphrase|secret|token|credential|authorization|(api|private|access)[_-]?key/i;
const HIDDEN = '[hidden]';
/** All repetitions are bounded, because it is applied to arbitrary payloads. */
const IN_URL = /([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/@:]{0,200}:[^\s/@]{0,1000}@/gi;
/** Maximum number of characters of an error text. */
const MAX_ERROR = 2_000;

/** A copy of a value in which everything that looks like a secret is replaced. */
export function withoutSecrets(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(IN_URL, `$1${HIDDEN}@`);
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      SECRET.test(key) && item !== null ? HIDDEN : withoutSecrets(item),
    ]),
  );
}

/** The text of an error as stored and published in events: at most 2,000 characters, without secrets and characters that the database cannot store. */
export function errorText(error: unknown): string {
  const { message } = (error ?? {}) as { message?: unknown };
  // Anything may be thrown, including values that cannot be converted to a string.
  const given = typeof message === 'string' ? message : inspect(error);
  const text = String(withoutSecrets(given.slice(0, 2 * MAX_ERROR)));
  return text.slice(0, MAX_ERROR).replaceAll('\0', '').toWellFormed();
}
