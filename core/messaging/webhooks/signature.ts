import { createHmac, randomBytes } from 'node:crypto';

/** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** A new signing secret, in the format given to receivers. */
export const newSecret = (): string => `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;

export const secretName = (id: string): string => `webhook.${id}`;
/** Name of the previous secret, which also signs for a while after a rotation. */
export const previousSecretName = (id: string): string => `webhook.${id}.previous`;

/**
 * The headers with which a receiver verifies the sender, detects modification, and detects duplicates.
 * @param id the same for every attempt
 * @param secrets a signature is made with each
 * @param at milliseconds since 1970
 */
export function signedHeaders(
  id: string,
  body: string,
  secrets: readonly string[],
  at = Date.now(),
): Record<string, string> {
  const timestamp = String(Math.floor(at / 1_000));
  const sign = (secret: string): string => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  };
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': secrets.map(sign).join(' ') };
}
