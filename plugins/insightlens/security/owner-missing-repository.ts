import type { Inventory } from '@lintel/sdk';

/**
 * Applications in use that have no stakeholder with one of the roles, by id.
 * @param after id of the last one of the page before
 */
export async function readWithoutOwner(
  inventory: Inventory,
  roles: readonly string[],
  after: string | null,
  limit: number,
): Promise<{ id: string }[]> {
  return await inventory.query(
    'insightlens-owner-missing',
    ({
      cards,
      stakeholders,
      bind,
    }) => `select c.id from ${cards({ type: 'Application' }, {}, ['id', 'lifecycle_phase'])} c
      where ${after === null ? '' : `c.id > ${bind(after)}::uuid and `}coalesce(c.lifecycle_phase, 'active') in ('phaseIn', 'active', 'phaseOut')
        and not exists (select from ${stakeholders()} s where s.card_id = c.id and s.role = any(${bind([...roles])}::text[]))
      order by c.id limit ${bind(limit)}`,
  );
}
