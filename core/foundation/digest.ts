import { createHash, timingSafeEqual } from 'node:crypto';

/** @returns 32 bytes */
export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * A short name for a text: the first 132 bits of its SHA-256.
 * @returns 22 characters of base64url
 */
export const digest = (text: string): string => sha256(text).toString('base64url').slice(0, 22);

/** Compares two secrets in constant time, so that the duration does not reveal how much of them is equal. */
export const isSameSecret = (a: string, b: string): boolean => timingSafeEqual(sha256(a), sha256(b));
