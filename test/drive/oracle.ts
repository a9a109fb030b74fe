/** Checks responses against the guarantees of the API for every response. */
import { ERRORS } from '../../core/foundation/errors.js';
import type { Operation } from './document.js';
import type { WireAnswer } from './wire.js';

/** Statuses that every operation may return without documenting them. */
const COMMON = new Set([400, 401, 403, 404, 405, 406, 409, 412, 413, 415, 422, 428, 429]);
/** Internal details that no answer may contain: positions in the code, and messages of the database. */
const INTERNALS =
  /\.[jt]s:\d+:\d+|node_modules|violates [\w-]+ constraint|invalid input syntax|invalid byte sequence|out of range for type|Cannot read propert|is not a function/;

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/** Differences of an error from RFC 9457 and the table of codes. */
function problemFaults({ status, headers, text }: WireAnswer): string[] {
  const type = String(headers['content-type']);
  if (!type.startsWith('application/problem+json')) return [`${status} comes as ${type}`];
  const body = parsed(text) as Record<string, unknown> | undefined;
  if (typeof body !== 'object' || body === null) return [`the body of ${status} is no JSON object`];
  const faults: string[] = [];
  if (body['status'] !== status) faults.push(`the problem says ${String(body['status'])}`);
  for (const member of ['type', 'title', 'code', 'detail', 'request_id'])
    if (typeof body[member] !== 'string' || body[member] === '') faults.push(`the problem lacks ${member}`);
  if (body['type'] !== `/problems/${String(body['code'])}`)
    faults.push(`type is ${String(body['type'])}, code ${String(body['code'])}`);
  const known = (ERRORS as Record<string, readonly [number, ...unknown[]]>)[String(body['code'])];
  if (known && known[0] !== status) faults.push(`${String(body['code'])} is a ${known[0]}`);
  if (body['request_id'] !== headers['x-request-id']) faults.push('request_id is not that of the header');
  if (
    status === 422 &&
    body['code'] === 'validation_failed' &&
    (!Array.isArray(body['errors']) || body['errors'].length === 0)
  )
    faults.push('validation_failed names no field');
  if (status === 401 && !headers['www-authenticate'] && body['code'] === 'invalid_token')
    faults.push('401 lacks WWW-Authenticate');
  return faults;
}

function successFaults(operation: Operation, { status, headers, text }: WireAnswer): string[] {
  if (status === 204 || status === 304) return text === '' ? [] : [`${status} has a body`];
  const type = String(headers['content-type'] ?? '').split(';')[0]!;
  const documented = operation.responses.get(status) ?? [];
  // A file that a user has stored, of any type.
  if (documented.includes('*/*')) return [];
  if (documented.length > 0 && !documented.includes(type))
    return [`${status} comes as ${type}, documented is ${documented.join(', ')}`];
  if (type !== 'application/json') return [];
  const body = parsed(text);
  if (body === undefined) return [`the body of ${status} is no JSON`];
  const mismatch = operation.mismatch(status, body);
  return mismatch === undefined ? [] : [`the body of ${status} is not as documented: ${mismatch}`];
}

/**
 * Faults of an answer.
 * @param caller.anonymous whether no token was sent
 * @param caller.misrouted whether the path may lead to another operation or to none
 * @param caller.conditional whether If-None-Match was sent
 */
export function faultsOf(
  operation: Operation,
  answer: WireAnswer,
  caller: { anonymous: boolean; misrouted: boolean; conditional: boolean },
): string[] {
  const { status, text } = answer;
  const faults: string[] = [];
  if (status >= 500) faults.push(`answers ${status}`);
  else if (
    !COMMON.has(status) &&
    !operation.responses.has(status) &&
    !(status === 304 && caller.conditional && operation.method === 'GET')
  )
    faults.push(`answers ${status}, which is not documented`);
  if (caller.anonymous && !operation.open && status !== 401 && !(caller.misrouted && [400, 404, 405].includes(status)))
    faults.push(`answers ${status} without a token`);
  const isProblem = status >= 400;
  faults.push(...(isProblem ? problemFaults(answer) : successFaults(operation, answer)));
  if (isProblem && INTERNALS.test(text)) faults.push('the problem contains internal details');
  return faults;
}
