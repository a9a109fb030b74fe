import type { InventoryField } from '@lintel/sdk';
import { relationSeen } from '../access/index.js';
import type { Bindings } from '../../foundation/db/list-query.js';
import { openRelationCosts, relationValueSeen, type RelationVisibility } from '../relations/index.js';
import { attributeValue, columnName } from './cards-repository.js';

/**
 * The subquery of `InventorySql.relations`.
 * @param types keys of relation types; all if undefined
 */
export function relationsSource(
  types: readonly string[] | undefined,
  fields: Readonly<Record<string, InventoryField>>,
  visibility: RelationVisibility,
  bindings: Bindings,
): string {
  const where = [relationSeen(visibility, bindings, 'c')];
  if (types) where.push(`c.type = any(${bindings.add(types)}::text[])`);
  const values = Object.entries(fields).map(([name, { key, kind, isCost }]) => {
    const attribute = key.replace(/^attributes\./, '');
    const value = attributeValue(attribute, kind);
    const open = isCost
      ? openRelationCosts('c', visibility, bindings)
      : relationValueSeen(attribute, visibility, bindings);
    return `${open === undefined ? value : `(case when ${open} then ${value} end)`} as ${columnName(name)}`;
  });
  const columns = ['id', 'type', 'source_id', 'target_id', 'source_type', 'target_type', 'valid_from', 'valid_to'];
  return `(select ${[...columns.map((column) => `c.${column}`), ...values].join(', ')} from relations c where ${where.join(' and ')})`;
}
