import type { ExportColumn } from '@lintel/sdk';
import { heirSql, type Sight } from '../cards/index.js';
import { literal, type SettingBindings } from '../db/copy.js';
import type { Metamodel } from '../metamodel/index.js';
import type { OwnedColumn } from '../modules/index.js';

/** For whom an export is. */
export interface ExportReader {
  metamodel: Metamodel;
  sight: Sight;
  /** What modules add, as far as the reader may have it. */
  columns: readonly OwnedColumn[];
  /** UTC day, YYYY-MM-DD. */
  today: string;
}

const names = (types: readonly string[]): string => `array[${types.map(literal).join(', ')}]::text[]`;

/**
 * The cards of an export as `c`, in the order of their ids. Names above come by `p`, worked out once for all children
 * of a card: they are remembered by the id of the parent, which is shorter than the way to it.
 * @param types the types to export; of others no card is in it
 * @param path aggregate over `a.name` in the order of `o.n`
 */
export function exportFrom(types: readonly string[], where: readonly string[], path: string): string {
  return `from (select c.* from cards c where ${[...where, `c.type = any(${names(types)})`].join(' and ')} order by c.id offset 0) c
    left join lateral (select ${path} as path from cards above, unnest(above.path_ids || above.id) with ordinality o(id, n) join cards a on a.id = o.id where above.id = c.parent_id) p on true`;
}

/**
 * SQL of whether a card is of one of these types, or undefined for none. Each column asks, which costs next to
 * nothing: most names differ in length already.
 * @param exported all types there are cards of
 */
export function ofTypes(types: readonly string[], exported: readonly string[]): string | undefined {
  if (types.length === 0) return undefined;
  if (types.length === exported.length) return 'true';
  return types.length === 1 ? `c.type = ${literal(types[0]!)}` : `c.type = any(${names(types)})`;
}

/** SQL of whether the reader's role on a card, or above it, opens its costs, read once for all cards; undefined where none can. */
export function ownSql({ sight }: ExportReader, bindings: SettingBindings): string | undefined {
  const { me, openers } = sight;
  if (me === undefined) return undefined;
  const direct = openers.length === 0 ? undefined : `c.id in (select s.card_id from card_stakeholders s join cards k on k.id = s.card_id
    where s.user_id = ${bindings.add(me)}::uuid and k.type || ':' || s.role = any(${bindings.add(openers)}::text[]))`;
  const ways = [direct, heirSql(sight, bindings)].filter((way) => way !== undefined);
  return ways.length === 0 ? undefined : `(${ways.join(' or ')})`;
}

/** A time as a JSON text with a digit more than milliseconds: the tenth of one keeps PostgreSQL from dropping zeros. */
export const timeJson = (column: string): string => `to_json(${column} + '100 us')::text`;

/**
 * The value of a column a module adds as SQL of a text: worked out once, however often the text names it. A time beyond
 * what RFC 3339 can say is none.
 * @returns a function of the text, itself a function of the value
 */
export function addedSql(sql: ExportColumn['sql'], type: ExportColumn['type']): (text: (value: string) => string) => string {
  const given = `(${sql('c.id')})`;
  const value = type === 'text' ? `${given}::text` : type === 'timestamp' ? `date_trunc('milliseconds', ${given})` : given;
  const sayable = type === 'timestamp' ? ` where v between '0001-01-01' and '9999-12-31'` : '';
  return (text) => `(select ${text('v')} from (select ${value} as v offset 0) added${sayable})`;
}
