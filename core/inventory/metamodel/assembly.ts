import { nameKey } from '../../foundation/text.js';
import { CENTS, type MoneyDigits } from './fields.js';
import { CardType, Metamodel, RelationType } from './metamodel.js';
import type { StoredMetamodel, StoredTag, StoredTagGroup, TypeRow } from './repository.js';
import type { CardTypeDefinition, RelationTypeDefinition, Tag, TagGroup } from './types.js';

/** The rows after a change, by key or id; null for a deleted row. */
export interface ChangedRows {
  types?: Record<string, TypeRow<CardTypeDefinition> | null>;
  relation_types?: Record<string, TypeRow<RelationTypeDefinition> | null>;
  tag_groups?: Record<string, StoredTagGroup | null>;
  tags?: Record<string, StoredTag | null>;
}

/** A revision as the difference to the previous one. */
export interface Difference {
  revision: string;
  changed: ChangedRows;
}

const time = (text: string): string => new Date(text).toISOString();
const cardType =
  (money: MoneyDigits) =>
  ({ doc, version, updated_at }: TypeRow<CardTypeDefinition>): CardType =>
    new CardType(doc, version, time(updated_at), money);
const relationType =
  (money: MoneyDigits) =>
  ({ doc, version, updated_at }: TypeRow<RelationTypeDefinition>): RelationType =>
    new RelationType(doc, version, time(updated_at), money);
const tag = ({ id, name, color, description, version, created_at, updated_at }: Omit<StoredTag, 'group_id'>): Tag => ({
  id,
  name,
  color,
  description,
  version,
  created_at: time(created_at),
  updated_at: time(updated_at),
});
const group = (
  { id, name, mode, mandatory, restrict_to_types, version, created_at, updated_at }: StoredTagGroup,
  tags: readonly Tag[],
): TagGroup => ({
  id,
  name,
  mode,
  mandatory,
  restrictToTypes: restrict_to_types,
  version,
  createdAt: time(created_at),
  updatedAt: time(updated_at),
  tags,
});

/** Compiles the stored metamodel. @param money digits of costs */
export function compile(stored: StoredMetamodel, money = CENTS): Metamodel {
  return new Metamodel(
    String(stored.revision),
    stored.types.map(cardType(money)),
    stored.relation_types.map(relationType(money)),
    stored.tag_groups.map((row) => group(row, row.tags.map(tag))),
    money,
  );
}

/**
 * The metamodel of the next revision. Unchanged parts are the same objects, with everything derived from them.
 * @param metamodel the previous revision; it is not changed
 */
export function advance(metamodel: Metamodel, { revision, changed }: Difference): Metamodel {
  return new Metamodel(
    revision,
    typesAfter(metamodel.types, changed.types ?? {}, cardType(metamodel.money)),
    typesAfter(metamodel.relationTypes, changed.relation_types ?? {}, relationType(metamodel.money)),
    groupsAfter(metamodel, changed.tag_groups ?? {}, changed.tags ?? {}),
    metamodel.money,
  );
}

/** In the order of the database query: by sort order, then by key. */
function byPlace(a: CardType | RelationType, b: CardType | RelationType): number {
  return a.definition.sort_order - b.definition.sort_order || (a.key < b.key ? -1 : 1);
}

function typesAfter<T extends CardType | RelationType, R>(
  before: ReadonlyMap<string, T>,
  rows: Record<string, R | null>,
  make: (row: R) => T,
): T[] {
  const kept = [...before.values()].filter(({ key }) => !Object.hasOwn(rows, key));
  const made = Object.values(rows).flatMap((row) => (row === null ? [] : [make(row)]));
  return made.length === 0 ? kept : [...kept, ...made].sort(byPlace);
}

/** In the order of the database: name keys are compared bytewise. */
const byName = (a: Buffer, b: { name: string }): number => Buffer.compare(a, Buffer.from(nameKey(b.name)));

/** The list with an additional entry at its sorted position. */
function inserted<T extends { name: string }>(list: readonly T[], item: T): T[] {
  const key = Buffer.from(nameKey(item.name));
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (byName(key, list[middle]!) < 0) high = middle;
    else low = middle + 1;
  }
  return list.toSpliced(low, 0, item);
}

const without = <T extends { id: string }>(list: readonly T[], id: string): readonly T[] => {
  const at = list.findIndex((item) => item.id === id);
  return at < 0 ? list : list.toSpliced(at, 1);
};

function groupsAfter(
  metamodel: Metamodel,
  groupRows: NonNullable<ChangedRows['tag_groups']>,
  tagRows: NonNullable<ChangedRows['tags']>,
): readonly TagGroup[] {
  let groups: readonly TagGroup[] = [...metamodel.tagGroups.values()];
  for (const [id, row] of Object.entries(groupRows)) {
    groups = without(groups, id);
    if (row) groups = inserted(groups, group(row, metamodel.tagGroups.get(id)?.tags ?? []));
  }
  const change = (id: string | undefined, make: (tags: readonly Tag[]) => readonly Tag[]): void => {
    groups = groups.map((g) => (g.id === id ? { ...g, tags: make(g.tags) } : g));
  };
  for (const [id, row] of Object.entries(tagRows)) {
    if (metamodel.tags.has(id)) change(metamodel.tags.get(id), (tags) => without(tags, id));
    if (row) change(row.group_id, (tags) => inserted(tags, tag(row)));
  }
  return groups;
}
