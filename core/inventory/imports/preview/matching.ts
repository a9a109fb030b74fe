import { seesRelation, type CostAccess } from '../../access/index.js';
import { missingObjects, referencesIn } from '../../cards/index.js';
import type { UnitOfWork } from '../../../foundation/db/unit-of-work.js';
import { isUuid } from '../../../foundation/ids.js';
import type { Metamodel } from '../../metamodel/index.js';
import type { RelationRights } from '../../relations/index.js';
import { nameKey } from '../../../foundation/text.js';
import { cardVerdict, type CardCase, type Parent } from '../rows/card-verdict.js';
import { UNPLACED, type CardRow, type FileRows } from '../rows/file-rows.js';
import {
  findHolders,
  findMatches,
  findReferences,
  findRelations,
  type FoundCard,
  type FoundRelation,
  type MatchedCard,
  type Matches,
  type RelationBetween,
  type Sought,
} from '../rows/match-repository.js';
import { readCards, readRelations, type CardChunk } from '../rows/pages-repository.js';
import { relationVerdict, type End, type RelationCase } from '../rows/relation-verdict.js';
import { insertRelations } from '../rows/relation-rows-repository.js';
import type { Repeats } from '../rows/repeats.js';
import { insertCards, withHeadings, type RowVerdict } from '../rows/rows-repository.js';
import { applyRules } from './relation-rules.js';
import { verdictOf, type Reference, type RowError, type StagedCard, type StagedRelation } from '../types.js';

export interface MatchContext {
  importId: string;
  /** The rows with cards of the file. */
  file: FileRows;
  /** Gets the rows of the kind that is matched. */
  repeats: Repeats;
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
  { byId, byKey, byPlace }: Matches,
  { id, input, byReferenceOnly }: StagedCard,
): MatchedCard | undefined {
  if (id !== undefined) return byId;
  if (byKey || byReferenceOnly) return byKey;
  return !input.external_id || byPlace?.external_id === null ? byPlace : undefined;
}

/** Without the cards of types hidden from the user. */
function visible(found: Matches | undefined, hiddenTypes: readonly string[]): Matches {
  if (!found) return {};
  if (hiddenTypes.length === 0) return found;
  return Object.fromEntries(Object.entries(found).filter(([, card]) => !hiddenTypes.includes(card.type)));
}

/** The parent of a row's card, if the row has one; an error where it does not exist. */
function parentOf(
  row: StagedCard,
  file: FileRows,
  found: ReadonlyMap<string, FoundCard>,
): { parent: Parent | null | undefined; errors: RowError[] } {
  const { parent } = row;
  if (parent === undefined || parent === null) return { parent, errors: [] };
  const above = file.parentOf(row.n);
  if (above) {
    const { n, target, type, verdict } = above;
    if (target !== null)
      return {
        parent: { id: target, type: type!, status: verdict === 'archived' ? 'ARCHIVED' : 'ACTIVE' },
        errors: [],
      };
    if (verdict === 'create') return { parent: { row: n, type: type! }, errors: [] };
    return { parent: undefined, errors: [{ field: 'parent', reason: `names row ${n}, which cannot be imported` }] };
  }
  const card = found.get(String(row.n));
  return card
    ? { parent: card, errors: [] }
    : { parent: undefined, errors: [{ field: 'parent', reason: 'names no card' }] };
}

/** The verdict that a row with a card has without a look at the workspace, if any. */
function early(row: StagedCard, { level }: CardRow): RowVerdict | undefined {
  const verdict = verdictOf(row);
  if (verdict !== undefined) return { n: row.n, verdict, ...(row.errors?.length && { errors: row.errors }) };
  if (level !== UNPLACED) return undefined;
  const reason = 'would put the card below itself, or deeper than any tree may be';
  return { n: row.n, verdict: 'invalid', errors: [{ field: 'parent', reason }] };
}

/**
 * Determines the verdicts of a chunk of rows with cards, after those of the levels below, and stores the rows with them.
 * @returns the number of rows
 */
export async function matchCards(uow: UnitOfWork, chunk: CardChunk, context: MatchContext): Promise<number> {
  const { importId, file, repeats } = context;
  const all = await readCards(uow, importId, chunk);
  const places = new Map(all.map((row) => [row.n, file.get(row.n)!]));
  const verdicts = new Map<number, RowVerdict>();
  const rest = all.filter((row) => {
    const verdict = early(row, places.get(row.n)!);
    if (verdict) verdicts.set(row.n, verdict);
    return !verdict;
  });
  for (const verdict of await verdictsOf(uow, rest, context)) verdicts.set(verdict.n, verdict);
  await insertCards(
    uow,
    importId,
    all.map((row) => ({ row, place: places.get(row.n)!, verdict: verdicts.get(row.n)! })),
  );
  for (const { n, input } of all) {
    const verdict = verdicts.get(n)!;
    file.decide(n, verdict.verdict, verdict.target_id);
    repeats.note(verdict, input);
  }
  return all.length;
}

