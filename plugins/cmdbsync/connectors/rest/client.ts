import { ConnectorError, type ConnectorConnection, type OutboundAnswer } from '@lintel/sdk';
import { jsonOf, send, type JsonRequest } from '../http.js';
import { RestAuthentication } from './auth.js';
import type { RestSettings } from './settings.js';

/** Shorter secrets may be part of any text. */
const LEAST_MASKED = 4;

/** An answer with its JSON. */
export interface JsonAnswer {
  body: unknown;
  headers: OutboundAnswer['headers'];
  url: string;
}

/** Requests below the address of a connection. */
export class RestClient {
  private readonly base: URL;
  private readonly authentication: RestAuthentication;

  constructor(
    settings: RestSettings,
    private readonly connection: ConnectorConnection,
  ) {
    this.base = new URL(settings.url.replace(/\/*$/, '/'));
    this.authentication = new RestAuthentication(settings, connection);
  }

  /**
   * The address of a path below that of the connection.
   * @throws ConnectorError `invalid_settings` if it leads elsewhere, as with `..`
   */
  url(path: string): URL {
    const url = new URL(this.base.href + path.replace(/^\/+/, ''));
    if (url.origin !== this.base.origin || !url.pathname.startsWith(this.base.pathname))
      throw new ConnectorError('invalid_settings', `The path ${path} is not below the address of the connection.`);
    return url;
  }

  /**
   * The address of a record.
   * @param template a path with `{id}`
   * @throws ConnectorError `not_found` for an id that no path can have, `invalid_settings` for a template without `{id}`
   */
  recordUrl(template: string, id: string): URL {
    if (!template.includes('{id}'))
      throw new ConnectorError('invalid_settings', `The path ${template} of a record has no {id}.`);
    // The segments `.` and `..` would be resolved, also if they are encoded.
    if (id === '' || id === '.' || id === '..' || !id.isWellFormed())
      throw new ConnectorError('not_found', 'There is no record with this id.');
    return this.url(template.replaceAll('{id}', encodeURIComponent(id)));
  }

  /**
   * The address in an answer, which must have the origin of the connection: its requests carry the credentials.
   * @param from the address that it is relative to
   * @returns path and query
   * @throws ConnectorError `invalid_answer`
   */
  followed(link: string, from: string): string {
    const url = URL.canParse(link, from) ? new URL(link, from) : undefined;
    if (url?.origin !== this.base.origin)
      throw new ConnectorError('invalid_answer', 'The link to the next page leads to another server.');
    return url.pathname + url.search;
  }

  /** The address of a path and query of `followed`. @throws ConnectorError `invalid_answer` if it is none */
  linked(path: string): URL {
    return new URL(this.followed(path, this.base.href), this.base);
  }

  /** @throws ConnectorError by the status, or where the answer is no JSON; undefined for an empty answer */
  async json(url: URL, request: JsonRequest = {}): Promise<JsonAnswer> {
    const answer = await this.sent(url, request);
    if (answer.status === 204 || (answer.body.length === 0 && request.method !== undefined && answer.status < 300))
      return { body: undefined, headers: answer.headers, url: answer.url };
    try {
      return { body: await jsonOf(answer), headers: answer.headers, url: answer.url };
    } catch (error) {
      throw error instanceof ConnectorError ? new ConnectorError(error.fault, this.masked(error.message)) : error;
    }
  }

  private async sent(url: URL, request: JsonRequest): Promise<OutboundAnswer> {
    const attempt = async (): Promise<OutboundAnswer> =>
      await send(this.connection, url.href, {
        ...request,
        headers: { ...(await this.authentication.headers()), ...request.headers },
      });
    const answer = await attempt();
    // A token may end early. What was refused has had no effect and may be sent again, whatever its method.
    return answer.status === 401 && this.authentication.forget() ? await attempt() : answer;
  }

  /** Other systems may repeat the credentials in the text of a refusal. */
  private masked(text: string): string {
    const secrets = Object.values(this.connection.secrets).filter(({ length }) => length >= LEAST_MASKED);
    return secrets.reduce((masked, secret) => masked.replaceAll(secret, '***'), text);
  }
}
