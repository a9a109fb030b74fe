import { createHash } from 'node:crypto';

/**
 * JSON with one spelling for each value (RFC 8785): keys in order of their UTF-16 code units, no blanks. Members that
 * are undefined are left out, as JSON does.
 */
export function canonicalJson(value: unknown): string {
  // As JSON has it first: dates are text then, and what is undefined is gone.
  return write(JSON.parse(JSON.stringify(value)));
}

/** An object's own order will not do: keys that look like numbers would come first, as numbers. */
function write(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(write).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${write(member)}`).join(',')}}`;
}

/** SHA-256 over the canonical JSON of a content, in hexadecimal. */
export function contentHash(content: unknown): string {
  return createHash('sha256').update(canonicalJson(content)).digest('hex');
}
