import type { Inventory } from '@lintel/sdk';
import { canTest } from './conditions-repository.js';
import type { DependencyLink, Rule } from './rules.js';

/** Those of these types that the metamodel has. */
export const applicableTypes = (inventory: Inventory, types: readonly string[]): string[] =>
  types.filter((type) => inventory.types.has(type));

/** Those of these links that the metamodel has; a group that it does not have is none. */
export const applicableLinks = (inventory: Inventory, links: readonly DependencyLink[]): DependencyLink[] =>
  links
    .filter(({ relation }) => inventory.relationTypes.has(relation))
    .map(({ relation, group }) => ({
      relation,
      group: group !== null && inventory.relationTypes.has(group) ? group : null,
    }));

/** Whether the metamodel, as the caller sees it, has what a rule reads. */
export function isApplicable(inventory: Inventory, { condition }: Rule): boolean {
  switch (condition.kind) {
    case 'card':
      return canTest(inventory, condition.card);
    case 'related':
      return (
        inventory.relationTypes.has(condition.relation) &&
        canTest(inventory, condition.source) &&
        canTest(inventory, condition.target)
      );
    case 'single_point':
      return applicableLinks(inventory, condition.links).length > 0;
    case 'owner':
    case 'lifecycle':
      return applicableTypes(inventory, condition.types).length > 0;
    case 'release':
    case 'patch':
    case 'exploited':
      return true;
  }
}
