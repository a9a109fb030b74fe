import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const FORMAT = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const HEADER_BYTES = 1 + IV_BYTES + TAG_BYTES;

/**
 * Decodes a key of 32 bytes.
 * @param text 64 hexadecimal digits, or base64
 * @throws when it is neither
 */
export function readKey(text: string): Buffer {
  const trimmed = text.trim();
  const key = /^[0-9a-f]{64}$/i.test(trimmed) ? Buffer.from(trimmed, 'hex') : Buffer.from(trimmed, 'base64');
  if (key.length !== KEY_BYTES) throw new Error('a secret key is 32 bytes, written in hexadecimal or base64');
  return key;
}

/**
 * Encrypts with AES-256-GCM. The name is authenticated with the value, so that a ciphertext cannot be moved to
 * another secret's row.
 * @returns format byte, initialisation vector, tag, ciphertext
 */
export function seal(key: Buffer, name: string, value: Buffer): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(name));
  const text = Buffer.concat([cipher.update(value), cipher.final()]);
  return Buffer.concat([Buffer.of(FORMAT), iv, cipher.getAuthTag(), text]);
}

/** @returns the value; undefined where the key does not decrypt it */
export function open(key: Buffer, name: string, sealed: Buffer): Buffer | undefined {
  if (sealed.length < HEADER_BYTES || sealed[0] !== FORMAT) return undefined;
  const iv = sealed.subarray(1, 1 + IV_BYTES);
  const tag = sealed.subarray(1 + IV_BYTES, HEADER_BYTES);
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(name))
      .setAuthTag(tag);
    return Buffer.concat([decipher.update(sealed.subarray(HEADER_BYTES)), decipher.final()]);
  } catch {
    return undefined;
  }
}
