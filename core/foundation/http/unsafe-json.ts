import type { FieldError } from '@lintel/sdk';
import { pointerToken } from '../json-pointer.js';
import { isPlainText } from '../text.js';
import { MAX_DEPTH } from './json-scanner.js';

const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);
const MOST_ERRORS = 20;
/** Maximum number of characters of a pointer: a key may be as long as the body. */
const MOST_POINTER = 500;

/** An array or object on the current path; its pointer is built only when an error is found. */
interface Level {
  value: object;
  parent: Level | undefined;
  key: string | number;
  depth: number;
}

/** The result of inspecting parsed JSON. */
interface Inspection {
  /** Errors, with JSON pointers. */
  errors: FieldError[];
  /** Total number of members of all objects; exact only if there are no errors. */
  keys: number;
}

const tokenOf = (key: string | number): string => pointerToken(String(key).toWellFormed().replaceAll('\0', ''));

function pointerOf(level: Level | undefined, key: string | number | undefined): string {
  const parts: string[] = key === undefined ? [] : [tokenOf(key)];
  for (let at = level; at?.parent; at = at.parent) parts.unshift(tokenOf(at.key));
  return parts
    .map((part) => `/${part}`)
    .join('')
    .slice(0, MOST_POINTER);
}

const isInexact = (value: number): boolean =>
  !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value));

/**
 * Searches parsed JSON for content that must not reach validation or the database.
 * @param checkText whether the raw body contained a suspicious escape
 * @returns the errors, with JSON pointers
 */
export function unsafeJson(value: unknown, checkText: boolean): FieldError[] {
  return inspectJson(value, checkText).errors;
}

/** As `unsafeJson`. @param seen collects all keys */
export function inspectJson(value: unknown, checkText: boolean, seen?: Set<string>): Inspection {
  let keys = 0;
  const errors: FieldError[] = [];
  const stack: Level[] = [];
  const bad = (level: Level | undefined, key: string | number | undefined, reason: string): void => {
    if (errors.length < MOST_ERRORS) errors.push({ field: pointerOf(level, key), reason, in: 'body' });
  };
  const look = (child: unknown, level: Level | undefined, key: string | number): void => {
    const place = level === undefined ? undefined : key;
    if (typeof child === 'number') {
      if (isInexact(child)) bad(level, place, 'must be a number that can be represented exactly');
    } else if (typeof child === 'string') {
      if (checkText && !isPlainText(child)) bad(level, place, 'must be well-formed text without control characters');
    } else if (typeof child === 'object' && child !== null) {
      const depth = (level?.depth ?? 0) + 1;
      if (depth > MAX_DEPTH) bad(level, place, `must not nest deeper than ${MAX_DEPTH} levels`);
      else stack.push({ value: child, parent: level, key, depth });
    }
  };
  look(value, undefined, '');
  for (let level = stack.pop(); level; level = stack.pop()) {
    const container = level.value;
    if (Array.isArray(container)) {
      for (let i = 0; i < container.length; i++) look(container[i], level, i);
      continue;
    }
    for (const key of Object.keys(container)) {
      keys++;
      seen?.add(key);
      if (FORBIDDEN_KEYS.has(key) || (checkText && !isPlainText(key))) bad(level, key, 'is not allowed as a key');
      else look((container as Record<string, unknown>)[key], level, key);
    }
  }
  return { errors, keys };
}
