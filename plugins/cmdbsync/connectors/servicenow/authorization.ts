import { ConnectorError, type ConnectorConnection } from '@lintel/sdk';

/** Milliseconds before its end at which a token is not used any more. */
const RESERVE_MS = 30_000;
/** Milliseconds that a token is used whose end ServiceNow does not tell. */
const LIFE_MS = 300_000;
const FORM = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };

/** What requests are authorized with. */
export interface Authorization {
  /**
   * The value of the header.
   * @param refused the header of a request that was refused, which is not returned again where there may be another one
   * @returns undefined if there is no other one
   * @throws ConnectorError `invalid_settings`, `authentication`, `unreachable`
   */
  header(refused?: string): Promise<string | undefined>;
}

function required(values: Readonly<Record<string, unknown>>, name: string): string {
  const value = values[name];
  if (typeof value !== 'string' || value === '')
    throw new ConnectorError('invalid_settings', `The connection has no ${name}.`);
  return value;
}

/** The authorization by the settings of a connection. */
export function authorizationOf(connection: ConnectorConnection): Authorization {
  const { config, secrets } = connection;
  if (config['authentication'] !== 'basic') return new Tokens(connection);
  return {
    async header(refused) {
      if (refused !== undefined) return undefined;
      const user = required(config, 'user_name');
      // RFC 7617: the first colon ends the user.
      if (user.includes(':')) throw new ConnectorError('invalid_settings', 'The user_name must not have a colon.');
      return `Basic ${Buffer.from(`${user}:${required(secrets, 'password')}`).toString('base64')}`;
    },
  };
}

/** Access tokens by OAuth 2.0 (RFC 6749, 4.4 and 6): one at a time for all requests of an open connection. */
class Tokens implements Authorization {
  private current: { header: string; until: number } | undefined;
  /** A request of a token that is under way. */
  private pending: Promise<string> | undefined;
  private refreshToken: string | undefined;

  constructor(private readonly connection: ConnectorConnection) {
    this.refreshToken = connection.secrets['refresh_token'];
  }

  async header(refused?: string): Promise<string> {
    const { current } = this;
    if (current && current.header !== refused && current.until > Date.now()) return current.header;
    this.pending ??= this.issued().finally(() => (this.pending = undefined));
    return await this.pending;
  }

  private async issued(): Promise<string> {
    const { config, secrets } = this.connection;
    const isRefresh = config['authentication'] === 'refresh_token';
    const form = new URLSearchParams({
      grant_type: isRefresh ? 'refresh_token' : 'client_credentials',
      client_id: required(config, 'client_id'),
      client_secret: required(secrets, 'client_secret'),
      ...(isRefresh && { refresh_token: required({ refresh_token: this.refreshToken }, 'refresh_token') }),
    });
    const answer = await this.connection.request(`${String(config['url']).replace(/\/+$/, '')}/oauth_token.do`, {
      method: 'POST',
      headers: FORM,
      body: form.toString(),
      maxRedirects: 0,
    });
    let token: Record<string, unknown> = {};
    try {
      token = Object(await answer.readJson()) as Record<string, unknown>;
    } catch {
      // Told below by its status; the text of the response may repeat secrets.
    }
    const { access_token: access, refresh_token: refresh, expires_in: seconds, error } = token;
    if (answer.status === 429 || answer.status >= 500)
      throw new ConnectorError(
        answer.status === 429 ? 'rate_limited' : 'unreachable',
        `ServiceNow answers the request of a token with ${answer.status}.`,
      );
    if (answer.status !== 200 || typeof access !== 'string' || !/^[\x21-\x7e]{1,8192}$/.test(access)) {
      const reason = typeof error === 'string' && /^[a-z_]{1,50}$/.test(error) ? error : String(answer.status);
      throw new ConnectorError('authentication', `ServiceNow issues no token (${reason}).`);
    }
    const life = Number(seconds) * 1_000;
    this.current = {
      header: `Bearer ${access}`,
      until: Date.now() + (life > 0 ? life - Math.min(RESERVE_MS, life / 10) : LIFE_MS),
    };
    if (isRefresh && typeof refresh === 'string' && refresh !== '' && refresh !== this.refreshToken) {
      this.refreshToken = refresh;
      // Before the token is used: the one before may not be valid any more.
      await this.connection.storeSecret('refresh_token', refresh);
    }
    return this.current.header;
  }
}
