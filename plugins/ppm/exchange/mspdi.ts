/**
 * What reading and writing of Microsoft Project XML (MSPDI) have in common. Source: the XML data interchange schema of
 * Microsoft Office Project 2007 (mspdi_pj12.xsd) and the documentation of its elements.
 */
import type { DependencyType } from '../schedule/types.js';

export const NAMESPACE = 'http://schemas.microsoft.com/project';

/** By their numbers in `PredecessorLink/Type`. */
export const LINK_TYPES: readonly DependencyType[] = ['FF', 'FS', 'SF', 'SS'];

/** Custom fields of tasks that carry what the format has no element for. */
export const FIELDS = {
  /** Text30: the id of the item. */
  id: { fieldId: '188744016', name: 'Text30', alias: 'Lintel ID' },
  /** Text29: which of start, finish and duration were computed and are not planned. */
  computed: { fieldId: '188744015', name: 'Text29', alias: 'Lintel computed' },
  /** Text28: the currency of the planned cost. */
  currency: { fieldId: '188744014', name: 'Text28', alias: 'Lintel currency' },
} as const;

/** Names of calendars in the files of Lintel that tell which days of the calendar of the tasks are the plan's own. */
export const CALENDARS = { organisation: 'Lintel organisation', own: 'Lintel plan' } as const;

/** Amounts are in hundredths of the currency. */
export const CENTS = 100;
/** `LinkLag` is in tenths of minutes. */
export const LAGS_PER_MINUTE = 10;

/** Formats of durations and lags: 32 is added for an estimate. */
const ELAPSED = [4, 6, 8, 10, 12, 20];
const PERCENT = [19, 20];
const formatOf = (text: string | undefined): number => Number(text ?? '7') % 32;
/** Whether a format is one of elapsed time, in which all hours of all days count. */
export const isElapsed = (format: string | undefined): boolean => ELAPSED.includes(formatOf(format));
/** Whether a format is one of percents of the duration of the predecessor. */
export const isPercent = (format: string | undefined): boolean => PERCENT.includes(formatOf(format));

/** `DayType` of a weekday by ISO 8601: 1 is Sunday. */
export const dayTypeOf = (weekday: number): number => (weekday % 7) + 1;
/** The ISO weekday of a `DayType` from 1 to 7. */
export const weekdayOfType = (dayType: number): number => (dayType === 1 ? 7 : dayType - 1);
