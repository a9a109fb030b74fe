import { RE2JS } from 're2js';
import type { Value } from '../records/definition.js';
import { MappingFault, MOST_TEXT } from './values.js';

/** Units of one evaluation: a value is one, its text one for each four characters. */
const MOST_UNITS = 100_000;
const CHARACTERS_OF_UNIT = 4;
/** Steps of an automaton that count as a unit. */
const STEPS_OF_UNIT = 8;
const MOST_PATTERNS = 500;

/** One for all evaluations, because a macro such as exists goes on after errors, and each new error would take its stack. */
const TOO_MUCH = new MappingFault('the expression does too much on this record');

/** The size of the values of one evaluation, added up, so that no expression takes long or needs much memory. */
export class Budget {
  private left = 0;
  private readonly patterns = new Map<string, { pattern: RE2JS; size: number }>();

  begin(): void {
    this.left = MOST_UNITS;
  }

  /** Adds the size of a value, with everything in it. @returns the value @throws MappingFault at the limit */
  spend<T>(value: T): T {
    const open: unknown[] = [value];
    while (open.length > 0) {
      const one = open.pop();
      this.take(typeof one === 'string' ? 1 + one.length / CHARACTERS_OF_UNIT : 1);
      if (typeof one !== 'object' || one === null) continue;
      const members = Array.isArray(one) ? (one as unknown[]) : one instanceof Map ? [...one.values()] : membersOf(one);
      this.take(members.length);
      for (const member of members) open.push(member);
    }
    return value;
  }

  /** Whether a text contains a match of a pattern of RE2. @throws MappingFault */
  matches(text: unknown, pattern: string): boolean {
    if (typeof text !== 'string') throw new MappingFault('matches() needs a text');
    const { pattern: compiled, size } = this.compiled(pattern);
    this.take(1 + (size * text.length) / STEPS_OF_UNIT);
    return compiled.matcher(text).find();
  }

  /** The result of an expression as JSON. @throws MappingFault if it is none, or too large */
  result(value: unknown): Value {
    this.spend(value);
    const json = jsonOf(value);
    if (JSON.stringify(json).length > MOST_TEXT) throw new MappingFault(`becomes longer than ${MOST_TEXT} characters`);
    return json;
  }

  private take(units: number): void {
    this.left -= units;
    if (this.left < 0) throw TOO_MUCH;
  }

  private compiled(text: string): { pattern: RE2JS; size: number } {
    let found = this.patterns.get(text);
    if (!found) {
      const pattern = compilePattern(text);
      found = { pattern, size: pattern.programSize() };
      if (this.patterns.size >= MOST_PATTERNS) this.patterns.clear();
      this.patterns.set(text, found);
    }
    return found;
  }
}

/** @throws MappingFault for a pattern that RE2 does not know */
export function compilePattern(text: string): RE2JS {
  try {
    return RE2JS.compile(text);
  } catch (error) {
    throw new MappingFault(`has an invalid pattern: ${(error as Error).message.slice(0, 200)}`);
  }
}

function membersOf(value: object): unknown[] {
  return value.constructor === Object || value.constructor === undefined ? Object.values(value) : [];
}

function jsonOf(value: unknown): Value {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'bigint' || typeof value === 'number') {
    const number = Number(value);
    if (Number.isFinite(number)) return number;
  } else if (Array.isArray(value)) return value.map(jsonOf);
  else if (value instanceof Date) return value.toISOString();
  else if (value instanceof Map)
    return Object.fromEntries([...value].map(([key, member]) => [String(key), jsonOf(member)]));
  else if (typeof value === 'object' && (value.constructor === Object || value.constructor === undefined))
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, jsonOf(member)]));
  throw new MappingFault('does not result in a text, number, boolean, date, list or object');
}
