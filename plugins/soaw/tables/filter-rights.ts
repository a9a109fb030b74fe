import type { CardPort, Inventory } from '@lintel/sdk';
import type { TableDefinition } from './definition.js';
import { typesOf } from './fields.js';
import type { FilterRights } from './model.js';

const RELATIONS = /^(related_to|related_root_id|relation_type|has_relation|lacks_relation)$/;
const STAKEHOLDERS = /^stakeholder_(id|role)(\[empty\])?$/;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
const ATTRIBUTE = /^(attributes\.[^[\]]+)/;

/** What the filter of a table depends on, besides the cards that it finds; undefined for nothing. */
export function filterRights(
  cards: Pick<CardPort, 'namesCards'>,
  inventory: Inventory,
  table: TableDefinition,
): FilterRights | undefined {
  const entries = Object.entries(table.filter ?? {});
  const named = typesOf(table);
  const types = [...inventory.types.values()].filter(({ key }) => !named?.length || named.includes(key));
  const isCost = (name: string): boolean => {
    const field = ATTRIBUTE.exec(name)?.[1];
    return types.some(({ fields }) => fields.some((one) => one.key === field && one.isCost));
  };
  const namesCards = (name: string): boolean => cards.namesCards(name, named?.length ? named : undefined);
  const isReference = (name: string): boolean => ATTRIBUTE.test(name) && namesCards(name);
  // Rows of `ids` are these cards: for those that are hidden there is no row.
  const ids = entries.flatMap(([name, value]) =>
    name !== 'ids' && namesCards(name) ? (value.match(UUID) ?? []).map((id) => id.toLowerCase()) : [],
  );
  const rights: FilterRights = {
    ...(entries.some(([name]) => isCost(name)) && { costs: true }),
    ...(entries.some(([name]) => RELATIONS.test(name)) && { relations: true }),
    ...(entries.some(([name]) => STAKEHOLDERS.test(name)) && { stakeholders: true }),
    // A parent or a value that is a hidden card counts as none.
    ...(entries.some(([name, value]) => isReference(name) || (name === 'parent_id' && value.trim() === 'null')) && {
      others: true,
    }),
    ...(ids.length > 0 && { cards: [...new Set(ids)] }),
  };
  return Object.keys(rights).length > 0 ? rights : undefined;
}
