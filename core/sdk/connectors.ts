import type { TObject } from 'typebox';
import type { OutboundAnswer, OutboundRequest } from './ports.js';

/** The type of the values of a field of another system. `reference` and `references` hold ids of records of another table. */
export type ConnectorFieldType =
  | 'text'
  | 'number'
  | 'boolean'
  | 'date'
  | 'datetime'
  | 'reference'
  | 'references'
  | 'list'
  | 'object';

/** A field of a table of another system. */
export interface ConnectorField {
  /** Name in the records; a member of an object is named by its path, such as `site.name`. */
  key: string;
  label: string;
  type: ConnectorFieldType;
  /** Of references: the key of the table that they name; undefined if it is not known. */
  table?: string | undefined;
  isWritable: boolean;
}

/** A table of another system: a kind of records. */
export interface ConnectorTable {
  key: string;
  label: string;
  /** Number of records, if the other system tells it at no cost. */
  records?: number | undefined;
}

/** A record of another system. It is data of others: nothing about it is certain but that it is JSON. */
export interface ConnectorRecord {
  /** Unique and stable within the table; 1 to 500 characters. */
  id: string;
  /** JSON. References are ids, or objects with the member `id`. */
  values: Readonly<Record<string, unknown>>;
}

/** A page of records; see `Connector.read`. */
export interface ConnectorPage {
  records: readonly ConnectorRecord[];
  /** Where the next page begins; undefined after the last one. At most 2,000 characters. */
  next?: string | undefined;
  /** Number of records of the whole read, if the other system tells it: a read that returned fewer does not count as complete. */
  total?: number | undefined;
  /** For `since` of a later read: records that change from now on are read by it, if need be together with some that did not. */
  watermark?: string | undefined;
}

/** What is read; see `Connector.read`. */
export interface ConnectorRead {
  table: string;
  /** In the language of the other system. */
  filter?: string | undefined;
  /** Keys of the fields that are needed; others may be left out. */
  fields: readonly string[];
  /** The watermark of an earlier read: only records changed since. */
  since?: string | undefined;
  /** `next` of the page before; undefined for the first page. */
  cursor?: string | undefined;
  /** Number of records at most. */
  limit: number;
}

/** Why another system did not do what it was asked. */
export type ConnectorFault =
  | 'unreachable'
  | 'authentication'
  | 'forbidden'
  | 'not_found'
  | 'rate_limited'
  | 'invalid_answer'
  | 'refused'
  | 'invalid_settings';

/** An error of another system, or of the settings of its connection; the message is shown to users and must contain no secrets. */
export class ConnectorError extends Error {
  constructor(
    readonly fault: ConnectorFault,
    message: string,
  ) {
    super(message);
    this.name = 'ConnectorError';
  }
}

/** A connection as its connector gets it. */
export interface ConnectorConnection {
  readonly id: string;
  /** Matches the `config` of the declaration. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, string>>;
  /**
   * Sends a request through the outbound guard of the platform, not more often than the connection allows. GET, PUT and DELETE are
   * repeated with increasing delays if no complete response arrives or it is 429, 502, 503 or 504; others are sent once.
   * @throws ConnectorError `unreachable` if no response arrives
   */
  request(url: string, request?: Omit<OutboundRequest, 'retries' | 'signal'>): Promise<OutboundAnswer>;
  /** Stores a changed secret, such as a refresh token that the other system has replaced. */
  storeSecret(name: string, value: string): Promise<void>;
  /** Directory with the files that the operator provides, `IMPORT_DIR`; undefined if there is none. */
  readonly importDir: string | undefined;
  /** Aborted when the work ends early. */
  readonly signal: AbortSignal;
}

/** An open connection to another system. Every function throws a ConnectorError if the other system does not do what it was asked. */
export interface Connector {
  /** Checks that the other system can be reached with these settings. @returns what was found, such as the version */
  test(): Promise<{ detail: string }>;
  tables(): Promise<readonly ConnectorTable[]>;
  /** @throws ConnectorError `not_found` for an unknown table */
  fields(table: string): Promise<readonly ConnectorField[]>;
  /**
   * Reads a page. The pages of one read together have every record that exists during the whole read, each at least once. A response that
   * is not complete is an error, not a page.
   */
  read(request: ConnectorRead): Promise<ConnectorPage>;
  /** Records by id, in any order; those that do not exist are omitted. @param ids at most 100 */
  get?(table: string, ids: readonly string[], fields: readonly string[]): Promise<readonly ConnectorRecord[]>;
  /** Changes fields of a record. @returns the record as it is now */
  update?(table: string, id: string, values: Readonly<Record<string, unknown>>): Promise<ConnectorRecord>;
  /** Creates a record that carries the correlation id. @returns the record */
  create?(table: string, values: Readonly<Record<string, unknown>>, correlationId: string): Promise<ConnectorRecord>;
  /**
   * The record that was created with a correlation id. Without this function, a creation whose response did not arrive
   * is not repeated but left to a person.
   */
  findCreated?(table: string, correlationId: string): Promise<ConnectorRecord | undefined>;
}

/** A connector: an entry of `connectors` of the manifest. */
export interface ConnectorDeclaration<S> {
  /** Unique among all modules; that of an external package is its id, or begins with it and `_`. */
  key: string;
  title: string;
  description: string;
  /** The settings of a connection, without secrets; every property has a description. */
  config: TObject;
  /** The secrets of a connection, by name. They are stored encrypted and never returned. */
  secrets: Readonly<Record<string, { description: string; isRequired?: boolean }>>;
  /** Called for each run or request; it must not send requests itself. */
  open(services: S, connection: ConnectorConnection): Connector;
}

/** A connector of an enabled module. */
export interface OwnedConnector {
  /** Id of the module. */
  module: string;
  connector: Omit<ConnectorDeclaration<unknown>, 'open'>;
  open(connection: ConnectorConnection): Connector;
}

/** The connectors of enabled modules, for the module that synchronises. */
export interface ConnectorPort {
  all(): OwnedConnector[];
  /** Folder with files that the operator provides, `IMPORT_DIR`, the same on all nodes; undefined if there is none. */
  readonly importDir: string | undefined;
}
