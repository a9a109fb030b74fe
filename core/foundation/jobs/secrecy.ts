import { inspect } from 'node:util';

/** Names under which secrets are kept, should somebody queue one against the rules. */
const SECRET = /passw|passphrase|secret|token|credential|authorization|(api|private|access)[_-]?key/i;
const HIDDEN = '[hidden]';
/** Bounded in all its parts: it is run over whatever somebody queued. */
const IN_URL = /([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/@:]{0,200}:[^\s/@]{0,1000}@/gi;
const MAX_ERROR = 2_000;

/** A value without what looks like a secret. */
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

/** What went wrong, as it is stored and told in events: without secrets, and without what the database cannot hold. */
export function textOf(error: unknown): string {
  const { message } = (error ?? {}) as { message?: unknown };
  // Anything may be thrown, also what cannot be made a string of.
  const given = typeof message === 'string' ? message : inspect(error);
  const text = String(withoutSecrets(given.slice(0, 2 * MAX_ERROR)));
  return text.slice(0, MAX_ERROR).replaceAll('\0', '').toWellFormed();
}
