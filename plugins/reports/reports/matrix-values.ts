import type { InventoryField, InventoryFilters } from '@lintel/sdk';
import type { Answer } from './matrix-schemas.js';
import type { ValueRow } from './matrix-repository.js';
import { textsOf } from '../words/index.js';

type Cell = Answer['cells'][number];

/**
 * The values of the measured attribute in cells.
 * @param lang BCP 47 tag of labels
 * @returns a function that gives the members of a cell; its last parameter gives the link of a value
 */
export function valuesOf(rows: readonly ValueRow[], { key, options }: InventoryField, lang: string) {
  const { value: words } = textsOf(lang);
  const booleans: Readonly<Record<string, string>> = { true: words.yes, false: words.no };
  const byCell = new Map<string, ValueRow[]>();
  for (const row of rows) {
    const cell = `${row.row_id} ${row.col_id}`;
    byCell.set(cell, [...(byCell.get(cell) ?? []), row]);
  }
  const places = new Map(options.map((option, place) => [option.key, { ...option, place }]));
  const placeOf = (value: string | null): number =>
    value === null ? Number.POSITIVE_INFINITY : (places.get(value)?.place ?? options.length);
  const labelOf = (value: string | null): string =>
    value === null ? words.none : (places.get(value)?.label ?? booleans[value] ?? value);
  const colored = (value: string | null): { color?: string } => {
    const color = value === null ? undefined : places.get(value)?.color;
    return color === undefined ? {} : { color };
  };
  return (
    row: string,
    column: string,
    count: number,
    href: (filters: InventoryFilters) => string | null,
  ): Pick<Cell, 'value' | 'values'> => {
    const values = (byCell.get(`${row} ${column}`) ?? []).sort(
      (a, b) => placeOf(a.value) - placeOf(b.value) || ((a.value ?? '') < (b.value ?? '') ? -1 : 1),
    );
    const known = values.flatMap(({ value }) => (value === null ? [] : [labelOf(value)]));
    return {
      value: count === 1 && known.length > 0 ? known.join(', ') : null,
      values: values.map(({ value, count: n }) => ({
        key: value,
        label: labelOf(value),
        ...colored(value),
        count: n,
        href: href(value === null ? { [`${key}[empty]`]: true } : { [key]: value }),
      })),
    };
  };
}
