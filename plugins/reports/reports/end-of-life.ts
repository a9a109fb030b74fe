import { defineReport, type Inventory, type InventoryFilters, type ReportRequest } from '@lintel/sdk';
import { withRelated } from '../connections.js';
import { addDays, daysBetween } from '../days.js';
import { cardHref, cardsHref, within } from '../links.js';
import { Parameters } from '../parameters.js';
import { VIEW } from '../permissions.js';
import type { ReportsServices } from '../services.js';
import { endOfLifePicture } from './end-of-life-picture.js';
import { periodsOf } from './end-of-life-periods.js';
import { readAffected, readEnding, type Ending, type MonthRow } from './end-of-life-repository.js';
import { answer, parameters, type Answer, type Query } from './end-of-life-schemas.js';
import { endOfLifeTables } from './end-of-life-tables.js';
import { textsOf } from '../words/index.js';
import { typeView } from './shapes.js';

const [DEFAULT_HORIZON, MOST_ITEMS, MOST_AFFECTED] = [365, 500, 50];
const DATE = 'lifecycle.endOfLife';

/** Card types that count as dependents; undefined for all. */
function dependentTypes(check: Parameters, text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined;
  const keys = text
    .split(',')
    .map((key) => key.trim())
    .filter(Boolean);
  for (const key of keys) check.type('dependent_type', key);
  if (keys.length === 0) check.wrong('dependent_type', 'must name a card type');
  return keys;
}

/** The figures of cards by type and date. */
class Figures {
  constructor(
    private readonly inventory: Inventory,
    private readonly filters: InventoryFilters,
    private readonly rows: readonly MonthRow[],
  ) {}

  figure(isCounted: (row: MonthRow) => boolean, more: InventoryFilters) {
    const list = within(this.filters, more);
    return {
      count: this.rows.reduce((sum, row) => (isCounted(row) ? sum + row.count : sum), 0),
      href: list ? cardsHref(list) : null,
    };
  }

  past(type?: string) {
    const ofType = type !== undefined && { type };
    return this.figure((row) => row.month === '' && (type === undefined || row.type === type), {
      ...ofType,
      [`${DATE}[lte]`]: this.inventory.today,
    });
  }

  soon(until: string, type?: string) {
    return this.figure((row) => row.month !== '' && (type === undefined || row.type === type), {
      ...(type !== undefined && { type }),
      [`${DATE}[gt]`]: this.inventory.today,
      [`${DATE}[lte]`]: until,
    });
  }

  /** The card types in the order of the metamodel. */
  types(rows: readonly MonthRow[] = this.rows): string[] {
    return [...this.inventory.types.keys()].filter((key) => rows.some(({ type }) => type === key));
  }

  periods(until: string, lang: string): Answer['by_period'] {
    const { today } = this.inventory;
    const past = {
      from: null,
      to: today,
      label: textsOf(lang).value.past,
      ...this.past(),
      types: this.types(this.rows.filter(({ month }) => month === '')).map((type) => ({ type, ...this.past(type) })),
    };
    const ahead = periodsOf(today, until, lang).map(({ from, to, label }) => {
      const isIn = ({ month }: MonthRow): boolean =>
        month !== '' && month >= from.slice(0, 7) && month <= to.slice(0, 7);
      const bounds = { [`${DATE}[gt]`]: addDays(from, -1), [`${DATE}[lte]`]: to };
      return {
        from,
        to,
        label,
        ...this.figure(isIn, bounds),
        types: this.types(this.rows.filter(isIn)).map((type) => ({
          type,
          ...this.figure((row) => row.type === type && isIn(row), { type, ...bounds }),
        })),
      };
    });
    return [past, ...ahead];
  }
}

async function run(
  { host }: ReportsServices,
  { ctx, parameters: query, filters, lang, asOf }: ReportRequest<Query>,
): Promise<Answer> {
  return await host.inventory.read(ctx, { lang, asOf }, async (inventory) => {
    const check = new Parameters(host, inventory);
    const types = dependentTypes(check, query.dependent_type);
    check.check();
    const { today } = inventory;
    const until = addDays(today, query.horizon_days ?? DEFAULT_HORIZON);
    // The report has an upper bound of its own, so that one of the caller is applied by taking the earlier one.
    const ending: Ending = { filters: { ...filters, ...endingBy(filters, until) }, dependentTypes: types };
    const { months, items } = await readEnding(inventory, ending, MOST_ITEMS + 1);
    const figures = new Figures(inventory, filters, months);
    const listed = items.slice(0, MOST_ITEMS).map(({ id }) => id);
    const affected = await readAffected(inventory, ending, listed, MOST_AFFECTED);
    const dependentFilter = types && { type: types.join(',') };
    const components = (id: string): string | null => {
      // No list has only the cards that are listed here.
      if (items.length > MOST_ITEMS) return null;
      const list = within(filters, { [`${DATE}[lte]`]: until });
      const related = list && withRelated(list, { related_to: id });
      return related ? cardsHref(related) : null;
    };
    return {
      today,
      until,
      past: figures.past(),
      soon: figures.soon(until),
      by_type: figures.types().map((type) => ({
        ...typeView(inventory.types.get(type)!),
        past: figures.past(type),
        soon: figures.soon(until, type),
      })),
      by_period: figures.periods(until, lang),
      items: items.slice(0, MOST_ITEMS).map(({ id, name, type, day, dependents }) => ({
        id,
        type,
        name,
        href: cardHref(id),
        end_of_life: day,
        days: daysBetween(today, day),
        state: day <= today ? 'past' : 'soon',
        dependents: { count: dependents, href: cardsHref({ ...dependentFilter, related_to: id }) },
      })),
      affected: affected.map(({ id, name, type, count }) => ({
        id,
        type,
        name,
        href: cardHref(id),
        components: { count, href: components(id) },
      })),
      truncated: items.length > MOST_ITEMS,
    };
  });
}

/** The filter of the latest end of life: that of the report, or an earlier one of the caller. */
function endingBy(filters: InventoryFilters, until: string): InventoryFilters {
  const given = filters[`${DATE}[lte]`];
  return { [`${DATE}[lte]`]: typeof given === 'string' && given < until ? given : until };
}

/** Cards at the end of their life, and what depends on them. */
export const endOfLife = defineReport<ReportsServices, typeof parameters, typeof answer>({
  id: 'end-of-life',
  title: 'End of life',
  description:
    'Cards whose end of life is past or soon, and the cards with relations to them. Filters of cards narrow the former, such as type=ITComponent. Requires relations.view.',
  permission: VIEW,
  parameters,
  cardFilters: true,
  answer,
  run,
  tables: endOfLifeTables,
  picture: endOfLifePicture,
});
