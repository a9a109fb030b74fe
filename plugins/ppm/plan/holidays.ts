import { DateOnly, Type, resource } from '@lintel/sdk';
import { MANAGE, VIEW } from '../permissions.js';
import { holidaysChanged } from './recount.js';

/** Holidays of the organisation: days that no plan works, unless its own calendar says so. */
export const holidays = resource({
  kind: 'ppm_holiday',
  table: 'ppm_holidays',
  tag: 'ppm',
  operation: 'PpmHoliday',
  label: 'a holiday',
  labels: 'holidays',
  permissions: { view: VIEW, manage: MANAGE },
  bounds: [{ most: 5_000 }],
  fields: {
    date: DateOnly(),
    name: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' }),
  },
  filters: { date: 'range' },
  sorts: { date: true },
  defaultSort: 'date',
  example: { date: '2026-12-25', name: 'Christmas Day' },
  // Also for another name: the job of the holiday that was changed before leaves the work to that of a later change.
  prepare: ({ host, uow, id }) => holidaysChanged(host, uow, id),
  removing: ({ host, uow, id }) => holidaysChanged(host, uow, id),
});
export type Holidays = ReturnType<typeof holidays.service>;
