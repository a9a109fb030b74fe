import type { Inventory, InventoryField, InventoryFilters } from '@lintel/sdk';
import { groupSql, readRange, type GroupSql } from './groups-repository.js';
import { textsOf, type Texts } from './words/index.js';

/** One value, or range of values, by which cards are grouped. */
export interface Group {
  /** Stable within the report; null for cards without a value. */
  key: string | null;
  label: string;
  /** `#rrggbb`. */
  color?: string | undefined;
  /** The filters of `GET /cards` that give exactly its cards; undefined where no filter does. */
  filters: InventoryFilters | undefined;
}

/** How cards are grouped by a field. */
export interface Grouping {
  field: InventoryField;
  /** @param column SQL of the value. @param alias unique in the statement */
  sql(column: string, alias: string): GroupSql;
  /** The group of a key of the result. */
  group(key: string | null): Group;
  /** The groups of the result in their order. @param keys of the result */
  ordered(keys: Iterable<string | null>): Group[];
}

const BANDS = 5;
/** Bands of a score as the dashboards of data quality use them: minimal, partial, complete. */
export const QUALITY_EDGES = ['0', '40', '80'] as const;
const PERCENT_EDGES = ['0', '20', '40', '60', '80'] as const;
/** Kinds of fields with few distinct values, or whose values form ranges. */
const GROUPED: ReadonlySet<InventoryField['kind']> = new Set(['option', 'options', 'boolean', 'number', 'date']);

/** Whether cards can be grouped by a field. */
export const isGroupable = ({ kind }: InventoryField): boolean => GROUPED.has(kind);

/**
 * Lower ends of about five bands of round numbers.
 * @returns decimal texts, ascending, the first not above the lowest value
 */
export function edgesOf(low: string | null, high: string | null): string[] {
  if (low === null || high === null) return ['0'];
  const [from, to] = [Number(low), Number(high)];
  if (from === to) return [low];
  const rough = (to - from) / BANDS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((factor) => factor * power >= rough)! * power;
  const digits = Math.max(0, -Math.floor(Math.log10(step)));
  const edges: string[] = [];
  for (let n = Math.floor(from / step); n * step <= to; n++) edges.push((n * step).toFixed(digits));
  // Rounding may have put the first edge above the lowest value.
  if (Number(edges[0]) > from) edges.unshift(((Math.floor(from / step) - 1) * step).toFixed(digits));
  return edges;
}

async function edges(inventory: Inventory, field: InventoryField, filters: InventoryFilters): Promise<string[]> {
  if (field.key === 'data_quality') return [...QUALITY_EDGES];
  const { low, high } = await readRange(inventory, field, filters);
  const isPercent = field.unit === '%' && (low === null || Number(low) >= 0) && (high === null || Number(high) <= 100);
  return isPercent ? [...PERCENT_EDGES] : edgesOf(low, high);
}

const unknown = (field: InventoryField, { costs }: Inventory, { value }: Texts): Group => ({
  key: null,
  label: value.none,
  // Whether a cost is empty or hidden from the caller is not told, so that no filter finds both.
  filters:
    field.isCost && costs !== 'all'
      ? undefined
      : field.key === 'lifecycle_phase'
        ? { lifecycle_phase: 'none' }
        : { [`${field.key}[empty]`]: true },
});

/**
 * How the matching cards are grouped by a field.
 * @param lang BCP 47 tag of labels and numbers
 */
export async function groupingOf(
  inventory: Inventory,
  field: InventoryField,
  filters: InventoryFilters,
  lang: string,
): Promise<Grouping> {
  const ends = field.kind === 'number' ? await edges(inventory, field, filters) : [];
  const number = new Intl.NumberFormat(lang, { maximumFractionDigits: 6 });
  const texts = textsOf(lang);
  const options = new Map(field.options.map((option) => [option.key, option]));
  const places = new Map(field.options.map((option, place) => [option.key, place]));
  const band = (key: string): Group => {
    const [from, to] = [ends[Number(key) - 1]!, ends[Number(key)]];
    const text = (edge: string): string => number.format(Number(edge));
    return {
      key: from,
      label: to === undefined ? `≥ ${text(from)}` : `${text(from)} – < ${text(to)}`,
      filters: { [`${field.key}[gte]`]: from, [`${field.key}[lt]`]: to },
    };
  };
  const group = (key: string | null): Group => {
    if (key === null) return unknown(field, inventory, texts);
    switch (field.kind) {
      case 'number':
        return band(key);
      case 'date':
        return {
          key,
          label: key,
          filters: {
            [`${field.key}[gte]`]: `${key}-01-01`,
            [`${field.key}[lt]`]: `${String(Number(key) + 1).padStart(4, '0')}-01-01`,
          },
        };
      case 'boolean':
        return { key, label: key === 'true' ? texts.value.yes : texts.value.no, filters: { [field.key]: key } };
      default: {
        const option = options.get(key);
        return { key, label: option?.label ?? key, color: option?.color, filters: { [field.key]: key } };
      }
    }
  };
  const place = (key: string | null): number | string =>
    key === null ? Number.POSITIVE_INFINITY : field.kind === 'number' ? Number(key) : (places.get(key) ?? key);
  return {
    field,
    sql: (column, alias) => groupSql(field, column, alias, ends),
    group,
    ordered: (keys) =>
      [...new Set(keys)]
        .sort((a, b) => {
          const [p, q] = [place(a), place(b)];
          if (typeof p === 'number' && typeof q === 'number') return p - q;
          if (typeof p === typeof q) return p < q ? -1 : 1;
          // Values that the metamodel does not know come after those that it does, and before no value.
          return a === null || (typeof p === 'string' && b !== null) ? 1 : -1;
        })
        .map(group),
  };
}
