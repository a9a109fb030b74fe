import { Type, type InventoryFilters } from '@lintel/sdk';

export const Named = Type.Object({ id: Type.String({ format: 'uuid' }), name: Type.String() });
export const Count = (description?: string) =>
  Type.Integer({ minimum: 0, ...(description !== undefined && { description }) });
/** A number with the list that it counts. */
export const Counted = Type.Object({
  count: Count(),
  href: Type.String({ description: 'The list whose total is the count.' }),
});

/** The list of initiatives under these filters. */
export function initiatives(...filters: InventoryFilters[]): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(Object.assign({}, ...filters) as InventoryFilters))
    if (value !== undefined && name !== 'type') query.set(name, String(value));
  return `/api/v1/ppm/initiatives${query.size > 0 ? `?${query.toString()}` : ''}`;
}
export const initiative = (id: string): string => `/api/v1/ppm/initiatives/${id}`;

/** Colours that can be told apart with colour blindness. */
export const COLORS = {
  on_track: '#009e73',
  at_risk: '#e69f00',
  off_track: '#d55e00',
  none: '#9e9e9e',
  budget: '#9e9e9e',
  actual: '#0072b2',
  forecast: '#56b4e9',
} as const;

/** An amount with its currency, without cents, in the language of the request. */
export function money(lang: string, currency: string): (amount: number) => string {
  const format = new Intl.NumberFormat(lang, { maximumFractionDigits: 0 });
  return (amount) => `${format.format(amount)} ${currency}`;
}

/** A date, YYYY-MM-DD, in the language of the request. */
export function dateIn(lang: string): (date: string) => string {
  const format = new Intl.DateTimeFormat(lang, { dateStyle: 'medium', timeZone: 'UTC', calendar: 'gregory' });
  return (date) => format.format(new Date(`${date}T00:00:00Z`));
}
