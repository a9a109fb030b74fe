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

/** The JSON of an answer, checked against its schema. @returns the value, or what is wrong with it */
export function readStructured(text: string, schema: object): { value: unknown } | { faults: string } {
  const [, fenced] = /^\s*```(?:json)?\s*\n([\s\S]*?)\n?\s*```\s*$/.exec(text) ?? [];
  let value: unknown;
  try {
    value = JSON.parse(fenced ?? text);
  } catch {
    return { faults: 'it is no JSON.' };
  }
  const check = checkOf(schema);
  if (check(value)) return { value };
  const errors = fieldErrors(check.errors ?? [], 'body').slice(0, 20);
  return { faults: errors.map(({ field, reason }) => `${field || 'the object'} ${reason}`).join('; ') };
}
