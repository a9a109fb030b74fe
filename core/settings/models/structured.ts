import type { ValidateFunction } from 'ajv';
import { fieldErrors, strictAjv } from '../../foundation/http/ajv.js';
import { JsonRefusal, parseInSlices } from '../../foundation/http/sliced-json.js';

/** Compiled schemas of the code of modules; they are few. */
const compiled = new WeakMap<object, ValidateFunction>();

function checkOf(schema: object): ValidateFunction {
  let check = compiled.get(schema);
  if (!check) compiled.set(schema, (check = strictAjv().compile(schema)));
  return check;
}

/** The instructions that state the schema of the answer. */
export const schemaInstructions = (schema: object): string =>
  `\n\nAnswer with one JSON object and nothing else, without a code block. It has to match this JSON schema:\n${JSON.stringify(schema)}`;

/** The request to repair an answer. */
export const repairRequest = (faults: string): string =>
  `Your answer is not valid: ${faults}\nAnswer again, with the corrected JSON object and nothing else.`;

const FENCE = '```';
/** Longest description of faults, in characters: names of members that the model has made up are part of it. */
const MOST_FAULTS = 4_000;

/** A text without the block of code around it. In linear time: an answer may be white space up to its limit. */
function withoutFence(text: string): string {
  const plain = text.trim();
  if (!plain.startsWith(FENCE) || !plain.endsWith(FENCE)) return plain;
  const inner = plain.slice(FENCE.length, -FENCE.length);
  return inner.startsWith('json') ? inner.slice(4) : inner;
}

/** A text of a model as PostgreSQL can store it: without NUL and without halves of characters. */
export const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '');
/** Values of an answer, keys included. */
const MOST_VALUES = 50_000;

/** A value with such texts only: JSON can contain other ones as escapes. Keys that are not in the schema are refused with their values. */
function storableValue(value: unknown): unknown {
  if (typeof value === 'string') return storable(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(storableValue);
  for (const [key, member] of Object.entries(value))
    Object.defineProperty(value, key, {
      value: storableValue(member),
      enumerable: true,
      writable: true,
      configurable: true,
    });
  return value;
}

/** The JSON of an answer, checked against its schema. @returns the value, or what is wrong with it */
export async function readStructured(text: string, schema: object): Promise<{ value: unknown } | { faults: string }> {
  let value: unknown;
  try {
    value = storableValue(await parseInSlices(Buffer.from(withoutFence(text)), { values: MOST_VALUES }));
  } catch (error) {
    return { faults: error instanceof JsonRefusal ? `it ${error.message}.` : 'it is no JSON.' };
  }
  const check = checkOf(schema);
  if (check(value)) return { value };
  const errors = fieldErrors(check.errors ?? [], 'body').slice(0, 20);
  const faults = errors.map(({ field, reason }) => `${field || 'the object'} ${reason}`).join('; ');
  return { faults: storable(faults.slice(0, MOST_FAULTS)) };
}
