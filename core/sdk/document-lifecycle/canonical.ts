import { createHash } from 'node:crypto';

/**
 * Canonical JSON (RFC 8785): keys in order of their UTF-16 code units, no white space. Undefined members are omitted, as
 * in JSON.
 */
export function canonicalJson(value: unknown): string {
  // Converts dates to text, and removes undefined members.
  return write(JSON.parse(JSON.stringify(value)));
}

/** Writes keys in sorted order itself, because in a JavaScript object integer keys always come first. */
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
