import type { CostAccess } from '../../access/index.js';
import { missingObjects } from '../../cards/index.js';
import type { UnitOfWork } from '../../../foundation/db/unit-of-work.js';
import { isUuid } from '../../../foundation/ids.js';
import type { Metamodel } from '../../metamodel/index.js';
import type { RelationRights } from '../../relations/index.js';
import { nameKey } from '../../../foundation/text.js';
import { cardVerdict, type CardCase, type Parent } from '../rows/card-verdict.js';
import {
  findHolders,
  findMatches,
  findReferences,
  findRelations,
  pendingCards,
  type CardChunk,
  type FoundCard,
  type FoundRelation,
  type MatchedCard,
  type PendingCard,
  type Sought,
  type SoughtRelation,
} from '../rows/match-repository.js';
import { relationVerdict, type End, type RelationCase } from '../rows/relation-verdict.js';
import { findNamedRows, insertRelations, readPage, type NamedRow } from '../rows/relation-rows-repository.js';
import { setVerdicts, verdictOf, withHeadings, type RowVerdict } from '../rows/rows-repository.js';
import { soughtKeys } from '../parse/keys.js';
import { applyRules } from './relation-rules.js';
import type { Reference, RowError, StagedRelation } from '../types.js';

export interface MatchContext {
  importId: string;
  metamodel: Metamodel;
  /** Permissions of the importing user: cards hidden from the user are not matched, and references do not find them. */
  relations: RelationRights;
  costs: CostAccess;
  /** The ids that are cards hidden from the user. */
  hiddenAmong(ids: Iterable<string>, on: UnitOfWork): Promise<ReadonlySet<string>>;
  /** Headings by field, where the file is a table. */
  headings: ReadonlyMap<string, string>;
}

type Outer = Exclude<Reference, { row: number }>;
const isOuter = (reference: Reference | null | undefined): reference is Outer =>
  reference !== undefined && reference !== null && !('row' in reference);
/** A malformed id cannot exist. */
const canBeFound = (reference: Outer): boolean => !('id' in reference) || isUuid(reference.id);

/** The best valid match: a match by position counts only for a card without another external id. */
function chosen(
  found: readonly { rank: number; card: MatchedCard }[] | undefined,
  { doc }: PendingCard,
): MatchedCard | undefined {
  if (doc.id !== undefined) return found?.find(({ rank }) => rank === 1)?.card;
  const byKey = found?.find(({ rank }) => rank === 2)?.card;
  if (byKey || doc.byReferenceOnly) return byKey;
  return found?.find(({ rank, card }) => rank === 3 && (!doc.input.external_id || card.external_id === null))?.card;
}

/** The parent of a pending row's card, if the row has one; an error where it does not exist. */
function parentOf(
  row: PendingCard,
  found: ReadonlyMap<string, FoundCard>,
): { parent: Parent | null | undefined; errors: RowError[] } {
  const { parent } = row.doc;
  if (parent === undefined || parent === null) return { parent, errors: [] };
  if (row.parent_row !== null) {
    if (row.parent_target !== null)
      return {
        parent: {
          id: row.parent_target,
          type: row.parent_type!,
          status: row.parent_verdict === 'archived' ? 'ARCHIVED' : 'ACTIVE',
        },
        errors: [],
      };
    if (row.parent_verdict === 'create') return { parent: { row: row.parent_row, type: row.parent_type! }, errors: [] };
    return {
      parent: undefined,
      errors: [{ field: 'parent', reason: `names row ${row.parent_row}, which cannot be imported` }],
    };
  }
  const card = found.get(String(row.n));
  return card
    ? { parent: card, errors: [] }
    : { parent: undefined, errors: [{ field: 'parent', reason: 'names no card' }] };
}

/**
 * Determines the verdicts of a chunk of rows with cards, after those of the levels below.
 * @returns the number of rows
 */
