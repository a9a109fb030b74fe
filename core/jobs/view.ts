import type { JobView } from './schemas.js';
import type { JobRow } from './view-repository.js';

/** Names under which secrets are kept, should somebody queue one against the rules. */
const SECRET = /passw|passphrase|secret|token|credential|authorization|(api|private|access)[_-]?key/i;
const HIDDEN = '[hidden]';
const IN_URL = /([a-z][a-z0-9+.-]*:\/\/)[^\s/@]*:[^\s/@]*@/gi;

/** A value without what looks like a secret. */
export function withoutSecrets(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(IN_URL, `$1${HIDDEN}@`);
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, SECRET.test(key) && item !== null ? HIDDEN : withoutSecrets(item)]));
}

export function viewJob({ payload, progress, result, error, run_at, created_at, finished_at, ...row }: JobRow): JobView {
  return {
    ...row,
    payload: withoutSecrets(payload), progress: withoutSecrets(progress), result: withoutSecrets(result), error: error === null ? null : String(withoutSecrets(error)),
    run_at: run_at.toISOString(), created_at: created_at.toISOString(), finished_at: finished_at?.toISOString() ?? null,
  };
}
