/** Minimum length of a secret that signs tokens. */
export const SECRET_LENGTH = 32;

/**
 * The secrets in `JWT_SECRET_PREVIOUS`: one, or several separated by commas. The text as a whole is also one, because a
 * secret may contain commas.
 */
export function previousSecrets(text: string | undefined): string[] {
  if (text === undefined) return [];
  const parts = text.split(',').map((part) => part.trim());
  return parts.length > 1 && parts.every((part) => part.length >= SECRET_LENGTH) ? [text, ...parts] : [text];
}
