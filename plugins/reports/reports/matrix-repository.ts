import type { Inventory, InventoryField, InventoryFilters, InventorySql } from '@lintel/sdk';
import { groupSql } from '../groups-repository.js';
import { hierarchy } from '../hierarchy-repository.js';

/** The cards of one side of a matrix. */
export interface MatrixSide {
  type: string;
  /** The end of the relations at which its cards are. */
  end: 'source' | 'target';
  /** The filters of its cards, which contain the type; undefined for all. */
  filters: InventoryFilters | undefined;
  /** Cards below this level, counted from 1, are added up in the card above them at this level. */
  level: number | undefined;
}

export interface Matrix {
  relationType: string;
  row: MatrixSide;
  column: MatrixSide;
  /** The attribute of relations that is summed or counted. */
  field: InventoryField | undefined;
}

/** One figure: that of everything, of a row, of a column or of a cell. */
export interface MatrixRow extends Record<string, unknown> {
  part: 'all' | 'row' | 'column' | 'cell';
  row_id: string | null;
  col_id: string | null;
  count: number;
  /** Sum as decimal text. */
  sum: string | null;
}

/** The relations of a cell with one value of the measured attribute. */
export interface ValueRow extends Record<string, unknown> {
  row_id: string;
  col_id: string;
  value: string | null;
  count: number;
}

/** The CTE with the hierarchy of a side, if its cards are added up. */
const treeOf = ({ end }: MatrixSide): string => `tree_of_${end}`;

/** The card that stands for a card. @param card alias of the card in the hierarchy of the side, if its cards are added up */
const bucket = (side: MatrixSide, card: string, id: string): string =>
  side.level === undefined ? id : `coalesce(${card}.path[${side.level}], ${card}.id)`;

/** CTEs of the hierarchies, and `pairs`: one row per relation, with the cards that stand for its ends. */
function pairs({ relationType, row, column, field }: Matrix, { relations, cards, bind }: InventorySql): string {
  const trees: string[] = [];
  const joins: string[] = [];
  const where: string[] = [];
  const place = (alias: string, side: MatrixSide): string => {
    const id = `e.${side.end}_id`;
    if (side.level !== undefined) {
      trees.push(`${hierarchy(treeOf(side), cards({ type: side.type }, {}, ['id', 'path_ids']))}, `);
      joins.push(`join ${treeOf(side)} ${alias} on ${alias}.id = ${id}`);
    }
    if (side.filters !== undefined)
      joins.push(`join ${cards(side.filters, {}, ['id'])} ${alias}_kept on ${alias}_kept.id = ${id}`);
    if (side.level === undefined && side.filters === undefined) where.push(`e.${side.end}_type = ${bind(side.type)}`);
    return bucket(side, alias, id);
  };
  const [row_id, col_id] = [place('a', row), place('b', column)];
  return `${trees.join('')}pairs as not materialized (select ${row_id} as row_id, ${col_id} as col_id, e.id, ${field ? 'e.value' : 'null::numeric'} as value
    from ${relations([relationType], field ? { value: field } : {})} e ${joins.join(' ')} ${where.length > 0 ? `where ${where.join(' and ')}` : ''})`;
}

/** All cards of a side, each by the card that stands for it, with the number of their relations. */
function everyCard(side: MatrixSide, id: 'row_id' | 'col_id', { cards }: InventorySql): string {
  const all = cards(side.filters ?? { type: side.type }, {}, ['id']);
  const tree = side.level === undefined ? '' : `join ${treeOf(side)} t on t.id = c.id`;
  return `select h.id, coalesce(t.count, 0) as count, t.value from
    (select distinct ${bucket(side, 't', 'c.id')} as id from ${all} c ${tree}) h
    left join (select ${id}, sum(count) as count, sum(value) as value from cells group by 1) t on t.${id} = h.id`;
}

/**
 * Counts relations by the cards at their ends.
 * @param most maximum number of rows and of columns: those with the most relations; one more shows that there are more
 * @param mostCells maximum number of cells, likewise
 * @param isEmptyIncluded whether cards without relations have rows and columns as well
 */
export async function readMatrix(
  inventory: Inventory,
  matrix: Matrix,
  { most, mostCells }: { most: number; mostCells: number },
  isEmptyIncluded: boolean,
): Promise<MatrixRow[]> {
  const sum = matrix.field?.kind === 'number' ? 'sum(value)' : 'null::numeric';
  return await inventory.query<MatrixRow>('report-matrix', (sql) => {
    const side = (id: 'row_id' | 'col_id', of: MatrixSide): string =>
      isEmptyIncluded
        ? everyCard(of, id, sql)
        : `select ${id} as id, sum(count) as count, sum(value) as value from cells group by 1`;
    const limit = sql.bind(most + 1);
    return `with ${pairs(matrix, sql)},
      cells as materialized (select row_id, col_id, count(*) as count, ${sum} as value from pairs group by 1, 2),
      r as materialized (select * from (${side('row_id', matrix.row)}) r order by count desc, id limit ${limit}),
      k as materialized (select * from (${side('col_id', matrix.column)}) k order by count desc, id limit ${limit}),
      figures as (
        select 'all' as part, null::uuid as row_id, null::uuid as col_id, coalesce(sum(count), 0) as count, sum(value) as value from cells
        union all select 'row', id, null, count, value from r
        union all select 'column', null, id, count, value from k
        union all (select 'cell', c.row_id, c.col_id, c.count, c.value from cells c join r on r.id = c.row_id join k on k.id = c.col_id
          order by c.count desc, c.row_id, c.col_id limit ${sql.bind(mostCells + 1)}))
      select part, row_id, col_id, count::int as count, trim_scale(value)::text as sum from figures`;
  });
}

/**
 * Counts the relations of cells by the values of the measured attribute.
 * @param shown rows and columns, and the maximum number of values in all cells: those with the most relations; one more shows that
 *   there are more
 */
export async function readValues(
  inventory: Inventory,
  matrix: Matrix & { field: InventoryField },
  { rows, columns, most }: { rows: readonly string[]; columns: readonly string[]; most: number },
): Promise<ValueRow[]> {
  const { join, key } = groupSql(matrix.field, 'p.value', 'v', []);
  return await inventory.query<ValueRow>('report-matrix-values', (sql) => {
    return `with ${pairs(matrix, sql)}
      select p.row_id, p.col_id, ${key} as value, count(*)::int as count from pairs p ${join}
      where p.row_id = any(${sql.bind(rows)}::uuid[]) and p.col_id = any(${sql.bind(columns)}::uuid[]) group by 1, 2, 3
      order by count desc, 1, 2, 3 limit ${sql.bind(most + 1)}`;
  });
}

export interface HeaderRow extends Record<string, unknown> {
  id: string;
  name: string;
  name_key: string;
  path: string[];
}

/** Cards with those above them. @param type their card type */
export async function readHeaders(inventory: Inventory, type: string, ids: readonly string[]): Promise<HeaderRow[]> {
  return await inventory.query<HeaderRow>('report-matrix-headers', ({ cards, bind }) => {
    const source = cards({ type }, {}, ['id', 'name', 'name_key', 'path_ids']);
    const given = bind(ids);
    return `with c as not materialized (select * from ${source} c)
      select c.id, c.name, c.name_key, c.path_ids::text[] as path from c
      where c.id = any(${given}::uuid[] || array(select unnest(k.path_ids) from c k where k.id = any(${given}::uuid[])))`;
  });
}
