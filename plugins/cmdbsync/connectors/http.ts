import { ConnectorError, type ConnectorConnection, type ConnectorFault, type OutboundAnswer } from '@lintel/sdk';

/** A request of a JSON interface. */
export interface JsonRequest {
  method?: string;
  headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  body?: unknown;
}

const FAULTS: Readonly<Record<number, [ConnectorFault, string]>> = {
  401: ['authentication', 'The other system does not accept the credentials (401).'],
  403: ['forbidden', 'The other system denies access (403).'],
  404: ['not_found', 'The other system does not know it (404).'],
  429: ['rate_limited', 'The other system gets too many requests (429).'],
};
/** Characters of a message of the other system that are shown. */
const SHOWN = 300;
/** Bytes of a refusal in which its message is searched. */
const LOOKED_AT = 4_096;

/**
 * Sends a request and returns its response whatever its status.
 * @throws ConnectorError `unreachable`
 */
export async function send(
  connection: Pick<ConnectorConnection, 'request'>,
  url: string,
  { method = 'GET', headers = {}, body }: JsonRequest = {},
): Promise<OutboundAnswer> {
  return await connection.request(url, {
    method,
    headers: {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    // A redirect would send the credentials elsewhere.
    maxRedirects: 0,
  });
}

/**
 * The JSON of a successful response.
 * @throws ConnectorError by the status of another one, or `invalid_answer` where it is no JSON or too much of it
 */
export async function jsonOf(answer: OutboundAnswer): Promise<unknown> {
  const { status } = answer;
  if (status < 200 || status > 299) {
    const known = FAULTS[status];
    if (known) throw new ConnectorError(...known);
    const fault = status >= 500 ? 'unreachable' : status >= 400 ? 'refused' : 'invalid_answer';
    throw new ConnectorError(
      fault,
      `The other system answers with ${status}${status >= 400 && status < 500 ? messageOf(answer) : ''}.`,
    );
  }
  try {
    return await answer.readJson();
  } catch {
    throw new ConnectorError(
      'invalid_answer',
      'The other system does not answer with JSON, or with more than 2,000,000 values or 64 levels of it.',
    );
  }
}

/** The beginning of the text of a refusal, on one line. */
function messageOf(answer: OutboundAnswer): string {
  const text = answer.body
    .subarray(0, LOOKED_AT)
    .toString('utf8')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, SHOWN)
    .toWellFormed();
  return text === '' ? '' : `: ${text}`;
}

/** The member of a JSON object. @throws ConnectorError `invalid_answer` where it is no object */
export function objectOf(value: unknown): Record<string, unknown> {
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw new ConnectorError('invalid_answer', 'The other system answers with something else than an object.');
  return value as Record<string, unknown>;
}

/** @throws ConnectorError `invalid_answer` where it is no list */
export function listOf(value: unknown): unknown[] {
  if (!Array.isArray(value))
    throw new ConnectorError('invalid_answer', 'The other system answers with something else than a list.');
  return value;
}
