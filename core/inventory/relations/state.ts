import { isDeepStrictEqual } from 'node:util';
import { merge } from '../cards/index.js';
import type { Change } from '../changes.js';
import type { RelationType } from '../metamodel/index.js';
import type { RelationInput, RelationState } from './types.js';

/** The relation after the input. */
export function merged(type: RelationType, before: RelationState, input: RelationInput): RelationState {
  const pick = <K extends 'description' | 'valid_from' | 'valid_to'>(key: K) =>
    input[key] === undefined ? before[key] : input[key];
  return {
    ...before,
    attributes: merge(before.attributes, input.attributes && type.fields.canonical(input.attributes)),
    description: pick('description'),
    valid_from: pick('valid_from'),
    valid_to: pick('valid_to'),
  };
}

/** What differs between two states of a relation, one entry per field and per attribute. */
export function differences(before: RelationState, after: RelationState): Change[] {
  const changes = (['description', 'valid_from', 'valid_to'] as const)
    .filter((f) => before[f] !== after[f])
    .map((field): Change => ({ field, old: before[field], new: after[field] }));
  for (const key of new Set([...Object.keys(before.attributes), ...Object.keys(after.attributes)])) {
    const [o, n] = [before.attributes[key] ?? null, after.attributes[key] ?? null];
    if (o !== n && !isDeepStrictEqual(o, n)) changes.push({ field: `attributes.${key}`, old: o, new: n });
  }
  return changes;
}
