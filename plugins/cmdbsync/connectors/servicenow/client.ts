import { ConnectorError, type ConnectorConnection, type OutboundAnswer } from '@lintel/sdk';
import { send, type JsonRequest } from '../http.js';
import { authorizationOf, type Authorization } from './authorization.js';

/** Characters of a message of ServiceNow that are shown. */
const SHOWN = 300;
/** Bytes of an answer, or characters of its message, in which something is searched. */
const LOOKED_AT = 65_536;

/** What a request of the Table API returns. */
export interface TableAnswer {
  result: unknown;
  /** X-Total-Count: the number of rows that match the query, also of those that access rules hide. */
  total: number | undefined;
  /** The clock of the instance, in milliseconds since 1970. */
  date: number | undefined;
}

/** Requests of the Table API. */
export class Client {
  private readonly base: string;
  private readonly authorization: Authorization;

  constructor(private readonly connection: ConnectorConnection) {
    this.base = `${String(connection.config['url']).replace(/\/+$/, '')}/api/now/table/`;
    this.authorization = authorizationOf(connection);
  }

  /**
   * Sends a request. One whose token is refused is repeated once with a new one; it had no effect.
   * @param path table, and id of a record
   * @throws ConnectorError for everything but a complete successful response
   */
  async request(path: string, query: Readonly<Record<string, string>>, request?: JsonRequest): Promise<TableAnswer> {
    const url = `${this.base}${path}?${new URLSearchParams(query).toString()}`;
    let header = await this.authorization.header();
    let answer = await this.sent(url, header, request);
    if (answer.status === 401) {
      header = await this.authorization.header(header);
      if (header !== undefined) answer = await this.sent(url, header, request);
    }
    return { result: await this.resultOf(answer, header), ...headersOf(answer) };
  }

  private async sent(url: string, header = '', request: JsonRequest = {}): Promise<OutboundAnswer> {
    return await send(this.connection, url, { ...request, headers: { authorization: header } });
  }

  private async resultOf(answer: OutboundAnswer, header = ''): Promise<unknown> {
    const { status } = answer;
    const body = await bodyOf(answer);
    const error = body?.['error'];
    const told = error === undefined ? '' : this.shown(error, header);
    if (status >= 200 && status < 300) {
      if (!body) throw pageFault(answer);
      // A query that takes too long ends with 200, and with some of its records besides the error.
      if (error !== undefined || body['status'] === 'failure')
        throw new ConnectorError('invalid_answer', `ServiceNow answers with an error${told}.`);
      if (!Object.hasOwn(body, 'result'))
        throw new ConnectorError('invalid_answer', 'ServiceNow answers without a result.');
      return body['result'];
    }
    if (status < 200 || status < 400)
      throw new ConnectorError(
        'invalid_answer',
        `ServiceNow redirects (${status}): the address may be wrong, or the instance hibernates.`,
      );
    if (status === 401) throw new ConnectorError('authentication', `ServiceNow does not accept the credentials (401).`);
    if (status === 403) throw new ConnectorError('forbidden', `ServiceNow denies access (403)${told}.`);
    if (status === 404 || (status === 400 && /^: Invalid table/.test(told)))
      throw new ConnectorError('not_found', `ServiceNow does not know it (${status})${told}.`);
    if (status === 429) throw new ConnectorError('rate_limited', 'ServiceNow gets too many requests (429).');
    throw new ConnectorError(
      status >= 500 ? 'unreachable' : 'refused',
      `ServiceNow answers with ${status}${status >= 500 ? '' : told}.`,
    );
  }

  /** The message of an error, without what the request was authorized with. */
  private shown(error: unknown, header: string): string {
    const { message } = Object(error) as { message?: unknown };
    let text = (typeof message === 'string' ? message : typeof error === 'string' ? error : '').slice(0, LOOKED_AT);
    for (const secret of [...Object.values(this.connection.secrets), ...header.split(' ').slice(1)])
      if (secret !== '') text = text.replaceAll(secret, '***');
    text = text
      .replace(/[\p{Cc}\s]+/gu, ' ')
      .trim()
      .slice(0, SHOWN)
      .replace(/[.\s]+$/, '')
      .toWellFormed();
    return text === '' ? '' : `: ${text}`;
  }
}

function headersOf({ headers }: OutboundAnswer): Omit<TableAnswer, 'result'> {
  const total = headers['x-total-count'];
  const date = Date.parse(headers['date'] ?? '');
  return {
    total: total !== undefined && /^\d{1,15}$/.test(total) ? Number(total) : undefined,
    date: Number.isNaN(date) ? undefined : date,
  };
}

async function bodyOf(answer: OutboundAnswer): Promise<Record<string, unknown> | undefined> {
  try {
    const body = await answer.readJson();
    return typeof body === 'object' && body !== null && !Array.isArray(body)
      ? (body as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** The error of a page in place of JSON. */
function pageFault(answer: OutboundAnswer): ConnectorError {
  if (/hibernat/i.test(answer.body.subarray(0, LOOKED_AT).toString('latin1')))
    return new ConnectorError('unreachable', 'The ServiceNow instance hibernates.');
  return new ConnectorError(
    'invalid_answer',
    'ServiceNow answers with something else than JSON, such as a page to log in.',
  );
}
