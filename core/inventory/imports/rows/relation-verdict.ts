import { isDeepStrictEqual } from 'node:util';
import { objectKey, openReferences, REFERENCE_REFUSED } from '../../cards/index.js';
import type { RelationType } from '../../metamodel/index.js';
import type { EndCard } from '../../relations/index.js';
import { costErrors } from './card-verdict.js';
import type { FoundCard, FoundRelation } from './match-repository.js';
import { rowErrors } from '../parse/ndjson.js';
import type { RowVerdict } from './rows-repository.js';
import type { RelationValues, RowError, Verdict } from '../types.js';

/** An end of a relation: an existing card, or one created or updated by another row. */
export type End = FoundCard | { row: number; type: string; verdict: Verdict; id: string | null };

/** All data needed for the verdict of a row with a relation. */
export interface RelationCase {
  n: number;
  input: RelationValues;
  type: RelationType | undefined;
  /** Whether the row gives the relation's id. */
  byId: boolean;
  /** Whether the importing user may see the costs of a relation; as for cards. */
  seesCosts: (source: EndCard, target: EndCard) => boolean;
  match: FoundRelation | undefined;
  /** Ids of hidden cards that the relation refers to; undefined where the importing user sees cards of all types. */
  unseen: ReadonlySet<string> | undefined;
  source: End | undefined;
  target: End | undefined;
  /** Whether the importing user may relate two cards; `''` is a card that does not exist yet. */
  mayRelate: (source: EndCard, target: EndCard) => boolean;
  /** Users and cards referred to by attributes that do not exist. */
  gone: ReadonlySet<string>;
  /** Errors found so far. */
  errors: RowError[];
}

const isArchived = (end: End): boolean => ('status' in end ? end.status : end.verdict.toUpperCase()) === 'ARCHIVED';
const STORED: ReadonlySet<Verdict> = new Set(['create', 'update', 'unchanged', 'archived']);

/** Key by which rows with the same ends are detected. */
const endKey = (end: End): string => ('row' in end && end.id === null ? `row ${end.row}` : end.id!);

/** The ends for the permission check; the id `''` is a card that does not exist yet. */
function endsOf(
  match: FoundRelation | undefined,
  source: End | undefined,
  target: End | undefined,
): [EndCard, EndCard] {
  const of = (end: End | undefined): EndCard => ({ id: end?.id ?? '', type: end?.type ?? '' });
  return match
    ? [
        { id: match.source_id, type: match.source_type },
        { id: match.target_id, type: match.target_type },
      ]
    : [of(source), of(target)];
}

function pairKey(type: string, source: End, target: End): string {
  return `${type}\n${endKey(source)}\n${endKey(target)}`;
}

function endErrors(field: 'source' | 'target', end: End | undefined, type: RelationType | undefined): RowError[] {
  if (!end) return [{ field, reason: 'names no card' }];
  if ('row' in end && !STORED.has(end.verdict))
    return [{ field, reason: `names row ${end.row}, which is not imported` }];
  if (!type || (field === 'source' ? type.allowsSource(end.type) : type.allowsTarget(end.type))) return [];
  return [{ field, reason: `must be a ${type.definition[`${field}_type`]}, not a ${end.type}` }];
}

const PLAIN = ['description', 'valid_from', 'valid_to'] as const;
type Stored = Pick<FoundRelation, 'attributes' | (typeof PLAIN)[number]>;
const NOTHING: Stored = { attributes: {}, description: null, valid_from: null, valid_to: null };

/** The changes made by a merge patch. */
function relationDiff(input: RelationValues, before: Stored): { field: string; old: unknown; new: unknown }[] {
  const changes: { field: string; old: unknown; new: unknown }[] = [];
  for (const field of PLAIN)
    if (input[field] !== undefined && input[field] !== before[field])
      changes.push({ field, old: before[field], new: input[field] });
  for (const [key, value] of Object.entries(input.attributes ?? {})) {
    const old = before.attributes[key] ?? null;
    if (!isDeepStrictEqual(old, value)) changes.push({ field: `attributes.${key}`, old, new: value });
  }
  return changes;
}

/** Determines the verdict and the diff of a row. */
export function relationVerdict({
  n,
  input: given,
  type,
  byId,
  seesCosts,
  match,
  unseen,
  source,
  target,
  mayRelate,
  gone,
  errors,
}: RelationCase): RowVerdict {
  const faults = [...errors];
  if (!type) faults.push({ field: 'type', reason: 'is unknown' });
  if (!byId || source) faults.push(...endErrors('source', source, type));
  if (!byId || target) faults.push(...endErrors('target', target, type));
  if (byId && !match) faults.push({ field: 'id', reason: 'names no relation' });
  if (byId && match && type && match.type !== type.key)
    faults.push({ field: 'type', reason: `cannot be changed, the relation is a ${match.type}` });
  for (const [field, end] of [
    ['source', source],
    ['target', target],
  ] as const) {
    if (byId && match && end && endKey(end) !== match[`${field}_id`])
      faults.push({ field, reason: 'cannot be changed' });
  }
  const between = endsOf(match, source, target);
  if (type && !seesCosts(...between)) faults.push(...costErrors(given.attributes, type.fields.costKeys));
  if (faults.length > 0 || !type) return { n, verdict: 'invalid', errors: faults };
  const before = match ?? NOTHING;
  const { open, refused } = openReferences(type.fields, before.attributes, given.attributes, match && unseen);
  const input = open === given.attributes ? given : { ...given, attributes: open! };
  faults.push(...refused.map((key): RowError => ({ field: `attributes.${key}`, reason: REFERENCE_REFUSED })));
  const attributes = Object.fromEntries(
    Object.entries(input.attributes ?? {}).filter(
      ([key, value]) => value !== null && !isDeepStrictEqual(value, before.attributes[key]),
    ),
  );
  faults.push(...rowErrors(type.fields.errors(attributes, '/attributes')));
  for (const { key, kind, id } of type.fields.references(attributes))
    if (gone.has(objectKey({ kind, id })))
      faults.push({ field: `attributes.${key}`, reason: kind === 'user' ? 'names no user' : 'names no card' });
  const [from, to] = [
    input.valid_from === undefined ? before.valid_from : input.valid_from,
    input.valid_to === undefined ? before.valid_to : input.valid_to,
  ];
  if (from && to && to < from) faults.push({ field: 'valid_to', reason: 'must not be before valid_from' });
  if (source && target && endKey(source) === endKey(target) && !type.definition.allow_self)
    faults.push({ field: 'target', reason: 'must not be the source' });
  if (faults.length > 0) return { n, verdict: 'invalid', target_id: match?.id ?? null, errors: faults };
  const place_key = source && target ? pairKey(type.key, source, target) : null;
  if (match?.archived || [source, target].some((end) => end && isArchived(end)))
    return { n, verdict: 'archived', target_id: match?.id ?? null, place_key };
  const diff = relationDiff(input, before);
  if ((!match || diff.length > 0) && !mayRelate(...between)) {
    return {
      n,
      verdict: 'invalid',
      target_id: match?.id ?? null,
      errors: [{ field: '', reason: 'The permission relations.manage is required.' }],
    };
  }
  if (!match) return { n, verdict: 'create', place_key, diff };
  return {
    n,
    verdict: diff.length > 0 ? 'update' : 'unchanged',
    target_id: match.id,
    place_key,
    ...(diff.length > 0 && { diff, base_version: match.version }),
  };
}
