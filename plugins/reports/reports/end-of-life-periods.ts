import { addDays } from '../days.js';

/** A period of the horizon, with its first day and its last day. */
export interface Period {
  from: string;
  to: string;
  label: string;
}

const [MOST_MONTHS, MOST_QUARTERS] = [24, 20];

/** Number of months from year 0. */
const monthNumber = (month: string): number => Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1;
const firstDay = (month: number): string =>
  `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}-01`;

/** What a period is called. */
function labelOf(start: number, months: number, lang: string): string {
  const day = new Date(`${firstDay(start)}T00:00:00Z`);
  if (months === 12) return String(day.getUTCFullYear());
  if (months === 3) return `${day.getUTCFullYear()} Q${day.getUTCMonth() / 3 + 1}`;
  return new Intl.DateTimeFormat(lang, { month: 'short', year: 'numeric', timeZone: 'UTC' }).format(day);
}

/**
 * The periods from tomorrow to a day: months, and quarters or years where these would be too many.
 * @param lang BCP 47 tag of the labels
 */
export function periodsOf(today: string, until: string, lang: string): Period[] {
  const first = addDays(today, 1);
  if (until < first) return [];
  const span = monthNumber(until) - monthNumber(first) + 1;
  const months = span <= MOST_MONTHS ? 1 : span <= MOST_QUARTERS * 3 ? 3 : 12;
  const periods: Period[] = [];
  for (let start = Math.floor(monthNumber(first) / months) * months; firstDay(start) <= until; start += months) {
    const [from, to] = [firstDay(start), addDays(firstDay(start + months), -1)];
    periods.push({
      from: from < first ? first : from,
      to: to > until ? until : to,
      label: labelOf(start, months, lang),
    });
  }
  return periods;
}
