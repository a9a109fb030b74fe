import type { ValidateFunction } from 'ajv';
import { fieldErrors, strictAjv } from '../../foundation/http/ajv.js';

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
/** JSON can contain both as escapes. */
const storableValue = (_key: string, value: unknown): unknown => (typeof value === 'string' ? storable(value) : value);

/** The JSON of an answer, checked against its schema. @returns the value, or what is wrong with it */
export function readStructured(text: string, schema: object): { value: unknown } | { faults: string } {
  let value: unknown;
  try {
    value = JSON.parse(withoutFence(text), storableValue);
  } catch {
    return { faults: 'it is no JSON.' };
  }
  const check = checkOf(schema);
  if (check(value)) return { value };
  const errors = fieldErrors(check.errors ?? [], 'body').slice(0, 20);
  const faults = errors.map(({ field, reason }) => `${field || 'the object'} ${reason}`).join('; ');
  return { faults: storable(faults.slice(0, MOST_FAULTS)) };
}