export async function matchCards(
  uow: UnitOfWork,
  chunk: CardChunk,
  { importId, metamodel, relations: { hiddenTypes }, costs, hiddenAmong, headings }: MatchContext,
): Promise<number> {
  const rows = await pendingCards(uow, importId, chunk);
  const references = new Map(
    rows.flatMap((r) =>
      r.parent_row === null && isOuter(r.doc.parent) && canBeFound(r.doc.parent)
        ? [[String(r.n), r.doc.parent] as const]
        : [],
    ),
  );
  const found = await findReferences(uow, references, hiddenTypes);
  const parents = new Map(rows.map((r) => [r.n, parentOf(r, found)]));
  const matches = await findMatches(
    uow,
    rows.map((r): Sought => {
      const { parent } = parents.get(r.n)!;
      const { input, id } = r.doc;
      const isKnownPlace = parent === undefined || parent === null || 'id' in parent;
      return {
        n: r.n,
        id: id !== undefined && isUuid(id) ? id : undefined,
        type: input.type ?? '',
        external_id: input.external_id,
        has_place: isKnownPlace && id === undefined && Boolean(input.name),
        parent_id: parent && 'id' in parent ? parent.id : null,
        name_key: nameKey(input.name?.trim() ?? ''),
      };
    }),
  );
  const seen = new Map([...matches].map(([n, all]) => [n, all.filter(({ card }) => !hiddenTypes.includes(card.type))]));
  const hiddenParents = await hiddenAmong(
    [...seen.values()].flat().flatMap(({ card }) => card.parent_id ?? []),
    uow,
  );
  const verdicts = rows.map((r) => {
    const { parent, errors } = parents.get(r.n)!;
    const match = chosen(seen.get(r.n), r);
    const keyHolder = seen.get(r.n)?.find(({ rank, card }) => rank === 2 && card.id !== match?.id)?.card;
    const type = metamodel.types.get(r.doc.input.type ?? '');
    // To a user who may not see the current parent, the card is shown without one, so that this is no change.
    const isBelowHidden = match?.parent_id != null && hiddenParents.has(match.parent_id);
    const own: CardCase = {
      n: r.n,
      input: r.doc.input,
      type,
      visible: type === undefined || !hiddenTypes.includes(type.key),
      seesCosts: type !== undefined && costs.of(type.key, match),
      match,
      keyHolder: keyHolder?.id,
      parent: parent === null && isBelowHidden ? undefined : parent,
      errors: [...errors],
    };
    if (r.doc.id !== undefined && !own.match) own.errors.push({ field: 'id', reason: 'names no card' });
    return withHeadings(cardVerdict(own), headings);
  });
  await markHolders(uow, verdicts);
  await setVerdicts(uow, importId, verdicts);
  return rows.length;
}

/** Records existing cards that have the name of a row at its position. */
async function markHolders(uow: UnitOfWork, verdicts: RowVerdict[]): Promise<void> {
  const places = verdicts.flatMap(({ n, verdict, place_key }) => {
    const [type, parent, ...name] = place_key?.split('\n') ?? [];
    if (!['create', 'update'].includes(verdict) || type === undefined || parent!.startsWith('row ')) return [];
    return [{ n, type, parent_id: parent === '' ? null : parent!, name_key: name.join('\n') }];
  });
  const holders = await findHolders(uow, places);
  for (const verdict of verdicts) {
    const holder = holders.get(verdict.n);
    if (holder !== undefined && holder !== verdict.target_id) verdict.holder_id = holder;
  }
}

/** The row of the file that a reference names, if any. */
function rowNamed(reference: Reference | undefined, named: ReadonlyMap<string, NamedRow>): NamedRow | undefined {
  if (!reference) return undefined;
  if ('row' in reference)
    return named.get(`row ${reference.row}`) ?? { n: reference.row, target: null, verdict: null, type: null };
  const { ext, path } = soughtKeys(reference);
  if (ext !== null) return named.get(`ext ${ext}`);
  return path === null ? undefined : (named.get(`path ${path}`) ?? named.get(`name ${path}`));
}

