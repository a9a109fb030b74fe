import type { Database } from '../db/database.js';
import type { UnitOfWork } from '../db/unit-of-work.js';

const INSERT = {
  name: 'file-insert',
  text: `insert into files (id, created_by, expires_at, module) values ($1, $2, coalesce(clock_timestamp() + make_interval(hours => $3), 'infinity'), $4)`,
};
const CHUNK = { name: 'file-chunk', text: 'insert into file_chunks (file_id, n, bytes) values ($1, $2, $3)' };
const COMPLETE = { name: 'file-complete', text: 'update files set size = $2, sha256 = $3 where id = $1' };
const READ_CHUNK = {
  name: 'file-read-chunk',
  text: 'select c.bytes from file_chunks c join files f on f.id = c.file_id where c.file_id = $1 and c.n = $2 and f.module is not distinct from $3',
};
const DELETE = { name: 'file-delete', text: 'delete from files where id = $1 and module is not distinct from $2' };
const KEEP = {
  name: 'file-keep',
  text: `update files set expires_at = 'infinity' where id = any($1::uuid[]) and module is not distinct from $2`,
};
const CLEAN = { name: 'file-clean', text: 'delete from files where expires_at < clock_timestamp() returning 1' };

export async function insertFile(
  db: Database,
  id: string,
  createdBy: string | null,
  hours: number | null,
  module: string | null,
): Promise<void> {
  await db.query(INSERT, [id, createdBy, hours, module]);
}

export async function insertChunk(db: Database, id: string, n: number, bytes: Buffer): Promise<void> {
  await db.query(CHUNK, [id, n, bytes]);
}

export async function completeFile(db: Database, id: string, size: number, sha256: Buffer): Promise<void> {
  await db.query(COMPLETE, [id, size, sha256]);
}

/** @returns undefined after the last chunk, and where the file belongs to another module */
export async function readChunk(
  db: Database,
  id: string,
  n: number,
  module: string | null,
): Promise<Buffer | undefined> {
  return (await db.query<{ bytes: Buffer }>(READ_CHUNK, [id, n, module]))[0]?.bytes;
}

export async function deleteFile(at: Database | UnitOfWork, id: string, module: string | null): Promise<void> {
  await at.query(DELETE, [id, module]);
}

/** Removes the expiry time of files. */
export async function keepFiles(uow: UnitOfWork, ids: readonly string[], module: string | null): Promise<void> {
  await uow.query(KEEP, [ids, module]);
}

/** Deletes expired files. @returns their number */
export async function cleanFiles(db: Database): Promise<number> {
  return (await db.query(CLEAN)).length;
}
