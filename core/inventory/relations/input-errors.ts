import type { FieldError } from '@lintel/sdk';
import type { ValidateFunction } from 'ajv';
import { fieldErrors, strictAjv } from '../../foundation/http/ajv.js';
import { objectKey } from '../cards/index.js';
import type { RelationType } from '../metamodel/index.js';
import type { Ends } from './ends.js';
import { RelationPatch } from './schemas.js';
import type { RelationInput, RelationState } from './types.js';

const SIDES = ['source', 'target'] as const;

/**
 * The errors of the type and the ends of a new relation.
 * @param at pointer to the operation in the body
 */
export function endErrors(
  type: RelationType | undefined,
  input: RelationInput,
  ends: Ends,
  index: number,
  at: string,
): FieldError[] {
  const errors: FieldError[] = [];
  const bad = (field: string, reason: string) => errors.push({ field: `${at}/${field}`, reason, in: 'body' });
  if (!type) bad('type', input.type === undefined ? 'is required' : 'is unknown');
  for (const side of SIDES) {
    const card = ends.card(index, side);
    const field = input[side] === undefined ? `${side}_id` : side;
    const fault = ends.of(index, side)?.fault;
    if (fault !== undefined) bad(field, fault);
    else if (!card) bad(field, ends.absence(index, side));
    else if (card.status !== 'ACTIVE') bad(field, 'names an archived card');
    else if (type && !(side === 'source' ? type.allowsSource(card.type) : type.allowsTarget(card.type)))
      bad(field, `must be a ${type.definition[`${side}_type`]}, not a ${card.type}`);
  }
  const source = ends.card(index, 'source');
  if (source && source.id === ends.card(index, 'target')?.id && type && !type.definition.allow_self)
    bad('target_id', 'must not equal source_id');
  return errors;
}

/** The errors of an update that would change the type or an end. @param at pointer to the operation in the body */
export function fixedErrors(
  input: RelationInput,
  current: RelationState,
  ends: Ends,
  index: number,
  at: string,
): FieldError[] {
  const errors: FieldError[] = [];
  const differs = (field: string) => errors.push({ field: `${at}/${field}`, reason: 'cannot be changed', in: 'body' });
  if (input.type !== undefined && input.type !== current.type) differs('type');
  for (const side of SIDES) {
    if (ends.of(index, side) && ends.card(index, side)?.id !== current[`${side}_id`])
      differs(input[side] === undefined ? `${side}_id` : side);
  }
  return errors;
}

/** Compiled when a rule first sets values. */
let patchCheck: ValidateFunction | undefined;

/**
 * The errors of values that did not come through a request, by the schema of requests: lengths of texts, and formats of days.
 * @param at pointer to the relation in the body
 */
export function shapeErrors(input: RelationInput, at: string): FieldError[] {
  const check = (patchCheck ??= strictAjv().compile(RelationPatch));
  if (check(input)) return [];
  return fieldErrors(check.errors ?? [], 'body').map((error) => ({ ...error, field: `${at}${error.field}` }));
}

/**
 * The errors of the attributes and the days of a relation.
 * @param before the current relation; undefined if it is created
 * @param gone keys of the users and cards that attributes refer to and that do not exist; see `objectKey`
 * @param at pointer to the operation in the body
 */
export function valueErrors(
  type: RelationType,
  input: RelationInput,
  before: RelationState | undefined,
  gone: ReadonlySet<string>,
  at: string,
): FieldError[] {
  const set = Object.fromEntries(Object.entries(input.attributes ?? {}).filter(([, v]) => v !== null));
  const errors = type.fields.errors(set, `${at}/attributes`);
  const [from, to] = [
    input.valid_from === undefined ? before?.valid_from : input.valid_from,
    input.valid_to === undefined ? before?.valid_to : input.valid_to,
  ];
  for (const { key, kind, id } of type.fields.references(set))
    if (gone.has(objectKey({ kind, id })))
      errors.push({
        field: `${at}/attributes/${key}`,
        reason: kind === 'user' ? 'names no user' : 'names no card',
        in: 'body',
      });
  if (from && to && to < from)
    errors.push({ field: `${at}/valid_to`, reason: 'must not be before valid_from', in: 'body' });
  return errors;
}
