import { problem, type Problem } from '../errors.js';
import { JsonScanner } from '../http/json-scanner.js';
import { JsonRefusal, parseInSlices } from '../http/sliced-json.js';

/** Limits of what is parsed at once: those of a request body. */
const AT_ONCE = { bytes: 1_048_576, values: 50_000 };
/** Values of an answer; a million of the smallest ones takes about 60 MB. */
const MOST_VALUES = 2_000_000;

const failed = ({ host }: URL, what: string, cause: unknown): Problem =>
  problem('outbound_failed', { detail: `${host} answered with ${what}.`, cause });

/** @throws outbound_failed */
export function parsedAtOnce(body: Buffer, url: URL): unknown {
  if (body.length > AT_ONCE.bytes)
    throw failed(url, `more JSON than ${AT_ONCE.bytes} bytes, which readJson reads`, undefined);
  try {
    new JsonScanner(AT_ONCE.values).scan(body);
  } catch (cause) {
    throw failed(url, `JSON of more than ${AT_ONCE.values} values, or nested too deeply`, cause);
  }
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (cause) {
    throw failed(url, 'something that is no JSON', cause);
  }
}

/** @throws outbound_failed */
export async function parsedInSlices(body: Buffer, url: URL): Promise<unknown> {
  try {
    return await parseInSlices(body, { values: MOST_VALUES });
  } catch (cause) {
    throw failed(url, cause instanceof JsonRefusal ? `JSON that ${cause.message}` : 'something that is no JSON', cause);
  }
}
