import type { Bindings } from '../../../foundation/db/list-query.js';
import type { Metamodel } from '../../metamodel/index.js';
import { stakeholdersHidden, type CardVisibility } from '../../access/index.js';
import { FilterConditions } from './filter-conditions.js';

/** The filters by stakeholders, as query parameters. */
export interface StakeholderFilters {
  stakeholder_id?: string | undefined;
  stakeholder_role?: string | undefined;
  'stakeholder_role[empty]'?: string | undefined;
}

/** The word for cards without any stakeholder. */
const ANY = 'any';
const NOUN = 'stakeholder role';
const EMPTY = 'stakeholder_role[empty]';

/**
 * The condition that the reader may see the stakeholders of `c`; undefined where this holds for all cards.
 * @throws forbidden where it holds for no type
 */
function knownStakeholders(
  { stakeholderRedactedTypes }: CardVisibility,
  { types }: Metamodel,
  bindings: Bindings,
): string | undefined {
  if (stakeholderRedactedTypes.size === 0) return undefined;
  if (stakeholderRedactedTypes.size === types.size)
    throw stakeholdersHidden(' to filter by other stakeholders than `me`');
  return `c.type <> all(${bindings.add([...stakeholderRedactedTypes])}::text[])`;
}

/**
 * Conditions on `c` for the filters by stakeholders.
 * @throws forbidden where the reader may see stakeholders of no type
 */
export function stakeholderConditions(
  filters: StakeholderFilters,
  metamodel: Metamodel,
  visibility: CardVisibility,
  bindings: Bindings,
): FilterConditions {
  const { stakeholder_id, stakeholder_role, [EMPTY]: without } = filters;
  const found = new FilterConditions();
  const { me } = visibility;
  const isRole = (key: string): boolean =>
    [...metamodel.types.values()].some(({ definition }) =>
      definition.stakeholder_roles.some((role) => role.key === key),
    );
  const ids =
    stakeholder_id === undefined
      ? undefined
      : found.uuids('stakeholder_id', stakeholder_id === 'me' ? (me ?? '') : stakeholder_id);
  const roles =
    stakeholder_role === undefined ? undefined : found.keys('stakeholder_role', stakeholder_role, isRole, NOUN);
  const absent = without === undefined ? undefined : found.keysOr(EMPTY, without, ANY, isRole, NOUN);

  // Filtering by the caller's own roles is always allowed; filtering by other users would reveal stakeholders that the
  // caller may not see.
  const isOwn = stakeholder_id === undefined ? roles === undefined : ids?.every((id) => id.toLowerCase() === me);
  if (isOwn === false || absent !== undefined) {
    const known = knownStakeholders(visibility, metamodel, bindings);
    if (known !== undefined) found.where.push(known);
  }
  if (found.errors.length > 0) return found;
  const held = (users: readonly string[] | undefined, of: readonly string[] | undefined): string =>
    `exists (select from card_stakeholders s where s.card_id = c.id${
      users === undefined ? '' : ` and s.user_id = any(${bindings.add(users)}::uuid[])`
    }${of === undefined ? '' : ` and s.role = any(${bindings.add(of)}::text[])`})`;
  if (ids !== undefined || roles !== undefined) found.where.push(held(ids, roles));
  if (absent !== undefined) found.where.push(`not ${held(undefined, absent === ANY ? undefined : absent)}`);
  return found;
}
