import type { FieldError } from '@lintel/sdk';
import { problem } from '../errors.js';
import { pointerToken } from '../json-pointer.js';
import { inspectJson } from './unsafe-json.js';

const BLANK = 32;
const QUOTE = 34;
const BACKSLASH = 92;
const COLON = 58;
/** Maximum number of duplicate keys that are reported. */
const MOST_ERRORS = 20;

/** Text that may have a control character or a lone surrogate, escaped or raw. */
const SUSPECT = /\\(?:u(?:00[01]|007f|00[89]|d[89a-f])|[bf])|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/i;

/** Whether the texts of a JSON text have to be checked. */
export const isSuspect = (json: string): boolean => SUSPECT.test(json);

/**
 * Parses the JSON of a request body.
 * @param seen collects all keys
 * @returns the value, and its unsafe or ambiguous parts as JSON pointers
 * @throws malformed_json
 */
export function parseJson(text: string, seen?: Set<string>): { value: unknown; errors: FieldError[] } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw problem('malformed_json');
  }
  const { errors, keys } = inspectJson(value, isSuspect(text), seen);
  // JSON parsers differ in which of two duplicate keys they use: a proxy may have checked the other value.
  if (errors.length === 0 && countKeys(text) !== keys) errors.push(...duplicateKeys(text));
  return { value, errors };
}

/** The problem for a body with such errors. */
export const unsafeBody = (errors: FieldError[]) =>
  problem('validation_failed', { detail: 'The body contains values that cannot be stored or are ambiguous.', errors });

/** @param at start of a string in valid JSON @returns index of its closing quote */
function endOfString(text: string, at: number): number {
  for (let end = text.indexOf('"', at + 1); ; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === BACKSLASH) before--;
    // A quote after an even number of backslashes is not escaped.
    if ((end - before) % 2 === 1) return end;
  }
}

/** Whether a string is the key of a member. @param end index of its closing quote */
function isKey(text: string, end: number): boolean {
  let next = end + 1;
  // In valid JSON only whitespace has codes up to that of the blank.
  while (text.charCodeAt(next) <= BLANK) next++;
  return text.charCodeAt(next) === COLON;
}

/**
 * Counts the members of all objects in a valid JSON text. If the parsed value has fewer, the text contains a duplicate
 * key; searching for quotes costs a small part of what parsing does.
 */
export function countKeys(text: string): number {
  let keys = 0;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) {
    at = endOfString(text, at);
    if (isKey(text, at)) keys++;
  }
  return keys;
}

/** An open object with its keys so far, or an open array; `at` is the current key or index. */
interface Level {
  keys: Set<string> | undefined;
  at: string | number;
}

/** Lists the duplicate keys of a valid JSON text, as JSON pointers. */
export function duplicateKeys(text: string): FieldError[] {
  const errors: FieldError[] = [];
  const levels: Level[] = [];
  for (let at = 0; at < text.length && errors.length < MOST_ERRORS; at++) {
    const level = levels.at(-1);
    const sign = text[at];
    if (sign === '{') levels.push({ keys: new Set(), at: '' });
    else if (sign === '[') levels.push({ keys: undefined, at: 0 });
    else if (sign === '}' || sign === ']') levels.pop();
    else if (sign === ',' && typeof level?.at === 'number') level.at++;
    else if (text.charCodeAt(at) === QUOTE) {
      const end = endOfString(text, at);
      if (level?.keys && isKey(text, end)) {
        level.at = JSON.parse(text.slice(at, end + 1)) as string;
        if (level.keys.has(level.at))
          errors.push({
            field: levels.map((l) => `/${pointerToken(String(l.at))}`).join(''),
            reason: 'occurs more than once',
            in: 'body',
          });
        level.keys.add(level.at);
      }
      at = end;
    }
  }
  return errors;
}
