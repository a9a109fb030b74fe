/**
 * Earned value of a plan by date, in exact integers of cents. Definitions as in the PMI Practice Standard for Earned Value
 * Management: planned value (PV), earned value (EV) and actual cost (AC) cumulated to a date, SPI = EV / PV, CPI = EV / AC.
 */
import { TimeSlice } from '@lintel/sdk';

/** An item with a planned cost. Days are numbers of `dayOf`. */
export interface CostedItem {
  id: string;
  /** Planned cost in the currency of the workspace. */
  cents: bigint;
  /** First and last planned day; null for an item without dates, which has no planned value before the end. */
  start: number | null;
  finish: number | null;
}

/** From this day on, an item was completed to so many hundredths of a percent. */
export interface Progress {
  id: string;
  day: number;
  /** 0 to 10,000. */
  completion: number;
}

/** Money spent on a day. */
export interface Spent {
  day: number;
  cents: bigint;
}

/** The cumulated values at the end of a day. */
export interface Point {
  day: number;
  pv: bigint;
  ev: bigint;
  ac: bigint;
}

/** Counts working days. */
export interface DayCount {
  between(from: number, to: number): number;
}

/** A part of an amount, halves rounded up. @param cents not negative @param of positive */
function part(cents: bigint, share: number, of: number): bigint {
  const [n, d] = [BigInt(share), BigInt(of)];
  return (cents * n * 2n + d) / (d * 2n);
}

/**
 * The planned value of an item at the end of a day: its cost times the share of its working days that have passed. An item
 * without working days, such as a milestone, has all of it on its last day.
 */
export function plannedValue({ cents, start, finish }: CostedItem, day: number, calendar: DayCount): bigint {
  if (start === null || finish === null || day < start) return 0n;
  if (day >= finish) return cents;
  const all = calendar.between(start, finish);
  return all === 0 ? 0n : part(cents, calendar.between(start, day), all);
}

/** The earned value of an item: its cost times its completion. @param completion 0 to 10,000 */
export const earnedValue = ({ cents }: Pick<CostedItem, 'cents'>, completion: number): bigint =>
  part(cents, completion, 10_000);

/** What the values are computed from. */
export interface EarnedSource {
  items: readonly CostedItem[];
  progress: readonly Progress[];
  spent: readonly Spent[];
  calendar: DayCount;
}

/**
 * The values at the end of several days, in time slices.
 * @param days ascending
 */
export async function earnedValues(
  { items, progress, spent, calendar }: EarnedSource,
  days: readonly number[],
): Promise<Point[]> {
  const byId = new Map(items.map((item) => [item.id, item]));
  const changes = progress.filter(({ id }) => byId.has(id)).sort((a, b) => a.day - b.day);
  const costs = [...spent].sort((a, b) => a.day - b.day);
  const earned = new Map<string, bigint>();
  // Items before their start have no planned value, and those after their finish all of it: only the others are computed.
  const starts = items
    .filter(({ start, finish }) => start !== null && finish !== null)
    .sort((a, b) => a.start! - b.start!);
  let active: CostedItem[] = [];
  let [ev, ac, finished, nextChange, nextCost, nextStart] = [0n, 0n, 0n, 0, 0, 0];
  const slice = new TimeSlice();
  const points: Point[] = [];
  for (const day of days) {
    if (slice.isOver) await slice.next();
    for (; nextChange < changes.length && changes[nextChange]!.day <= day; nextChange++) {
      const { id, completion } = changes[nextChange]!;
      const value = earnedValue(byId.get(id)!, completion);
      ev += value - (earned.get(id) ?? 0n);
      earned.set(id, value);
    }
    for (; nextCost < costs.length && costs[nextCost]!.day <= day; nextCost++) ac += costs[nextCost]!.cents;
    for (; nextStart < starts.length && starts[nextStart]!.start! <= day; nextStart++) active.push(starts[nextStart]!);
    for (const item of active) if (day >= item.finish!) finished += item.cents;
    active = active.filter(({ finish }) => day < finish!);
    const pv = active.reduce((sum, item) => sum + plannedValue(item, day, calendar), finished);
    points.push({ day, pv, ev, ac });
  }
  return points;
}

export const FORECASTS = ['cpi', 'remaining', 'cpi_spi'] as const;
export type Forecast = (typeof FORECASTS)[number];
/** How the estimate at completion is computed, in words. */
export const FORMULAS: Record<Forecast, string> = {
  cpi: 'EAC = BAC / CPI',
  remaining: 'EAC = AC + (BAC − EV)',
  cpi_spi: 'EAC = AC + (BAC − EV) / (CPI × SPI)',
};

/** A ratio in ten-thousandths, halves rounded up; null for the divisor 0. */
export function ratio(value: bigint, divisor: bigint): bigint | null {
  return divisor === 0n ? null : rounded(value * 10_000n, divisor);
}

/** The quotient, halves rounded away from 0. */
function rounded(value: bigint, divisor: bigint): bigint {
  const negative = value < 0n !== divisor < 0n;
  const [n, d] = [value < 0n ? -value : value, divisor < 0n ? -divisor : divisor];
  const quotient = (n * 2n + d) / (d * 2n);
  return negative ? -quotient : quotient;
}

/**
 * The estimate at completion in cents, computed without rounding the indices; null where an index that the formula divides
 * by is 0 or cannot be computed.
 */
export function estimate(forecast: Forecast, bac: bigint, { pv, ev, ac }: Omit<Point, 'day'>): bigint | null {
  if (forecast === 'remaining') return ac + bac - ev;
  // BAC / (EV / AC), and (BAC − EV) / (EV / AC × EV / PV).
  if (forecast === 'cpi') return ev === 0n || ac === 0n ? null : rounded(bac * ac, ev);
  return ev === 0n || ac === 0n || pv === 0n ? null : ac + rounded((bac - ev) * ac * pv, ev * ev);
}

export const INTERVALS = ['week', 'month'] as const;
export type Interval = (typeof INTERVALS)[number];
/** Points of a series. */
export const MOST_POINTS = 400;

/**
 * The days of a series: the ends of weeks (Sundays) or months from the first day on, and the last day.
 * @returns null for more than 400
 */
export function seriesDays(from: number, to: number, interval: Interval): number[] | null {
  const days: number[] = [];
  const DAY_MS = 86_400_000;
  let day = from - 1;
  while (day < to) {
    if (interval === 'week') day += day < from ? 7 - ((((from + 3) % 7) + 7) % 7) : 7;
    else {
      const date = new Date(Math.max(day + 1, from) * DAY_MS);
      const end = new Date(0);
      end.setUTCFullYear(date.getUTCFullYear(), date.getUTCMonth() + 1, 0);
      day = end.getTime() / DAY_MS;
    }
    if (days.length >= MOST_POINTS) return null;
    days.push(Math.min(day, to));
  }
  return days;
}
