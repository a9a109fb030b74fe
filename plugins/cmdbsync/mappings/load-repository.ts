import type { Mapping } from './definition.js';

interface Db {
  query<R extends Record<string, unknown>>(statement: { name: string; text: string }, values?: unknown[]): Promise<R[]>;
}

/** A connection as runs need it. */
export interface StoredConnection {
  id: string;
  name: string;
  connector: string;
  config: Record<string, unknown>;
  secrets: string[];
  max_requests_per_second: number;
}

const MAPPING = {
  name: 'cmdbsync-mapping-load',
  text: `select id, version, connection_id, name, card_type, table_name, filter, direction, fields, identity, relations, creates_remote,
      delete_policy, delete_ratio::float8 as delete_ratio, proposes_matches, auto_apply, schedule, time_zone, is_enabled, owner_id, runs_as,
      watermark
    from cmdbsync_mappings where id = $1`,
};
const CONNECTION = {
  name: 'cmdbsync-connection-load',
  text: 'select id, name, connector, config, secrets, max_requests_per_second from cmdbsync_connections where id = $1',
};

export async function findMapping(db: Db, id: string): Promise<Mapping | undefined> {
  return (await db.query<Mapping & Record<string, unknown>>(MAPPING, [id]))[0];
}

export async function findConnection(db: Db, id: string): Promise<StoredConnection | undefined> {
  return (await db.query<StoredConnection & Record<string, unknown>>(CONNECTION, [id]))[0];
}
