import { isDeepStrictEqual } from 'node:util';
import { invalid, problem } from './errors.js';
import { keyOfToken } from './json-pointer.js';

type Values = Record<string, unknown>;
type Container = Values | unknown[];

/**
 * Limits for what all operations of one patch may add to a document; each copy counts. A card has at most 500 fields.
 */
const MAX_ADDED_VALUES = 10_000;
const MAX_ADDED_CHARACTERS = 1_048_576;
/** The same for what is already in the document: without being sent again, it would be written to each new version and its event. */
const MAX_TRANSFERRED_CHARACTERS = 100_000;
export const MAX_OPERATIONS = 200;
const MAX_DEPTH = 64;
/** The syntax of keys in the metamodel; maps of a card have no other keys. */
const KEY = /^[A-Za-z][A-Za-z0-9_]{0,62}$/;
const INDEX = /^(0|[1-9][0-9]{0,8})$/;
const END = '-';

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null;
const isMap = (value: unknown): value is Values => isContainer(value) && !Array.isArray(value);

/** An operation of RFC 6902 after validation by the route's schema. */
interface Operation {
  op: string;
  path: string;
  from?: string;
  value?: unknown;
}

/** An error in an operation: the affected member and the reason. */
class Fault extends Error {
  constructor(
    readonly member: 'path' | 'from' | 'value',
    readonly reason: string,
  ) {
    super(reason);
  }
}

/** @returns the reference tokens of a JSON Pointer, RFC 6901 */
function tokensOf(pointer: string, member: 'path' | 'from'): string[] {
  if (pointer === '') return [];
  if (!pointer.startsWith('/') || /~([^01]|$)/.test(pointer)) throw new Fault(member, 'must be a JSON pointer');
  const tokens = pointer.slice(1).split('/').map(keyOfToken);
  if (tokens.length > MAX_DEPTH) throw new Fault(member, `must not be deeper than ${MAX_DEPTH} levels`);
  return tokens;
}

/** Deep equality of JSON values; the cost is that of the smaller value, apart from listing the keys of both. */
function isSame(a: unknown, b: unknown): boolean {
  if (!isContainer(a) || !isContainer(b)) return a === b;
  if (Array.isArray(a) || Array.isArray(b))
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((value, i) => isSame(value, b[i]));
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isSame(a[key], b[key]));
}

/** A document to which a patch is applied step by step. What the steps may add is bounded, and so is their cost. */
class Patching {
  private values = MAX_ADDED_VALUES;
  private characters = MAX_ADDED_CHARACTERS;
  private transferred = MAX_TRANSFERRED_CHARACTERS;

  /** @param document is changed in place */
  constructor(private document: unknown) {}

  get result(): unknown {
    return this.document;
  }

  /** @returns false where a `test` fails @throws Fault */
  apply({ op, path, from, value }: Operation): boolean {
    const tokens = tokensOf(path, 'path');
    if (['add', 'replace', 'test'].includes(op) && value === undefined) throw new Fault('value', 'is required');
    if (op === 'test') return isSame(this.read(tokens, 'path'), value);
    if (op === 'remove') this.remove(tokens, 'path');
    else if (op === 'replace') {
      this.read(tokens, 'path');
      this.write(tokens, this.added(value, tokens.length, 'value'), true);
    } else if (op === 'add') this.write(tokens, this.added(value, tokens.length, 'value'), false);
    else this.transfer(op, tokens, from);
    return true;
  }

  /**
   * Repeated copies of containers would double the document at each step, and moves cost as much: both accept scalar
   * values only.
   */
  private transfer(op: string, to: string[], from: string | undefined): void {
    if (from === undefined) throw new Fault('from', 'is required');
    const origin = tokensOf(from, 'from');
    const value = this.read(origin, 'from');
    if (isContainer(value))
      throw new Fault('from', `refers to an object or a list; ${op} accepts scalar values only, use add instead`);
    this.transferred -= typeof value === 'string' ? value.length : 0;
    if (this.transferred < 0)
      throw new Fault('from', `is too much: a patch may copy and move ${MAX_TRANSFERRED_CHARACTERS} characters`);
    if (op === 'move') this.remove(origin, 'from');
    this.write(to, this.added(value, to.length, 'from'), false);
  }

