import type { InventoryFilters, RequestContext } from '@lintel/sdk';
import { requireInitiative, type Host } from '../basics.js';
import { dateOf, dayOf, isoWeekOf, mondayOf } from '../calendar/days.js';
import { effectiveCalendar } from '../calendar/effective.js';
import type { WorkingCalendar } from '../calendar/working-calendar.js';
import { readHolidays } from '../plan/repository.js';
import { today } from '../schedule/plan.js';
import { mapInSlices, visitInSlices } from '../slices.js';
import { addLoad, type Load } from './compute.js';
import { readOwnCalendars, readPortfolioTasks, readTasks, type TaskRow } from './repository.js';
import type { LoadQuery, LoadView } from './schemas.js';

/** Tasks that one report looks at. */
const MOST_TASKS = 200_000;

/** What was found, by person: hundredths of hours of dated and of other tasks, and the number of tasks without an effort. */
interface Found {
  load: Load;
  undated: ReadonlyMap<string, number>;
  withoutEffort: ReadonlyMap<string, number>;
}

const addTo = (sums: Map<string, number>, id: string, value: number): void => {
  sums.set(id, (sums.get(id) ?? 0) + value);
};

/** The work of persons by week. */
export class LoadService {
  constructor(private readonly host: Host) {}

  /** Of one initiative. @throws not_found, validation_failed */
  async ofInitiative(ctx: RequestContext, cardId: string, query: LoadQuery): Promise<LoadView> {
    const { id } = await requireInitiative(this.host, ctx, cardId);
    return await this.#view(query, await readTasks(this.host, id, query.done === true));
  }

  /** Of all initiatives that the caller sees and that match. @throws validation_failed */
  async ofPortfolio(
    ctx: RequestContext,
    filters: InventoryFilters,
    options: { lang: string; asOf: string | undefined },
    query: LoadQuery,
  ): Promise<LoadView> {
    const { first, last } = this.#span(query);
    const rows = await this.host.inventory.read(ctx, options, (inventory) =>
      readPortfolioTasks(inventory, filters, {
        from: dateOf(first),
        to: dateOf(last),
        done: query.done === true,
        most: MOST_TASKS,
      }),
    );
    return await this.#view(query, rows);
  }

  #span({ from, weeks = 13 }: LoadQuery): { first: number; last: number; weeks: number[] } {
    const first = mondayOf(from === undefined ? today() : dayOf(from));
    const last = first + weeks * 7 - 1;
    try {
      dateOf(first);
      dateOf(last);
    } catch {
      throw this.host.problem('validation_failed', {
        errors: [{ field: 'from', reason: 'must leave the weeks within the years 1 to 9999', in: 'query' }],
      });
    }
    return { first, last, weeks: Array.from({ length: weeks }, (_, i) => first + i * 7) };
  }

  async #view(query: LoadQuery, tasks: readonly TaskRow[]): Promise<LoadView> {
    const { first, last, weeks } = this.#span(query);
    const { working_days, hours_per_day } = this.host.settings();
    const holidays = (await readHolidays(this.host.db)).map(({ date }) => date);
    const common = effectiveCalendar(null, working_days, holidays);
    const plans = new Set<string>();
    await visitInSlices(tasks, ({ card_id }) => plans.add(card_id));
    const own = await readOwnCalendars(this.host, [...plans]);
    const calendars = new Map<string, WorkingCalendar>();
    await visitInSlices(own, ([id, calendar]) =>
      calendars.set(id, effectiveCalendar(calendar, working_days, holidays)),
    );
    const load: Load = new Map();
    const undated = new Map<string, number>();
    const withoutEffort = new Map<string, number>();
    await visitInSlices(tasks, ({ card_id, assignee_id, effort, start_date, due_date }) => {
      const hundredths = Math.round(effort);
      if (start_date === null || due_date === null) {
        if (hundredths === 0) addTo(withoutEffort, assignee_id, 1);
        else addTo(undated, assignee_id, hundredths);
        return;
      }
      // The start of an item can be after the end of its task.
      const [start, finish] = [dayOf(start_date), Math.max(dayOf(due_date), dayOf(start_date))];
      if (hundredths === 0) {
        if (start <= last && finish >= first) addTo(withoutEffort, assignee_id, 1);
        return;
      }
      const calendar = calendars.get(card_id) ?? common;
      addLoad(load, { personId: assignee_id, effort: hundredths, start, finish }, calendar, first, last);
    });
    const capacities = weeks.map((week) => common.between(week, week + 6) * hours_per_day);
    const people = await this.#people({ load, undated, withoutEffort }, weeks, capacities);
    const most = query.most ?? 100;
    return {
      from: dateOf(first),
      to: dateOf(last),
      hours_per_day,
      weeks: weeks.map((week, i) => ({
        week: isoWeekOf(week),
        from: dateOf(week),
        capacity_hours: hoursOf(capacities[i]! * 100),
      })),
      people: people.slice(0, most),
      truncated: people.length > most,
    };
  }

  async #people(
    { load, undated, withoutEffort }: Found,
    weeks: readonly number[],
    capacities: readonly number[],
  ): Promise<LoadView['people']> {
    const ids = [...new Set([...load.keys(), ...undated.keys(), ...withoutEffort.keys()])];
    const users = await this.host.users.find(ids);
    const people = await mapInSlices(ids, (id) => {
      const of = load.get(id);
      const hours = weeks.map((week) => of?.get(week) ?? 0);
      const overload = hours.map((one, i) => Math.max(0, one - Math.round(capacities[i]! * 100)));
      return {
        user_id: id,
        display_name: users.get(id)?.display_name ?? '',
        total_hours: hoursOf(hours.reduce((sum, one) => sum + one, 0)),
        undated_hours: hoursOf(undated.get(id) ?? 0),
        tasks_without_effort: withoutEffort.get(id) ?? 0,
        overloaded_weeks: overload.filter((one) => one > 0).length,
        hours: hours.map(hoursOf),
        overload: overload.map(hoursOf),
      };
    });
    const byName = new Intl.Collator('en');
    return people.sort(
      (a, b) =>
        b.total_hours - a.total_hours ||
        b.undated_hours - a.undated_hours ||
        byName.compare(a.display_name, b.display_name) ||
        (a.user_id < b.user_id ? -1 : 1),
    );
  }
}

/** @param hundredths of an hour */
const hoursOf = (hundredths: number): number => Math.round(hundredths) / 100;
