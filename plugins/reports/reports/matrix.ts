import {
  defineReport,
  type Inventory,
  type InventoryField,
  type InventoryFilters,
  type InventoryRelationType,
  type InventoryType,
  type ReportRequest,
} from '@lintel/sdk';
import { directionsBetween, type Direction } from '../connections.js';
import { relationsHref } from '../links.js';
import { amount } from '../numbers.js';
import { Parameters } from '../parameters.js';
import { VIEW } from '../permissions.js';
import type { ReportsServices } from '../services.js';
import { textsOf } from '../words/index.js';
import { headersOf, type Header } from './matrix-headers.js';
import { matrixPicture } from './matrix-picture.js';
import { readHeaders, readMatrix, readValues, type Matrix, type MatrixSide } from './matrix-repository.js';
import { answer, parameters, type Answer, type Query } from './matrix-schemas.js';
import { matrixTables } from './matrix-tables.js';
import { valuesOf } from './matrix-values.js';

/** Maximum number of rows and of columns. */
const MOST = 200;
/** Maximum number of cells, and of values in all of them: each has a link, so that more would be an answer of many MB. */
const MOST_CELLS = 20_000;
const MEASURED: ReadonlySet<InventoryField['kind']> = new Set(['number', 'option', 'options', 'boolean']);

interface Plan extends Matrix {
  types: readonly [InventoryType, InventoryType];
  connection: InventoryRelationType;
  direction: Exclude<Direction, 'both'>;
}

function measured(check: Parameters, inventory: Inventory, type: InventoryRelationType, measure: string) {
  if (measure === 'count') return undefined;
  const field = type.fields.find(({ key }) => key === measure || key === `attributes.${measure}`);
  if (!field) return check.wrong('measure', `is neither count nor an attribute of ${type.key}`);
  if (!MEASURED.has(field.kind)) return check.wrong('measure', 'has neither numbers nor a list of values');
  if (field.isCost && inventory.costs === 'none')
    return check.wrong('measure', 'is a cost, which the caller may not see');
  return field;
}

/** @throws validation_failed */
function planOf(check: Parameters, inventory: Inventory, query: Query, given: InventoryFilters): Plan {
  const types = [check.type('row_type', query.row_type), check.type('col_type', query.col_type)];
  const connection = inventory.relationTypes.get(query.relation_type);
  if (!connection) check.wrong('relation_type', `${query.relation_type} is no relation type`);
  const between = connection ? directionsBetween(connection, query.row_type, query.col_type) : [];
  if (connection && types[0] && types[1] && between.length === 0)
    check.wrong('relation_type', `does not connect ${query.row_type} and ${query.col_type}`);
  const direction = query.direction ?? between[0];
  if (direction !== undefined && between.length > 0 && !between.includes(direction))
    check.wrong('direction', 'is not a direction in which the type connects rows and columns');
  if (given['type'] !== undefined) check.wrong('type', 'is given by row_type');
  const field = connection && measured(check, inventory, connection, query.measure ?? 'count');
  check.check();
  const hasFilters = Object.values(given).some((value) => value !== undefined);
  const [row, column]: MatrixSide['end'][] = direction === 'outgoing' ? ['source', 'target'] : ['target', 'source'];
  return {
    types: [types[0]!, types[1]!],
    connection: connection!,
    direction: direction!,
    relationType: connection!.key,
    row: {
      type: query.row_type,
      end: row!,
      filters: hasFilters ? { ...given, type: query.row_type } : undefined,
      level: query.row_level,
    },
    column: { type: query.col_type, end: column!, filters: undefined, level: query.col_level },
    field,
  };
}

/** Links to lists of relations. Filters of the rows cannot be expressed by them, except by naming the row itself. */
function linksOf({ relationType, row, column }: Plan) {
  const all = { type: relationType, [`${row.end}_type`]: row.type, [`${column.end}_type`]: column.type };
  const isWhole = ({ level }: MatrixSide, header: Header): boolean => level !== undefined && header.level >= level;
  const part = (side: MatrixSide, header: Header): InventoryFilters => ({
    [`${side.end}_${isWhole(side, header) ? 'root_id' : 'id'}`]: header.id,
  });
  const isExact = (header: Header): boolean => row.filters === undefined || (header.isCounted && !isWhole(row, header));
  return {
    all: row.filters === undefined ? relationsHref(all) : null,
    row: (header: Header) => (isExact(header) ? relationsHref(all, part(row, header)) : null),
    column: (header: Header) => (row.filters === undefined ? relationsHref(all, part(column, header)) : null),
    cell: (at: Header, to: Header, more: InventoryFilters = {}) =>
      isExact(at) ? relationsHref(all, part(row, at), part(column, to), more) : null,
  };
}

