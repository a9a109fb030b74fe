/** Basic authentication and the token endpoint of the simulated instance. */
import { randomBytes } from 'node:crypto';
import type { Reply } from './servicenow-table-api.js';

export class OAuth {
  user = { name: 'lintel', password: 'pässwörd:1' };
  client = { id: 'client', secret: 'client-secret' };
  refreshToken = 'refresh-0';
  /** Whether each use of a refresh token replaces it. */
  rotates = false;
  /** Seconds that a token is valid. */
  lifetime = 1_800;
  /** Seconds that the response tells instead. */
  told: number | undefined;
  /** Tokens that were issued, by grant. */
  readonly issued: Record<string, number> = {};
  /** Ends of access tokens, in milliseconds since 1970. */
  private readonly tokens = new Map<string, number>();

  /** All access tokens that were issued end now. */
  expire(): void {
    this.tokens.clear();
  }

  isAllowed(authorization = ''): boolean {
    const [scheme, credentials = ''] = authorization.split(' ');
    if (scheme === 'Bearer') return (this.tokens.get(credentials) ?? 0) > Date.now();
    const { name, password } = this.user;
    return scheme === 'Basic' && Buffer.from(credentials, 'base64').toString() === `${name}:${password}`;
  }

  reply(method: string, type: string | undefined, text: string): Reply {
    const form = new URLSearchParams(text);
    const error = (status: number, error: string): Reply => ({
      status,
      body: { error, error_description: 'access_denied' },
    });
    if (method !== 'POST' || type !== 'application/x-www-form-urlencoded') return error(400, 'invalid_request');
    if (form.get('client_id') !== this.client.id || form.get('client_secret') !== this.client.secret)
      return error(401, 'invalid_client');
    const grant = form.get('grant_type') ?? '';
    if (grant === 'refresh_token' ? form.get('refresh_token') !== this.refreshToken : grant !== 'client_credentials')
      return error(401, grant === 'refresh_token' ? 'invalid_grant' : 'unsupported_grant_type');
    this.issued[grant] = (this.issued[grant] ?? 0) + 1;
    if (grant === 'refresh_token' && this.rotates) this.refreshToken = `refresh-${randomBytes(8).toString('hex')}`;
    const access_token = randomBytes(24).toString('base64url');
    this.tokens.set(access_token, Date.now() + this.lifetime * 1_000);
    return {
      status: 200,
      body: {
        access_token,
        ...(grant === 'refresh_token' && { refresh_token: this.refreshToken }),
        scope: 'useraccount',
        token_type: 'Bearer',
        expires_in: this.told ?? this.lifetime,
      },
    };
  }
}