/** The verdicts of rows with cards, by comparison with the workspace. */
async function verdictsOf(
  uow: UnitOfWork,
  rows: readonly StagedCard[],
  { file, metamodel, relations: { hiddenTypes }, costs, hiddenAmong, headings }: MatchContext,
): Promise<RowVerdict[]> {
  const references = new Map(
    rows.flatMap((r) =>
      isOuter(r.parent) && canBeFound(r.parent) && !file.parentOf(r.n) ? [[String(r.n), r.parent] as const] : [],
    ),
  );
  const referred = await findReferences(uow, references, hiddenTypes);
  const parents = new Map(rows.map((r) => [r.n, parentOf(r, file, referred)]));
  const matches = await findMatches(
    uow,
    rows.map((r): Sought => {
      const { parent } = parents.get(r.n)!;
      const { input, id } = r;
      const type = input.type ?? '';
      const isKnownPlace = parent === undefined || parent === null || 'id' in parent;
      return {
        n: r.n,
        id: id !== undefined && isUuid(id) ? id : undefined,
        type,
        external_id: input.external_id,
        place:
          isKnownPlace && id === undefined && input.name
            ? { type, parent_id: parent ? parent.id : null, name_key: nameKey(input.name.trim()) }
            : undefined,
      };
    }),
  );
  const seen = new Map(rows.map(({ n }) => [n, visible(matches.get(n), hiddenTypes)]));
  // Parents, and cards that attributes refer to.
  const unseen = await hiddenAmong(
    [...seen.values()]
      .flatMap((found) => Object.values(found))
      .flatMap(({ type, parent_id, attributes }) => {
        const fields = metamodel.types.get(type)?.fields;
        return [parent_id ?? [], fields ? referencesIn(fields, attributes) : []].flat();
      }),
    uow,
  );
  const verdicts = rows.map((r) => {
    const { parent, errors } = parents.get(r.n)!;
    const found = seen.get(r.n)!;
    const match = chosen(found, r);
    const type = metamodel.types.get(r.input.type ?? '');
    const own: CardCase = {
      n: r.n,
      input: r.input,
      type,
      visible: type === undefined || !hiddenTypes.includes(type.key),
      seesCosts: type !== undefined && costs.of(type.key, match),
      match,
      keyHolder: found.byKey?.id === match?.id ? undefined : found.byKey?.id,
      unseen: hiddenTypes.length > 0 ? unseen : undefined,
      isBelowHidden: match?.parent_id != null && unseen.has(match.parent_id),
      parent,
      errors: [...errors],
    };
    if (r.id !== undefined && !own.match) own.errors.push({ field: 'id', reason: 'names no card' });
    return withHeadings(cardVerdict(own), headings);
  });
  await markHolders(uow, verdicts);
  return verdicts;
}

/** Records existing cards that have the name of a row at its position. */
async function markHolders(uow: UnitOfWork, verdicts: RowVerdict[]): Promise<void> {
  const places = verdicts.flatMap(({ n, verdict, place_key }) => {
    const [type, parent, ...name] = place_key?.split('\n') ?? [];
    if (!['create', 'update'].includes(verdict) || type === undefined || parent!.startsWith('row ')) return [];
    return [{ n, place: { type, parent_id: parent === '' ? null : parent!, name_key: name.join('\n') } }];
  });
  const holders = await findHolders(uow, places);
  for (const verdict of verdicts) {
    const holder = holders.get(verdict.n);
    if (holder !== undefined && holder !== verdict.target_id) verdict.holder_id = holder;
  }
}

/** An end of a relation that a row of the file is, and one that none is. */
type Named = Omit<CardRow, 'parent' | 'level'>;

/** The row of the file that a reference names, if any. */
const rowNamed = (reference: Reference | undefined, file: FileRows): Named | undefined =>
  file.find(reference) ??
  (reference && 'row' in reference ? { n: reference.row, target: null, verdict: null, type: null } : undefined);

const SIDES = ['source', 'target'] as const;

/**
 * Determines the verdicts of a page of rows with relations, after those of all cards, and stores the rows with them.
 * @param page number of the page
 * @returns the number of rows
 */
export async function matchRelations(
  uow: UnitOfWork,
  page: number,
  { importId, file, repeats, metamodel, relations, hiddenAmong }: MatchContext,
): Promise<number> {
  const { hiddenTypes, relationlessTypes, mayRelate, seesCosts, ruled } = relations;
  const all = await readRelations(uow, importId, page);
  const rowsAt = new Map(all.map((r) => [r.n, { source: rowNamed(r.source, file), target: rowNamed(r.target, file) }]));
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
  const ids = new Map<number, string>();
  const between = new Map<number, RelationBetween>();
  for (const { n, id, input } of rows) {
    const { source, target } = ends.get(n)!;
    if (id !== undefined) ids.set(n, id);
    else if (source?.id && target?.id && input.type !== undefined)
      between.set(n, { type: input.type, source_id: source.id, target_id: target.id });
  }
  const matches = await findRelations(uow, ids, between);
  const seenMatch = (n: number): FoundRelation | undefined => {
    const match = matches.get(n);
    return match && seesRelation(match, relationlessTypes) ? match : undefined;
  };
  const unseen =
    hiddenTypes.length === 0
      ? undefined
      : await hiddenAmong(
          [...matches.values()].flatMap(({ type, attributes }) => {
            const fields = metamodel.relationTypes.get(type)?.fields;
            return fields ? referencesIn(fields, attributes) : [];
          }),
          uow,
        );
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
      unseen,
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
  for (const { n, input } of rows) repeats.note(decided.get(n)!, input);
  await insertRelations(
    uow,
    importId,
    all.map((row) => ({
      row,
      verdict: decided.get(row.n) ?? { n: row.n, verdict: verdictOf(row)!, ...(row.errors && { errors: row.errors }) },
      source_row: rowsAt.get(row.n)!.source?.n,
      target_row: rowsAt.get(row.n)!.target?.n,
    })),
  );
  return all.length;
}