async function run(
  { host }: ReportsServices,
  { ctx, parameters: query, filters: given, lang, asOf }: ReportRequest<Query>,
): Promise<Answer> {
  return await host.inventory.read(ctx, { lang, asOf }, async (inventory) => {
    const plan = planOf(new Parameters(host, inventory), inventory, query, given);
    const { field, types, connection, direction } = plan;
    const figures = await readMatrix(inventory, plan, { most: MOST, mostCells: MOST_CELLS }, query.empty ?? false);
    const part = (name: string) => figures.filter((row) => row.part === name).sort((a, b) => b.count - a.count);
    const ofRows = part('row');
    const ofColumns = part('column');
    const cardsOf = async (side: MatrixSide, ids: string[]) => await readHeaders(inventory, side.type, ids);
    const rows = headersOf(
      ofRows,
      (row) => row.row_id!,
      await cardsOf(
        plan.row,
        ofRows.map((row) => row.row_id!),
      ),
      MOST,
    );
    const columns = headersOf(
      ofColumns,
      (row) => row.col_id!,
      await cardsOf(
        plan.column,
        ofColumns.map((row) => row.col_id!),
      ),
      MOST,
    );
    const isNumber = field?.kind === 'number';
    const [rowById, columnById] = [rows, columns].map(({ headers }) => new Map(headers.map((one) => [one.id, one])));
    const valueRows =
      field && !isNumber
        ? await readValues(
            inventory,
            { ...plan, field },
            { rows: [...rowById!.keys()], columns: [...columnById!.keys()], most: MOST_CELLS },
          )
        : undefined;
    const values = valueRows && valuesOf(valueRows.slice(0, MOST_CELLS), field!, lang);
    const cells = part('cell');
    const links = linksOf(plan);
    const sum = (decimal: string | null) => (isNumber ? { sum: amount(decimal) } : {});
    const header = (href: (one: Header) => string | null) => (one: Header) => ({
      id: one.id,
      name: one.name,
      level: one.level,
      parent_id: one.parent,
      total: one.count,
      ...sum(one.sum),
      href: href(one),
    });
    const all = figures.find((row) => row.part === 'all')!;
    const currency = field?.isCost ? host.workspace().currency : undefined;
    const unit = currency ?? field?.unit;
    return {
      row_type: named(types[0]),
      col_type: named(types[1]),
      relation_type: {
        key: connection.key,
        label: direction === 'outgoing' ? connection.label : connection.reverseLabel,
      },
      direction,
      measure: {
        key: field?.key ?? 'count',
        label: field?.label ?? textsOf(lang).column.relations,
        ...(unit !== undefined && { unit }),
      },
      rows: rows.headers.map(header(links.row)),
      cols: columns.headers.map(header(links.column)),
      cells: cells.slice(0, MOST_CELLS).flatMap(({ row_id, col_id, count, sum: decimal }) => {
        const [at, to] = [rowById!.get(row_id!), columnById!.get(col_id!)];
        if (!at || !to) return [];
        const cell = { row_id: at.id, col_id: to.id, count, href: links.cell(at, to) };
        if (isNumber) return [{ ...cell, value: amount(decimal) }];
        const shown = values?.(at.id, to.id, count, (filters) => links.cell(at, to, filters));
        return [{ ...cell, ...shown }];
      }),
      total: all.count,
      ...sum(all.sum),
      href: links.all,
      truncated: rows.isCut || columns.isCut || [cells, valueRows ?? []].some(({ length }) => length > MOST_CELLS),
    };
  });
}

const named = ({ key, label, color }: InventoryType) => ({ key, label, ...(color !== undefined && { color }) });

/** Relations between the cards of two types. */
export const matrix = defineReport<ReportsServices, typeof parameters, typeof answer>({
  id: 'matrix',
  title: 'Matrix',
  description:
    'Cards of two types and the relations between them, with the hierarchies of both. The filters of cards narrow the rows. Requires relations.view.',
  permission: VIEW,
  parameters,
  cardFilters: true,
  answer,
  run,
  tables: matrixTables,
  picture: matrixPicture,
});
