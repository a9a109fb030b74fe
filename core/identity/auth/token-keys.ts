import { createHmac, randomBytes } from 'node:crypto';
import type { Config } from '../../../config/schema.js';
import { previousSecrets } from '../../../config/previous-secrets.js';
import type { Secrets } from '../../foundation/secrets/index.js';

const SECRET = 'jwt';

/** A key that signs or verifies tokens. */
export interface TokenKey {
  /** The `kid` of the tokens it signs: derived from the key, which it does not reveal, so that all nodes agree on it. */
  id: string;
  secret: string;
}

const keyOf = (secret: string): TokenKey => ({
  id: createHmac('sha256', secret).update('kid').digest('base64url').slice(0, 16),
  secret,
});

/** The keys of access tokens and API tokens: configured, or generated once and stored encrypted for all nodes. */
export class TokenKeys {
  private key = '';

  constructor(
    private readonly config: Config,
    private readonly secrets: Secrets,
  ) {}

  async start(): Promise<void> {
    this.key =
      this.config.jwtSecret ??
      (await this.secrets.getOrCreate(SECRET, () => Buffer.from(randomBytes(32).toString('base64url')))).toString();
  }

  /** The secret of the key that signs. */
  get current(): string {
    return this.key;
  }

  /** All keys that verify: the one that signs, then those that only verify, while tokens of them may still be valid. */
  get all(): TokenKey[] {
    return [this.key, ...previousSecrets(this.config.jwtSecretPrevious)].map(keyOf);
  }
}
