type Value = string | number | boolean | undefined;

/** The list of risks under these filters. */
export function listOf(...filters: Readonly<Record<string, Value>>[]): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(Object.assign({}, ...filters) as Record<string, Value>))
    if (value !== undefined) query.set(name, String(value));
  return `/api/v1/risks${query.size > 0 ? `?${query.toString()}` : ''}`;
}

/** The last months, the latest last, as YYYY-MM. @param today YYYY-MM-DD */
export function monthsUntil(today: string, count: number): string[] {
  const [year, month] = today.split('-').map(Number) as [number, number];
  return Array.from({ length: count }, (_, i) =>
    new Date(Date.UTC(year, month - count + i, 1)).toISOString().slice(0, 7),
  );
}

/** The last day of a month, YYYY-MM-DD. */
export function lastDayOf(month: string): string {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
}
