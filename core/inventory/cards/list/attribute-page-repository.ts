import type { ListQuery } from '../../../foundation/db/list-query.js';
import { pageOfKeys, rowsWith } from '../page-source-repository.js';

/** A subset of the cards whose order one index provides. */
interface Arm {
  /** Condition on `c`; the conditions of different arms are mutually exclusive. */
  condition: string;
  /** The sort value, as in the index. */
  value: string;
}

/** An order provided by several indexes, each for a subset of the cards. Cards in no index come last, by id. */
export interface Split {
  type: 'numeric' | 'text';
  arms: readonly Arm[];
}

const all = (conditions: readonly string[]): string => conditions.join(' and ');

/**
 * A page in the order of an attribute: first the cards in the indexes, then the others. Each part is read only as far
 * as needed, so that the others are not read while there are cards with values.
 * @param narrow conditions without the cursor
 */
export function splitPage({
  keys,
  narrow,
  columns,
  split: { arms, type },
}: {
  keys: ListQuery;
  narrow: readonly string[];
  columns: string;
  split: Split;
}): string {
  const { dir, after, limit, page_size, offset, offsetBound } = keys;
  const op = dir === 'asc' ? '>' : '<';
  const need = `limit ${offset > 0 ? `${offsetBound} + ` : ''}${page_size + 1}`;
  const arm = ({
    condition,
    value,
  }: Arm): string => `(select c.id, ${value} as v from ${rowsWith(value, condition, ...narrow)}
    where ${all([...narrow, condition, ...(after?.value === undefined ? [] : [`(${value}, c.id) ${op} (${after.value}, ${after.id})`])])} order by ${value} ${dir}, c.id ${dir} ${need})`;
  // After a cursor at a card without a value no card with a value can follow.
  const held = after && after.value === undefined ? [] : arms.map(arm);
  const valued =
    held.length > 1
      ? `(select a.id, a.v from (${held.join(' union all ')}) a order by a.v${type === 'text' ? ' collate "C"' : ''} ${dir}, a.id ${dir} ${need})`
      : held[0];
  // If the reader lost the permission to see the values, a cursor may still contain one: then all cards without a value
  // follow.
  const unheld = arms.length === 0 && after?.value !== undefined ? [`(${after.value}, ${after.id}) is not null`] : [];
  const others = [
    ...narrow,
    ...unheld,
    ...(arms.length === 0 ? [] : [`not (${arms.map((a) => `(${a.condition})`).join(' or ')})`]),
    ...(after && after.value === undefined ? [`c.id ${op} ${after.id}`] : []),
  ];
  const rest = `(select c.id, null::${type} as v from ${rowsWith(...others)} where ${all(others)} order by c.id ${dir} ${need})`;
  return keysPage(valued === undefined ? rest : `${valued} union all ${rest}`, limit, columns);
}

const keysPage = (sorted: string, limit: string, columns: string): string =>
  `keys as materialized (select k.id, k.v::text as sort_value, row_number() over () as place from (select u.* from (${sorted}) u ${limit}) k),
    ${pageOfKeys(columns)}`;
