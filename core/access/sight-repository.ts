import type { Bindings } from '../db/list-query.js';
import { asksAbove, type Sight } from './sight.js';

/**
 * SQL of whether the caller holds, above the card `c`, an inherited role that opens costs; undefined where no role
 * does. The cards it is held on are read once for all rows; for who holds none the planner asks no row at all.
 */
export function heirSql(sight: Sight, bindings: Bindings): string | undefined {
  if (!asksAbove(sight)) return undefined;
  const held = `from card_stakeholders s join cards k on k.id = s.card_id
    where s.user_id = ${bindings.add(sight.me)}::uuid and k.type || ':' || s.role = any(${bindings.add(sight.heirs)}::text[])`;
  return `(exists (select ${held}) and coalesce(c.path_ids && (select array_agg(s.card_id) ${held}), false))`;
}

/** SQL of the ways a role of the caller, on the card `c` or above it, opens its costs: no card is in two of them. */
export function ownWays(sight: Sight, bindings: Bindings): string[] {
  if (sight.me === undefined) return [];
  const heir = heirSql(sight, bindings);
  const direct = sight.openers.length === 0 ? [] : [`exists (select from card_stakeholders s where s.card_id = c.id and s.user_id = ${bindings.add(sight.me)}::uuid
    and c.type || ':' || s.role = any(${bindings.add(sight.openers)}::text[]))${heir === undefined ? '' : ` and not ${heir}`}`];
  return heir === undefined ? direct : [...direct, heir];
}

/** The same as one condition; undefined where there is no way. */
export function ownSql(sight: Sight, bindings: Bindings): string | undefined {
  const ways = ownWays(sight, bindings);
  return ways.length === 0 ? undefined : `(${ways.join(' or ')})`;
}

/**
 * Column of the roles that users hold above the card `c`, as `user:type:role` joined by commas; null for none.
 * @param users placeholder of their ids
 */
export const rolesAboveSql = (users: string): string => `(select string_agg(s.user_id || ':' || k.type || ':' || s.role, ',')
  from card_stakeholders s join cards k on k.id = s.card_id where s.card_id = any(c.path_ids) and s.user_id = any(${users}::uuid[]))`;

/** Whether a text of that column names one of the reader's roles that open costs below. */
export const isHeirBy = ({ me, heirs }: Sight, above: string | null | undefined): boolean =>
  Boolean(above) && above!.split(',').some((held) => held.startsWith(`${me}:`) && heirs.includes(held.slice(me!.length + 1)));

/**
 * Condition that a column names a card that exists for the caller.
 * @param hidden the types whose cards do not
 * @param bind gives the placeholder of a value
 */
export const visibleSql = (hidden: readonly string[], column: string, bind: (value: unknown) => string): string =>
  (hidden.length === 0 ? 'true' : `exists (select from cards seen where seen.id = ${column} and seen.type <> all(${bind(hidden)}::text[]))`);
