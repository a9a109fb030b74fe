import type { Inventory } from '@lintel/sdk';
import { amount } from '../numbers.js';
import type { CostGroup } from './cost.js';
import type { NodeRow } from './cost-repository.js';

/**
 * Nests groups of costs by the hierarchy of their cards. A group whose card above is not among them is at the top.
 * @param rows by sum, highest first, which remains the order
 * @param link the list of the cards of a group
 */
export function treeOf(
  rows: readonly NodeRow[],
  { types }: Pick<Inventory, 'types'>,
  link: (id: string) => string | null,
): CostGroup[] {
  const groups = new Map<string, CostGroup>();
  for (const { id, name, type, sum, count } of rows) {
    const color = types.get(type)?.color;
    groups.set(id, {
      key: id,
      label: name,
      ...(color !== undefined && { color }),
      sum: amount(sum),
      count,
      href: link(id),
    });
  }
  const top: CostGroup[] = [];
  for (const { id, parent_id } of rows) {
    const parent = parent_id === null ? undefined : groups.get(parent_id);
    if (parent) (parent.children ??= []).push(groups.get(id)!);
    else top.push(groups.get(id)!);
  }
  return top;
}
