import { randomBytes } from 'node:crypto';
import type { Config } from '../../../config/schema.js';
import type { Secrets } from '../../foundation/secrets/index.js';

const SECRET = 'jwt';

/** The keys that sign access tokens: configured, or generated once and stored encrypted for all nodes. */
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

  /** The key that signs and verifies. */
  get current(): string {
    return this.key;
  }

  /** The key that only verifies, while tokens signed with it may still be valid. */
  get previous(): string | undefined {
    return this.config.jwtSecretPrevious;
  }
}
