import type { FieldError } from '@lintel/sdk';

const MAX_DEPTH = 64;
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Looks through parsed JSON for what must never reach a rule or the database.
 * @param checkText whether the raw body held an escape worth looking for
 * @returns the faults, with JSON pointers
 */
export function unsafeJson(value: unknown, checkText: boolean): FieldError[] {
  return inspectJson(value, checkText).errors;
}

/** As `unsafeJson`; where there is no fault, `keys` is how many members all objects have together. */
export function inspectJson(value: unknown, checkText: boolean): { errors: FieldError[]; keys: number } {
  let keys = 0;
  const errors: FieldError[] = [];
  const stack: { value: unknown; pointer: string; depth: number }[] = [{ value, pointer: '', depth: 0 }];
  const bad = (pointer: string, reason: string) => { if (errors.length < 20) errors.push({ field: pointer, reason, in: 'body' }); };
  const badText = (text: string) => text.includes('\0') || !text.isWellFormed();
  for (let item = stack.pop(); item; item = stack.pop()) {
    if (typeof item.value === 'string') {
      if (checkText && badText(item.value)) bad(item.pointer, 'must be well-formed text without U+0000');
    } else if (typeof item.value === 'object' && item.value !== null) {
      if (item.depth >= MAX_DEPTH) { bad(item.pointer.slice(0, 200), `must not nest deeper than ${MAX_DEPTH} levels`); continue; }
      const isArray = Array.isArray(item.value);
      for (const key of Object.keys(item.value)) {
        if (!isArray) keys++;
        if (!isArray && (FORBIDDEN_KEYS.has(key) || (checkText && badText(key)))) { bad(`${item.pointer}/${key.toWellFormed().replaceAll('\0', '')}`, 'is not allowed as a key'); continue; }
        const child = (item.value as Record<string, unknown>)[key];
        if (typeof child === 'number' && (!Number.isFinite(child) || (Number.isInteger(child) && !Number.isSafeInteger(child)))) bad(`${item.pointer}/${key}`, 'must be a number that can be kept exactly');
        if (typeof child === 'object' || (checkText && typeof child === 'string')) stack.push({ value: child, pointer: `${item.pointer}/${key}`, depth: item.depth + 1 });
      }
    }
  }
  return { errors, keys };
}
