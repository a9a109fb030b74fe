import type { Statement, UnitOfWork } from './services.js';

/** Rows of a table that are counted, by the values that they have in common. */
export interface Counted {
  /** Columns that have been checked as identifiers. */
  per: readonly string[];
  most: number;
  where?: string;
  /** By key: the values in common, and how many rows are to be added to those that have them. */
  groups: Map<string, { values: Record<string, unknown>; added: number }>;
}

// The timeout applies only to these locks: later row locks of the transaction wait as long as usual. The subquery with OFFSET
// is evaluated before the columns, which are evaluated from left to right.
const LOCK: Statement = {
  name: 'room-lock',
  text: `select set_config('lock_timeout', $2, true),
      (select count(pg_advisory_xact_lock(hashtextextended(n.name, 12))) from (select unnest($1::text[]) as name offset 0) n),
      set_config('lock_timeout', b.was, true)
    from (select current_setting('lock_timeout') as was offset 0) b`,
};

/**
 * Locks names, in their order, until the transaction ends.
 * @param waitMs longest wait; then the statement fails with `lock_not_available`
 */
export async function lockNames(
  uow: Pick<UnitOfWork, 'query'>,
  names: readonly string[],
  waitMs: number,
): Promise<void> {
  await uow.query(LOCK, [names, `${waitMs}ms`]);
}

/**
 * The number of rows of each group, up to the bound: what is beyond makes no difference. One statement.
 * @returns for each group the index of its check and its key
 */
export async function countHeld(
  uow: Pick<UnitOfWork, 'query'>,
  table: string,
  checks: readonly Counted[],
): Promise<{ check: number; key: string; held: number }[]> {
  const text = checks
    .map(({ per, where }, i) => {
      const conditions = [...per.map((column) => `r.${column} = b.${column}`), ...(where ? [`(${where})`] : [])];
      const counted = `select from ${table} r${conditions.length > 0 ? ` where ${conditions.join(' and ')}` : ''} limit $${2 * i + 2}::int`;
      return `select ${i} as "check", e.value ->> 'key' as key, (select count(*)::int from (${counted}) held) as held
        from jsonb_array_elements($${2 * i + 1}::jsonb) e
          cross join lateral jsonb_populate_record(null::${table}, e.value -> 'values') b`;
    })
    .join(' union all ');
  const values = checks.flatMap(({ groups, most }) => [
    JSON.stringify([...groups].map(([key, group]) => ({ key, values: group.values }))),
    most,
  ]);
  return await uow.query<{ check: number; key: string; held: number }>(
    { name: `${table}-room-${checks.map(({ per }) => per.join('+')).join('-')}`, text },
    values,
  );
}
