import { createHash } from 'node:crypto';

/** JSON with sorted members, by which values are compared. */
export function canonical(value: unknown): string {
  return JSON.stringify(value ?? null, (_key, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

/** Whether two values are the same; nothing is null. */
export const same = (a: unknown, b: unknown): boolean => {
  if (a === b || (a ?? null) === (b ?? null)) return true;
  if (typeof a !== 'object' && typeof b !== 'object') return false;
  return canonical(a) === canonical(b);
};

/** SHA-256 of a value, in base64. */
export const digestOf = (value: unknown): string => createHash('sha256').update(canonical(value)).digest('base64');
