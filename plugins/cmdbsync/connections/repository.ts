import type { ReadPort, UnitOfWork } from '@lintel/sdk';

/** Whether mappings use a connection. */
export async function hasMappings(uow: UnitOfWork, id: string): Promise<boolean> {
  const rows = await uow.query(
    {
      name: 'cmdbsync-connection-used',
      text: 'select 1 as used from cmdbsync_mappings where connection_id = $1 limit 1',
    },
    [id],
  );
  return rows.length > 0;
}

/** The service accounts whose rights the mappings of a connection use. */
export async function accountsOf(uow: UnitOfWork, id: string): Promise<string[]> {
  const rows = await uow.query<{ runs_as: string }>(
    {
      name: 'cmdbsync-connection-accounts',
      text: 'select distinct runs_as from cmdbsync_mappings where connection_id = $1 and runs_as is not null order by runs_as',
    },
    [id],
  );
  return rows.map(({ runs_as }) => runs_as);
}

/** Has the next run of each mapping of a connection read everything: what was read before was of another source. */
export async function forgetReads(uow: UnitOfWork, id: string): Promise<void> {
  await uow.query(
    {
      name: 'cmdbsync-connection-forget-watermarks',
      text: 'update cmdbsync_mappings set watermark = null where connection_id = $1',
    },
    [id],
  );
  await uow.query(
    {
      name: 'cmdbsync-connection-forget-reads',
      text: `update cmdbsync_runs r set mapping_version = null from cmdbsync_mappings m
        where m.id = r.mapping_id and m.connection_id = $1 and r.state in ('queued', 'reading', 'applying', 'review')`,
    },
    [id],
  );
}

/** Those of these ids that are connections. */
export async function knownConnections(db: ReadPort, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>(
    { name: 'cmdbsync-connections-known', text: 'select id from cmdbsync_connections where id = any($1::uuid[])' },
    [ids],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Stores the result of a test. @returns the name of the connection; undefined if it was deleted */
export async function storeTest(
  uow: UnitOfWork,
  id: string,
  test: { tested_at: string; ok: boolean; detail: string },
): Promise<string | undefined> {
  const [row] = await uow.query<{ name: string }>(
    {
      name: 'cmdbsync-connection-tested',
      text: 'update cmdbsync_connections set last_test = $2::jsonb where id = $1 returning name',
    },
    [id, JSON.stringify(test)],
  );
  return row?.name;
}

/** The mappings of the tables of a connection, by key of the table. */
export async function mappingsByTable(db: ReadPort, id: string): Promise<Map<string, string[]>> {
  const rows = await db.query<{ table_name: string; ids: string[] }>(
    {
      name: 'cmdbsync-mapped-tables',
      text: `select table_name, array_agg(id::text order by created_at, id) as ids from cmdbsync_mappings
        where connection_id = $1 group by table_name`,
    },
    [id],
  );
  return new Map(rows.map(({ table_name, ids }) => [table_name, ids]));
}
