import { createHash } from 'node:crypto';

/**
 * A short name for a text: the first 132 bits of its SHA-256.
 * @returns 22 characters of base64url
 */
export const digest = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22);
