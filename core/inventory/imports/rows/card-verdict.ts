import { isDeepStrictEqual } from 'node:util';
import { COST_REFUSED } from '../../access/index.js';
import {
  applyInput,
  BLANK,
  differences,
  inputErrors,
  openReferences,
  PARENT_REFUSED,
  REFERENCE_REFUSED,
  type CardInput,
  type CardState,
} from '../../cards/index.js';
import type { CardType } from '../../metamodel/index.js';
import { nameKey } from '../../../foundation/text.js';
import type { RowChange } from './diff.js';
import type { FoundCard, MatchedCard } from './match-repository.js';
import { rowErrors } from '../parse/ndjson.js';
import type { RowVerdict } from './rows-repository.js';
import type { RowError, StagedCard } from '../types.js';

/** The parent of a row's card: an existing card, or one created by another row. */
export type Parent = FoundCard | { row: number; type: string };

/** All data needed for the verdict of a row with a card. */
export interface CardCase {
  n: number;
  input: StagedCard['input'];
  type: CardType | undefined;
  /** Whether the caller may see cards of the type. */
  visible: boolean;
  /**
   * Whether the caller may see its costs; without it costs cannot be set, because the verdict `unchanged` would reveal
   * the value.
   */
  seesCosts: boolean;
  match: MatchedCard | undefined;
  /** Ids of hidden cards that the card refers to; undefined where the caller sees cards of all types. */
  unseen: ReadonlySet<string> | undefined;
  /** Whether its parent is hidden from the caller. */
  isBelowHidden: boolean;
  /** Another card with the same external id, where the row gives the card's id. */
  keyHolder: string | undefined;
  /** Undefined where the row does not contain it. */
  parent: Parent | null | undefined;
  /** Errors found so far. */
  errors: RowError[];
}

/** The matched card as needed by the rules; members they do not read are empty. */
const { approval_status, data_quality, open_quality, basic_quality, facts, edited_by } = BLANK;
const stateOf = (match: MatchedCard): CardState => ({
  approval_status,
  data_quality,
  open_quality,
  basic_quality,
  facts,
  edited_by,
  ...match,
});

function parentErrors(type: CardType, parent: Parent | null | undefined): RowError[] {
  if (!parent) return [];
  if ('status' in parent && parent.status === 'ARCHIVED')
    return [{ field: 'parent', reason: 'names an archived card' }];
  const { has_hierarchy, allowed_parent_types } = type.definition;
  return has_hierarchy && allowed_parent_types.includes(parent.type)
    ? []
    : [{ field: 'parent', reason: `a ${parent.type} cannot be the parent of a ${type.key}` }];
}

/** Maximum lengths of texts in characters, as in a request. */
const LENGTHS = { subtype: 100, description: 50_000, external_id: 500, alias: 500 } as const;

function lengthErrors(input: StagedCard['input']): RowError[] {
  return (Object.keys(LENGTHS) as (keyof typeof LENGTHS)[]).flatMap((field) =>
    [...(input[field] ?? '')].length > LENGTHS[field]
      ? [{ field, reason: `must not have more than ${LENGTHS[field]} characters` }]
      : [],
  );
}

/** Unchanged values are not validated again: rules may have become stricter since they were stored. */
function changed(input: StagedCard['input'], before: CardState | undefined): StagedCard['input'] {
  if (!before || !input.attributes) return input;
  return {
    ...input,
    attributes: Object.fromEntries(
      Object.entries(input.attributes).filter(
        ([key, value]) => !isDeepStrictEqual(value, before.attributes[key] ?? null),
      ),
    ),
  };
}

export function costErrors(attributes: Record<string, unknown> | undefined, costKeys: ReadonlySet<string>): RowError[] {
  return Object.keys(attributes ?? {})
    .filter((key) => costKeys.has(key))
    .map((key) => ({ field: `attributes.${key}`, reason: COST_REFUSED }));
}

/** Determines the verdict and the diff of a row. */
export function cardVerdict({
  n,
  input,
  type,
  visible,
  seesCosts,
  match,
  unseen,
  isBelowHidden,
  keyHolder,
  parent: given,
  errors,
}: CardCase): RowVerdict {
  const invalid = (more: RowError[]): RowVerdict => ({
    n,
    verdict: 'invalid',
    target_id: match?.id ?? null,
    errors: [...errors, ...more],
  });
  if (!type) return invalid([{ field: 'type', reason: input.type === undefined ? 'is required' : 'is unknown' }]);
  if (!visible) return invalid([{ field: 'type', reason: 'cards of this type are not visible to you' }]);
  const costs = seesCosts ? [] : costErrors(input.attributes, type.fields.costKeys);
  if (errors.length + costs.length > 0) return invalid(costs);
  if (match && match.type !== type.key)
    return invalid([{ field: 'type', reason: `cannot be changed, the card is a ${match.type}` }]);
  if (match?.status === 'ARCHIVED') return { n, verdict: 'archived', target_id: match.id };
  const before = match && stateOf(match);
  const { open, refused } = openReferences(type.fields, before?.attributes ?? {}, input.attributes, before && unseen);
  const wanted = changed(open === input.attributes ? input : { ...input, attributes: open! }, before);
  // To a caller who may not see the current parent the card is shown without one, so that none is no change.
  const parent = isBelowHidden && given === null ? undefined : given;
  const faults = [
    ...refused.map((key): RowError => ({ field: `attributes.${key}`, reason: REFERENCE_REFUSED })),
    ...(isBelowHidden && parent !== undefined ? [{ field: 'parent', reason: PARENT_REFUSED }] : []),
    ...lengthErrors(wanted),
    ...rowErrors(inputErrors(type, wanted as CardInput, before, '')),
    ...parentErrors(type, parent),
  ];
  if (faults.length > 0) return invalid(faults);
  const from = before ?? { id: '', type: type.key, ...BLANK };
  const after = applyInput(type, from, wanted as CardInput);
  const changes: RowChange[] = differences(from, after);
  const parentId =
    parent === undefined ? from.parent_id : parent === null ? null : 'id' in parent ? parent.id : undefined;
  if (parentId === undefined)
    changes.push({ field: 'parent_id', old: from.parent_id, new: { row: (parent as { row: number }).row } });
  else if (parentId !== from.parent_id) changes.push({ field: 'parent_id', old: from.parent_id, new: parentId });
  const place_key = `${type.key}\n${parentId === undefined ? `row ${(parent as { row: number }).row}` : (parentId ?? '')}\n${nameKey(after.name)}`;
  const seen = {
    n,
    target_id: match?.id ?? null,
    place_key,
    ...(keyHolder !== undefined && { key_holder_id: keyHolder }),
    ...(match && { base_version: match.version }),
  };
  if (!match) return { verdict: 'create', diff: changes.map((change) => ({ ...change, old: null })), ...seen };
  return changes.length > 0 ? { verdict: 'update', diff: changes, ...seen } : { verdict: 'unchanged', ...seen };
}
