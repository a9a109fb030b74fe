import type { ModuleServices } from '@lintel/sdk';
import type { Settings } from './settings.js';

export type Host = ModuleServices<Settings>;

/** The card type whose cards have flows. */
export const PROCESS_TYPE = 'BusinessProcess';
/** The types of cards that elements can be linked to. Processes are linked to call activities only. */
export const LINKED_TYPES = ['Application', 'DataObject', 'ITComponent', 'Organization', 'BusinessProcess'] as const;
export type LinkedType = (typeof LINKED_TYPES)[number];

export const STATES = ['draft', 'pending', 'published', 'archived'] as const;
export type State = (typeof STATES)[number];

export const KINDS = [
  'task',
  'event',
  'gateway',
  'sub_process',
  'call_activity',
  'data_object',
  'data_store',
  'lane',
  'participant',
] as const;
export type Kind = (typeof KINDS)[number];

/** Bytes of a BPMN file. */
export const MAX_BYTES = 20 * 1_048_576;

/** The time of the database in the resolution of the API. */
export const NOW = "date_trunc('milliseconds', clock_timestamp())";
export const timeOf = (date: Date | null): string | null => date?.toISOString() ?? null;
