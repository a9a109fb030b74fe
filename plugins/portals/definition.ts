import type { InventoryField, InventoryFilters, InventoryPublication } from '@lintel/sdk';

/** The settings of one portal. */
export interface PortalDefinition {
  slug: string;
  title: string;
  description: string | null;
  type: string;
  fields: readonly string[];
  costs: readonly string[];
  filters: InventoryFilters;
  visitor_filters: readonly string[];
  search_fields: readonly string[];
  sort_by: string;
  sort_dir: 'asc' | 'desc';
  page_size: number;
}

/** The field of every card, which is always shown. */
export const NAME = 'name';

export const publicationOf = ({ type, fields, costs, filters }: PortalDefinition): InventoryPublication => ({
  type,
  fields,
  costs,
  filters,
});

/** Whether visitors can choose values of a field. */
export const isFilterable = ({ kind }: InventoryField): boolean =>
  ['option', 'options', 'boolean', 'number', 'date'].includes(kind);

/** Whether a list can be in the order of a field: a list of options has none. */
export const isSortable = ({ kind }: InventoryField): boolean => kind !== 'options';

/** Whether visitors can search for words in a field. */
export const isSearchable = ({ kind }: InventoryField): boolean => kind === 'text';
