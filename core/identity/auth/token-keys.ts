import { randomBytes } from 'node:crypto';
import type { Config } from '../../../config/schema.js';
import type { Secrets } from '../../foundation/secrets/index.js';

const SECRET = 'jwt';

/** The keys that sign access tokens: configured, or made once and kept encrypted for all nodes. */
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

  /** Signs and verifies. */
  get current(): string {
    return this.key;
  }

  /** Only verifies, while tokens signed by it may still be about. */
  get previous(): string | undefined {
    return this.config.jwtSecretPrevious;
  }
}
