import { ConnectorError, type ConnectorConnection } from '@lintel/sdk';
import { jsonOf, objectOf, send } from '../http.js';
import type { RestSettings } from './settings.js';

/** Milliseconds before its end at which a token is replaced. */
const EARLY_MS = 30_000;

/** The authentication of a connection. */
export class RestAuthentication {
  private token: { value: string; until: number } | undefined;
  private asked: Promise<string> | undefined;

  constructor(
    private readonly settings: RestSettings,
    private readonly connection: Pick<ConnectorConnection, 'request' | 'secrets'>,
  ) {}

  /**
   * The headers of a request.
   * @throws ConnectorError `invalid_settings` if a setting or secret is missing; those of the token endpoint
   */
  async headers(): Promise<Record<string, string>> {
    const { auth } = this.settings;
    if (auth === 'none') return {};
    if (auth === 'bearer') return { authorization: `Bearer ${this.secret('token')}` };
    if (auth === 'header') return { [this.setting('header')]: this.secret('token') };
    if (auth === 'basic') return { authorization: basic(this.setting('username'), this.secret('password')) };
    return { authorization: `Bearer ${await this.accessToken()}` };
  }

  /** Forgets the token after a response that refused it. @returns whether there is another one to try */
  forget(): boolean {
    const had = this.token !== undefined;
    this.token = undefined;
    return had;
  }

  private async accessToken(): Promise<string> {
    if (this.token && this.token.until > Date.now()) return this.token.value;
    // Requests at the same time share one token.
    this.asked ??= this.ask().finally(() => (this.asked = undefined));
    return await this.asked;
  }

  /** Client credentials (RFC 6749, 4.4), with the credentials in the header (2.3.1). */
  private async ask(): Promise<string> {
    const form = new URLSearchParams({ grant_type: 'client_credentials' });
    if (this.settings.scope) form.set('scope', this.settings.scope);
    const answer = await send(
      {
        request: async (url, request) => await this.connection.request(url, { ...request, body: form.toString() }),
      },
      this.setting('token_url'),
      {
        method: 'POST',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          authorization: basic(
            encodeURIComponent(this.setting('client_id')),
            encodeURIComponent(this.secret('client_secret')),
          ),
        },
      },
    );
    // The text of a refusal may repeat the credentials.
    if (answer.status >= 400 && answer.status < 500)
      throw new ConnectorError('authentication', `The token endpoint refuses the credentials (${answer.status}).`);
    const body = objectOf(await jsonOf(answer));
    const { access_token: value, expires_in: seconds } = body;
    if (typeof value !== 'string' || !/^[\x21-\x7e]+$/.test(value))
      throw new ConnectorError('invalid_answer', 'The token endpoint answers without a token.');
    const lifetime = typeof seconds === 'number' && seconds > 0 ? seconds * 1_000 : EARLY_MS;
    this.token = { value, until: Date.now() + Math.max(lifetime - EARLY_MS, lifetime / 2) };
    return value;
  }

  private secret(name: string): string {
    const value = this.connection.secrets[name];
    if (!value) throw new ConnectorError('invalid_settings', `This authentication needs the secret ${name}.`);
    return value;
  }

  private setting(name: 'username' | 'header' | 'token_url' | 'client_id'): string {
    const value = this.settings[name];
    if (!value) throw new ConnectorError('invalid_settings', `This authentication needs the setting ${name}.`);
    return value;
  }
}

const basic = (name: string, password: string): string =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
