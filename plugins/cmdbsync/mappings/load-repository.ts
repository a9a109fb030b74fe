import type { Statement } from '@lintel/sdk';
import type { Mapping } from './definition.js';

/** A connection as `openConnection` needs it. */
export interface StoredConnection {
  id: string;
  name: string;
  connector: string;
  config: Record<string, unknown>;
  /** Names of the secrets that are set. */
  secrets: string[];
  max_requests_per_second: number;
}

/** Reads, or a transaction. */
export interface Queries {
  query<R extends Record<string, unknown>>(statement: Statement, values?: unknown[]): Promise<R[]>;
}

const MAPPING = `select id, version, connection_id, name, card_type, table_name, filter, direction, fields, identity, relations,
  creates_remote, delete_policy, delete_ratio::float8 as delete_ratio, proposes_matches, auto_apply, schedule, time_zone, is_enabled,
  owner_id, runs_as, watermark from cmdbsync_mappings`;

/** A mapping as its runs need it. */
export async function findMapping(db: Queries, id: string): Promise<Mapping | undefined> {
  const [row] = await db.query<Mapping & Record<string, unknown>>(
    { name: 'cmdbsync-mapping', text: `${MAPPING} where id = $1` },
    [id],
  );
  return row;
}

/** A connection with its settings. */
export async function findConnection(db: Queries, id: string): Promise<StoredConnection | undefined> {
  const [row] = await db.query<StoredConnection & Record<string, unknown>>(
    {
      name: 'cmdbsync-connection',
      text: `select id, name, connector, config, array(select jsonb_object_keys(secrets) order by 1) as secrets, max_requests_per_second
        from cmdbsync_connections where id = $1`,
    },
    [id],
  );
  return row;
}