  /** A copy of a value from the request, counted against the limits; the request itself is not changed. */
  private added(value: unknown, depth: number, member: 'value' | 'from'): unknown {
    if (depth > MAX_DEPTH) throw new Fault(member, `must not nest deeper than ${MAX_DEPTH} levels`);
    this.count(1, typeof value === 'string' ? value.length : 0, member);
    if (!isContainer(value)) return value;
    if (Array.isArray(value)) {
      // Checked before copying: the list may have more items than the limit.
      this.count(0, 0, member, value.length);
      return value.map((item) => this.added(item, depth + 1, member));
    }
    const copy: Values = {};
    for (const key in value) {
      checkKey(key, 'value');
      this.count(0, key.length, member);
      copy[key] = this.added(value[key], depth + 1, member);
    }
    return copy;
  }

  private count(values: number, characters: number, member: 'value' | 'from', ahead = 0): void {
    this.values -= values;
    this.characters -= characters;
    if (this.values < ahead) throw new Fault(member, `is too much: a patch may add ${MAX_ADDED_VALUES} values`);
    if (this.characters < 0) throw new Fault(member, `is too much: a patch may add ${MAX_ADDED_CHARACTERS} characters`);
  }

  private read(tokens: readonly string[], member: 'path' | 'from'): unknown {
    let value = this.document;
    for (const token of tokens) {
      if (
        Array.isArray(value)
          ? !INDEX.test(token) || Number(token) >= value.length
          : !isMap(value) || !Object.hasOwn(value, token)
      )
        throw new Fault(member, 'does not exist');
      value = (value as Values)[token];
    }
    return value;
  }

  private remove(tokens: readonly string[], member: 'path' | 'from'): void {
    this.read(tokens, member);
    const last = tokens.at(-1);
    if (last === undefined) throw new Fault(member, 'cannot be removed');
    const holder = this.read(tokens.slice(0, -1), member) as Container;
    if (Array.isArray(holder)) holder.splice(Number(last), 1);
    else delete holder[last];
  }

  private write(tokens: readonly string[], value: unknown, isThere: boolean): void {
    const last = tokens.at(-1);
    if (last === undefined) {
      this.document = value;
      return;
    }
    const holder = this.read(tokens.slice(0, -1), 'path');
    if (Array.isArray(holder)) {
      if (last !== END && (!INDEX.test(last) || Number(last) > holder.length))
        throw new Fault('path', 'names no place in the list');
      holder.splice(last === END ? holder.length : Number(last), isThere ? 1 : 0, value);
    } else if (isMap(holder)) {
      checkKey(last, 'path');
      holder[last] = value;
    } else throw new Fault('path', 'does not exist');
  }
}

function checkKey(key: string, member: 'path' | 'value'): void {
  if (!KEY.test(key) || key in Object.prototype || key === 'prototype')
    throw new Fault(member, `contains an invalid key: ${key.slice(0, 80)}`);
}

/** The merge patch (RFC 7396) that turns `before` into `after`: removed members are null. */
function mergePatch(before: Values, after: Values, deep: boolean): Values {
  const patch: Values = {};
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, now] = [before[key], after[key]];
    if (isDeepStrictEqual(old, now)) continue;
    patch[key] = now === undefined ? null : deep && isMap(old) && isMap(now) ? mergePatch(old, now, false) : now;
  }
  return patch;
}

/**
 * Converts a JSON Patch (RFC 6902) to the merge patch with the same effect on this document. The total amount added is
 * bounded, so that the cost of a patch is proportional to its text: `copy` and `move` accept scalar values only, and
 * keys must have the syntax of the metamodel. Neither argument is changed.
 * @param document the writable members with their values
 * @throws patch_test_failed where a `test` fails; a 422 naming the operation where a path does not exist or is not
 *   writable, or where a limit is exceeded
 */
export function toMergePatch(document: Values, operations: readonly unknown[]): Values {
  if (operations.length > MAX_OPERATIONS)
    throw invalid({ field: '', reason: `must not have more than ${MAX_OPERATIONS} operations` });
  const patching = new Patching(structuredClone(document));
  for (const [n, operation] of operations.entries()) {
    try {
      if (!patching.apply(operation as Operation))
        throw problem('patch_test_failed', { detail: `The test in operation ${n} failed.` });
      const unknown = isMap(patching.result)
        ? Object.keys(patching.result).find((key) => !Object.hasOwn(document, key))
        : '';
      if (unknown !== undefined) throw new Fault('path', 'does not refer to a writable member');
    } catch (error) {
      throw error instanceof Fault ? invalid({ field: `/${n}/${error.member}`, reason: error.reason }) : error;
    }
  }
  return mergePatch(document, patching.result as Values, true);
}
