import type { Bindings } from '../../foundation/db/list-query.js';
import { needsRolesAbove, hidesCards, type CardVisibility } from './card-visibility.js';

/**
 * SQL condition that the caller has, on a card above `c`, an inherited role that permits viewing costs; undefined where
 * no such role exists. The caller's cards are read once for all rows; if there are none, the planner skips the check
 * per row.
 */
export function inheritedCostsSql(visibility: CardVisibility, bindings: Bindings): string | undefined {
  if (!needsRolesAbove(visibility)) return undefined;
  const held = `from card_stakeholders s join cards k on k.id = s.card_id
    where s.user_id = ${bindings.add(visibility.me)}::uuid and k.type || ':' || s.role = any(${bindings.add(visibility.inheritedCostRoles)}::text[])`;
  return `(exists (select ${held}) and coalesce(c.path_ids && (select array_agg(s.card_id) ${held}), false))`;
}

/**
 * SQL conditions for the ways in which a role of the caller, on the card `c` or above it, permits viewing its costs;
 * they are mutually exclusive.
 */
export function ownCostConditions(visibility: CardVisibility, bindings: Bindings): string[] {
  if (visibility.me === undefined) return [];
  const inheritsCosts = inheritedCostsSql(visibility, bindings);
  const direct =
    visibility.costRoles.length === 0
      ? []
      : [
          `exists (select from card_stakeholders s where s.card_id = c.id and s.user_id = ${bindings.add(visibility.me)}::uuid
    and c.type || ':' || s.role = any(${bindings.add(visibility.costRoles)}::text[]))${inheritsCosts === undefined ? '' : ` and not ${inheritsCosts}`}`,
        ];
  return inheritsCosts === undefined ? direct : [...direct, inheritsCosts];
}

/** The same as one condition, checked for each row; undefined where there is none. */
export function ownCostsSql(visibility: CardVisibility, bindings: Bindings): string | undefined {
  const conditions = ownCostConditions(visibility, bindings);
  return conditions.length === 0 ? undefined : `(${conditions.join(' or ')})`;
}

/**
 * The same for a statement that reads many cards: the cards on which the caller has such a role are read once, and not
 * per row.
 */
export function ownCostsSqlForMany(visibility: CardVisibility, bindings: Bindings): string | undefined {
  const { me, costRoles } = visibility;
  if (me === undefined) return undefined;
  const direct =
    costRoles.length === 0
      ? undefined
      : `c.id in (select s.card_id from card_stakeholders s join cards k on k.id = s.card_id
    where s.user_id = ${bindings.add(me)}::uuid and k.type || ':' || s.role = any(${bindings.add(costRoles)}::text[]))`;
  const conditions = [direct, inheritedCostsSql(visibility, bindings)].filter((condition) => condition !== undefined);
  return conditions.length === 0 ? undefined : `(${conditions.join(' or ')})`;
}

/**
 * Column with the roles that users have above the card `c`, as `user:type:role` joined by commas; null for none.
 * @param users placeholder of their ids
 */
export const rolesAboveSql = (
  users: string,
): string => `(select string_agg(s.user_id || ':' || k.type || ':' || s.role, ',')
  from card_stakeholders s join cards k on k.id = s.card_id where s.card_id = any(c.path_ids) and s.user_id = any(${users}::uuid[]))`;

/** Whether a text of that column contains one of the reader's inherited roles that permit viewing costs. */
export const inheritsCostsBy = (
  { me, inheritedCostRoles }: CardVisibility,
  above: string | null | undefined,
): boolean =>
  Boolean(above) &&
  above!
    .split(',')
    .some((held) => held.startsWith(`${me}:`) && inheritedCostRoles.includes(held.slice(me!.length + 1)));

/**
 * Condition that a column contains the id of a card visible to the caller.
 * @param hidden card types hidden from the caller
 * @param bind returns the placeholder of a value
 */
export const visibleSql = (hidden: readonly string[], column: string, bind: (value: unknown) => string): string =>
  hidden.length === 0
    ? 'true'
    : `exists (select from cards seen where seen.id = ${column} and seen.type <> all(${bind(hidden)}::text[]))`;

/**
 * A subquery with the cards visible to the caller, for statements of modules.
 * @param hidden card types hidden from the caller
 * @param bind returns the placeholder of a value
 */
