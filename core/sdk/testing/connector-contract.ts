import type { ConnectorDeclaration } from '../connectors.js';
import type { Check } from './checks.js';
import { declaration } from './connector/declaration.js';
import { failing } from './connector/failing.js';
import { reading } from './connector/reading.js';
import { ConnectorSubject } from './connector/subject.js';
import { writing } from './connector/writing.js';

/**
 * What goes wrong in the simulator: every answer has the status 500; ends in the middle, after what it reports was done; is HTML with the
 * status 200; has the status 401.
 */
export type SourceFault = 'error' | 'cut_off' | 'not_json' | 'unauthorized';

/** The simulator of the other system, as the checks change it; functions may be asynchronous. */
export interface ConnectorSource {
  /** Removes all records of the table. */
  clear(): unknown;
  /** Creates a record with all fields of the contract. @param n differs at each call between two of `clear` @returns its id */
  create(n: number): string | Promise<string>;
  /** Changes a field of a record, as a user of the other system would. @param n a number for the new value */
  change(id: string, n: number): unknown;
  remove(id: string): unknown;
  /** From now on every answer has the fault; undefined: none. */
  fail?(fault: SourceFault | undefined): unknown;
  /** From now on the field is not shown, as to a user without rights to it; undefined: all are. */
  hide?(field: string | undefined): unknown;
}

/** A connector with a simulator of its other system. */
export interface ConnectorContract<S = unknown> {
  connector: ConnectorDeclaration<S>;
  /** The services of the module, as `open` gets them. */
  services?: S;
  /** Settings of the connection, complete: defaults are not added. */
  config: Readonly<Record<string, unknown>>;
  /** At least 8 characters each, so that they can be searched in texts. The simulator refuses others with 401. */
  secrets?: Readonly<Record<string, string>>;
  importDir?: string;
  table: string;
  /** Keys of fields of the table that every record of `source.create` has; the first one is hidden by `source.hide`. */
  fields: readonly string[];
  source: ConnectorSource;
  /** Faults that the simulator can have; default: all, with `source.fail`. */
  faults?: readonly SourceFault[];
  /** Whether reads have watermarks; others are complete each time. */
  hasWatermarks?: boolean;
  /** A change of the source makes a read fail that is in progress, as with a file that is replaced. */
  changesFail?: boolean;
  /** An id that no record has; default: `999999999`. */
  unknownId?: string;
  /** With `update` and `create`: values of writable fields, which the other system stores as they are. @param n differs for each write */
  writes?(n: number): Readonly<Record<string, unknown>>;
}

/**
 * The contract of connectors, as checks for any test runner, to be run in their order: pages and cursors, changes during a read, watermarks,
 * failures, secrets, the end of the work, and writing, if the connector has functions for it. Each check fills the table of the simulator anew.
 */
export function connectorContract<S>(spec: ConnectorContract<S>): Check[] {
  const subject = new ConnectorSubject(spec);
  return [...declaration(subject), ...reading(subject), ...failing(subject), ...writing(subject)];
}
