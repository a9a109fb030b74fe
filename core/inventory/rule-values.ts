import type { FieldError } from '@lintel/sdk';
import type { Change } from './changes.js';

/** A value that a rule of a module sets. */
export interface SetChange extends Change {
  /** Id of the module. */
  set_by: string;
}

/** Values of a card or relation, as callers send them and rules set them. */
interface Values {
  attributes?: Readonly<Record<string, unknown>>;
}

const MAPS = new Set(['attributes', 'lifecycle']);

/** The names of the fields that have a value or null, such as `description` and `attributes.owner`. */
export function givenNames(values: object): string[] {
  return Object.entries(values).flatMap(([key, value]) => {
    if (value === undefined) return [];
    return MAPS.has(key) ? Object.keys(value as object).map((name) => `${key}.${name}`) : [key];
  });
}

/**
 * The values that a rule may still set.
 * @param given names of the fields that the caller or an earlier rule has set
 */
export function openValues<V extends Values>(values: V, given: ReadonlySet<string>): V {
  const isOpen = (name: string, value: unknown): boolean => value !== undefined && !given.has(name);
  const open = Object.entries(values).flatMap(([key, value]): [string, unknown][] => {
    if (key !== 'attributes') return isOpen(key, value) ? [[key, value]] : [];
    const attributes = Object.entries((value ?? {}) as object).filter(([name, v]) => isOpen(`attributes.${name}`, v));
    return attributes.length > 0 ? [[key, Object.fromEntries(attributes)]] : [];
  });
  return Object.fromEntries(open) as Values as V;
}

/** Errors of values, which tell the caller that a rule of the module has set them. */
export function faultsOfModule(errors: readonly FieldError[], module: string): FieldError[] {
  return errors.map((error) => ({ ...error, reason: `${error.reason} (set by the module ${module})` }));
}