export const visibleCards = (hidden: readonly string[], bind: (value: unknown) => string): string =>
  `(select id, type, subtype, name, status, external_id, version from card_rows${
    hidden.length === 0 ? '' : ` where type <> all(${bind(hidden)}::text[])`
  })`;

/** The parts of a view that refer to other cards, as SQL over the card `c` and its ancestors `a`. */
export interface OthersSql {
  /** Id of the parent; null where the parent is hidden. */
  parent: string;
  /** Name of the ancestor; null where it is hidden. */
  ancestor: string;
  /** The attributes without values that refer to hidden cards. */
  attributes: string;
}

/** For readers who may see cards of all types: the plain columns. */
export const ALL_SEEN: OthersSql = { parent: 'c.parent_id', ancestor: 'a.name', attributes: 'c.attributes' };

const UUID = `'^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$'`;

/**
 * SQL condition that a text is the id of a card of the types, which may be deleted.
 * @param text a text that may be an id; values stored under a former kind of the field may be any text
 * @param types card types, as SQL of an array
 */
const isHiddenId = (
  text: string,
  types: string,
): string => `(case when ${text} ~ ${UUID} then coalesce((select h.type from cards h where h.id = (${text})::uuid),
  (select h.type from card_deletions h where h.id = (${text})::uuid)) = any(${types}) end is true)`;

const parentHidden = (types: string): string =>
  `exists (select from cards p where p.id = c.parent_id and p.type = any(${types}))`;

const once = (make: () => string): (() => string) => {
  let made: string | undefined;
  return () => (made ??= make());
};

/**
 * SQL of the parts of a view of the card `c` that refer to other cards, restricted to what the reader may see. Each binds its values when
 * it is first read: PostgreSQL refuses a statement with a value that is not used in it.
 */
export function othersSql(visibility: CardVisibility, bindings: Bindings): OthersSql {
  if (!hidesCards(visibility)) return ALL_SEEN;
  const { types, keys } = visibility.references;
  const hidden = once(() => `${bindings.add(visibility.hiddenTypes)}::text[]`);
  const attributes = once(() =>
    keys.length === 0
      ? 'c.attributes'
      : `(c.attributes - array(select f.key from unnest(${bindings.add(types)}::text[], ${bindings.add(keys)}::text[]) as f(type, key)
      where f.type = c.type and ${isHiddenId('(c.attributes->>f.key)', hidden())}))`,
  );
  return {
    get parent() {
      return `(case when ${parentHidden(hidden())} then null else c.parent_id end)`;
    },
    get ancestor() {
      return `(case when a.type = any(${hidden()}) then null else a.name end)`;
    },
    get attributes() {
      return attributes();
    },
  };
}

/**
 * Conditions on the card `c` that another card used in a filter is visible to the reader; undefined where all are
 * visible.
 */
interface OtherConditions {
  /** The parent is not a hidden card. */
  parentSeen(): string;
  parentHidden(): string;
  /** The value of the attribute is not the id of a hidden card. @param value SQL of its text */
  valueSeen(value: string): string;
  /** The ids that are not those of hidden cards. @param ids SQL of an array of UUIDs */
  seenAmong(ids: string): string;
}

export function otherConditions(
  visibility: Pick<CardVisibility, 'hiddenTypes'>,
  bindings: Bindings,
): OtherConditions | undefined {
  if (!hidesCards(visibility)) return undefined;
  const hidden = (): string => `${bindings.add(visibility.hiddenTypes)}::text[]`;
  return {
    parentSeen: () => `not ${parentHidden(hidden())}`,
    parentHidden: () => parentHidden(hidden()),
    valueSeen: (value) => `not ${isHiddenId(value, hidden())}`,
    seenAmong: (ids) => `array(select k.id from cards k where k.id = any(${ids}) and k.type <> all(${hidden()}))`,
  };
}

/**
 * SQL of the ids of all cards in the subtrees of cards, including these. A hidden card has the same result as an unknown
 * id: its subtree is empty, also where cards below it are visible.
 * @param roots ids of cards
 */
export function subtreeSql(
  roots: readonly string[],
  visibility: Pick<CardVisibility, 'hiddenTypes'>,
  bindings: Bindings,
): string {
  const given = `${bindings.add(roots)}::uuid[]`;
  const seen = otherConditions(visibility, bindings)?.seenAmong(given) ?? given;
  return `select k.id from cards k where k.id = any(${seen}) or k.path_ids && ${seen}`;
}
