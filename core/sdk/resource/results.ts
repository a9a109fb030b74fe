import type { LogEvent } from '../context.js';
import type { ResourceResult } from '../http.js';

/** Values of fields in the path: `{ card_id }` below a card. Resources with other values are a 404. */
export type ResourceScope = Readonly<Record<string, string>>;

/** One change of a resource, from the event log. `version` is null if the change created none. */
export interface HistoryEntry {
  version: number | null;
  at: string;
  type: string;
  actor: LogEvent['actor'];
  origin: string;
  change_id: string | null;
  request_id: string | null;
  changes: { field: string; old: unknown; new: unknown }[];
  /** Members of the body of a transition; null in other entries. */
  [member: string]: unknown;
}

/** A resource that was written, as a response has it. */
export interface WrittenResource {
  id: string;
  resource: Omit<ResourceResult, 'status'>;
}