const SIDES = ['source', 'target'] as const;

/**
 * Determines the verdicts of a page of rows with relations, after those of all cards, and stores the rows with them.
 * @param page number of the page
 * @returns the number of rows
 */
export async function matchRelations(
  uow: UnitOfWork,
  page: number,
  { importId, metamodel, relations: { hiddenTypes, relationlessTypes, mayRelate, seesCosts, ruled } }: MatchContext,
): Promise<number> {
  const all = await readPage(uow, importId, page);
  const given = all.flatMap(({ source, target }) => [source, target].filter((reference) => reference !== undefined));
  const named = await findNamedRows(uow, importId, given);
  const rowsAt = new Map(
    all.map((r) => [r.n, { source: rowNamed(r.source, named), target: rowNamed(r.target, named) }]),
  );
  const rows = all.filter((r) => verdictOf(r) === undefined);
  const references = new Map(
    rows.flatMap((r) =>
      SIDES.flatMap((side) => {
        const reference = r[side];
        return !rowsAt.get(r.n)![side] && isOuter(reference) && canBeFound(reference)
          ? [[`${r.n} ${side}`, reference] as const]
          : [];
      }),
    ),
  );
  const found = await findReferences(uow, references, hiddenTypes);
  const end = (r: StagedRelation, side: 'source' | 'target'): End | undefined => {
    const row = rowsAt.get(r.n)![side];
    const known = row
      ? { row: row.n, id: row.target, verdict: row.verdict ?? 'invalid', type: row.type ?? '' }
      : found.get(`${r.n} ${side}`);
    return known && !hiddenTypes.includes(known.type) ? known : undefined;
  };
  const ends = new Map(rows.map((r) => [r.n, { source: end(r, 'source'), target: end(r, 'target') }]));
  const matches = await findRelations(
    uow,
    rows.flatMap((r): SoughtRelation[] => {
      const { source, target } = ends.get(r.n)!;
      if (r.id !== undefined) return [{ n: r.n, id: r.id }];
      return source?.id && target?.id && r.input.type !== undefined
        ? [{ n: r.n, type: r.input.type, source_id: source.id, target_id: target.id }]
        : [];
    }),
  );
  const seenMatch = (n: number): FoundRelation | undefined => {
    const match = matches.get(n);
    return match && !relationlessTypes.includes(match.source_type) && !relationlessTypes.includes(match.target_type)
      ? match
      : undefined;
  };
  const gone = await missingObjects(
    uow,
    rows.flatMap(
      (r) => metamodel.relationTypes.get(r.input.type ?? '')?.fields.references(r.input.attributes ?? {}) ?? [],
    ),
    hiddenTypes,
  );
  const cases: RelationCase[] = [];
  const verdicts = rows.map((r) => {
    const own: RelationCase = {
      n: r.n,
      input: r.input,
      type: metamodel.relationTypes.get(r.input.type ?? ''),
      byId: r.id !== undefined,
      seesCosts,
      match: seenMatch(r.n),
      ...ends.get(r.n)!,
      mayRelate,
      gone,
      errors: [],
    };
    for (const side of SIDES)
      if (own.byId && r[side] && !own[side]) own.errors.push({ field: side, reason: 'names no card' });
    cases.push(own);
    return relationVerdict(own);
  });
  await applyRules(uow, ruled, cases, verdicts);
  const decided = new Map(verdicts.map((verdict) => [verdict.n, verdict]));
  await insertRelations(
    uow,
    importId,
    all.map((row) => ({
      row,
      verdict: decided.get(row.n) ?? { n: row.n, verdict: verdictOf(row)!, ...(row.errors && { errors: row.errors }) },
      source_row: rowsAt.get(row.n)!.source?.n ?? null,
      target_row: rowsAt.get(row.n)!.target?.n ?? null,
    })),
  );
  return all.length;
}
