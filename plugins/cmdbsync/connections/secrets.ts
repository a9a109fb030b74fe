/** Secrets of a connection that are stored: by name, when each was set. */
export type StoredSecrets = Readonly<Record<string, { set_at: string }>>;

/** Secrets in a request: a value, `true` to keep the one that is stored, or null to remove it. */
export type SentSecrets = Readonly<Record<string, string | boolean | null | { set_at: string }>>;

/** The name of a secret of a connection among the secrets of the module. */
export const secretName = (connectionId: string, name: string): string =>
  `c.${connectionId.replaceAll('-', '')}.${name}`;
