import type { FieldError, LogEvent } from '@lintel/sdk';
import { matchesType } from '../events/index.js';

export const OPERATORS = ['eq', 'ne', 'in', 'contains', 'exists', 'changed'] as const;
type Operator = (typeof OPERATORS)[number];

/** One stored condition of a webhook. */
export interface Condition {
  field: string;
  op: Operator;
  value?: unknown;
}

interface Filter {
  /** Exact types, or prefixes that end in a dot; empty for all. */
  types: readonly string[];
  conditions: readonly Condition[];
}

interface Change {
  field: string;
  old?: unknown;
  new?: unknown;
}

const MEMBER = /^(type|origin|subject\.(kind|id|type|name)|actor\.id|data(\.[A-Za-z0-9_-]{1,100}){1,10})$/;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Whether the type filter of a webhook matches a type. */
export function typeMatches({ types }: Pick<Filter, 'types'>, type: string): boolean {
  return types.length === 0 || matchesType(types, type);
}

/** Whether all conditions are true for an event, as its receiver may read it. */
export function conditionsHold({ conditions }: Pick<Filter, 'conditions'>, event: LogEvent): boolean {
  return conditions.every((condition) => holds(condition, event));
}

function holds({ field, op, value }: Condition, event: LogEvent): boolean {
  if (op === 'changed') return hasChanged(event, dotted(field), value);
  const found = within(event, field.split('.')) ?? null;
  switch (op) {
    case 'eq':
      return found === value;
    case 'ne':
      return found !== value;
    case 'in':
      return Array.isArray(value) && value.includes(found);
    case 'contains':
      return Array.isArray(found)
        ? found.includes(value)
        : typeof found === 'string' && typeof value === 'string' && found.includes(value);
    case 'exists':
      return (found !== null) === (value ?? true);
    default:
      return false;
  }
}

/** The value at a path; own members only, so that a path cannot reach a prototype. */
function within(from: unknown, path: readonly string[]): unknown {
  let at = from;
  for (const key of path) {
    if (!isObject(at) || !Object.hasOwn(at, key)) return undefined;
    at = at[key];
  }
  return at;
}

/** Changes name fields as `attributes.x` or as the pointer `/attributes/x`. */
const dotted = (field: string): string => field.replace(/^\//, '').replaceAll('/', '.');

function hasChanged({ data }: LogEvent, field: string, value: unknown): boolean {
  const { changes } = data;
  if (!Array.isArray(changes)) return false;
  return (changes as unknown[]).some(
    (change) =>
      isChange(change) && concerns(change, field) && (value === undefined || valueNow(change, field) === value),
  );
}

const isChange = (change: unknown): change is Change => isObject(change) && typeof change['field'] === 'string';

function concerns(change: Change, field: string): boolean {
  const name = dotted(change.field);
  if (name === field || name.startsWith(`${field}.`)) return true;
  // If a whole map was changed, only the relevant part is compared.
  const part = partOf(name, field);
  return part !== undefined && JSON.stringify(within(change.old, part)) !== JSON.stringify(within(change.new, part));
}

const partOf = (name: string, field: string): string[] | undefined =>
  field.startsWith(`${name}.`) ? field.slice(name.length + 1).split('.') : undefined;

function valueNow(change: Change, field: string): unknown {
  return within(change.new, partOf(dotted(change.field), field) ?? []) ?? null;
}

/** Errors in conditions that the schema does not detect. */
export function conditionFaults(conditions: readonly Condition[]): Omit<FieldError, 'in'>[] {
  return conditions.flatMap(({ field, op, value }, i) => {
    const faults: Omit<FieldError, 'in'>[] = [];
    const wrong = (member: string, reason: string): void =>
      void faults.push({ field: `/conditions/${i}/${member}`, reason });
    if (op !== 'changed' && !MEMBER.test(field))
      wrong(
        'field',
        'must be type, origin, subject.kind, subject.id, subject.type, subject.name, actor.id or data.<path>',
      );
    const isList = Array.isArray(value);
    if (op === 'in' ? !isList : isList) wrong('value', op === 'in' ? 'must be a list' : 'must not be a list');
    else if (value === undefined && !['exists', 'changed'].includes(op)) wrong('value', 'is required');
    else if (op === 'exists' && value !== undefined && typeof value !== 'boolean')
      wrong('value', 'must be true or false');
    else if (op === 'contains' && value === null) wrong('value', 'must not be null');
    return faults;
  });
}
