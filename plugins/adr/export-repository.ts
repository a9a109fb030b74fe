import type { ModuleServices } from '@lintel/sdk';
import type { Adr } from './model.js';
import { conditionsOf } from './repository.js';
import type { RelatedInput } from './schemas.js';
import type { CallerFilters } from './caller-filters.js';

type Db = ModuleServices['db'];
type Row<T> = T & Record<string, unknown>;

/** A decision referenced in a file, with the data needed for its file name. */
export interface Named extends Pick<Adr, 'number' | 'title' | 'source' | 'source_path'> {
  type: RelatedInput['type'];
}
/** A decision with all data needed for its Markdown. */
export interface ExportRow
  extends Pick<
    Adr,
    | 'id'
    | 'number'
    | 'title'
    | 'status'
    | 'context'
    | 'drivers'
    | 'options'
    | 'decision'
    | 'consequences'
    | 'source'
    | 'source_path'
    | 'source_markdown'
    | 'source_reader'
    | 'source_life'
    | 'created_at'
    | 'version'
  > {
  signed_at: Date | null;
  /** Relations that no file contains. */
  related: Named[];
  superseded_by: Named[];
}

const named = (
  related: string,
  own: string,
  other: string,
  condition: string,
): string => `coalesce((select jsonb_agg(jsonb_build_object('type', r.type, 'number', t.number, 'title', t.title, 'source', t.source, 'source_path', t.source_path)
  order by r.type, t.number, t.id) from ${related} r join adr_decisions t on t.id = r.${other} where r.${own} = d.id and ${condition}), '[]')`;
const COLUMNS = `d.id, d.number, d.title, d.status, d.context, d.drivers, d.options, d.decision, d.consequences, d.source, d.source_path, d.source_markdown, d.source_reader, d.source_life,
  d.created_at, d.signed_at, d.version, ${named('adr_related', 'adr_id', 'target_id', 'not r.is_imported')} as related, ${named('adr_links', 'target_id', 'source_id', `r.type = 'supersedes' and t.status = 'signed'`)} as superseded_by`;
const FIND = { name: 'adr-export-find', text: `select ${COLUMNS} from adr_decisions d where d.id = $1` };
/** Maximum number of bytes of decisions that are read together; one may have a megabyte. */
const CHUNK_BYTES = 256 * 1024;
const SIZES = {
  name: 'adr-export-sizes',
  text: `select d.id, coalesce(octet_length(d.context), 0) + coalesce(octet_length(d.decision), 0) + coalesce(octet_length(d.consequences), 0)
      + octet_length(d.drivers::text) + octet_length(d.options::text) + coalesce(octet_length(d.source_markdown), 0) as bytes
    from adr_decisions d where d.id = any($1::uuid[]) order by d.number`,
};
const CHUNK = {
  name: 'adr-export-chunk',
  text: `select ${COLUMNS} from adr_decisions d where d.id = any($1::uuid[]) order by d.number`,
};

export async function findExport(db: Db, id: string): Promise<ExportRow | undefined> {
  return (await db.query<Row<ExportRow>>(FIND, [id]))[0];
}

/** For each number the revision in force, or else the latest, ordered by number. */
export async function findExported(
  db: Db,
  query: CallerFilters,
): Promise<Pick<ExportRow, 'id' | 'number' | 'title' | 'source' | 'source_path'>[]> {
  const bindings = db.bindings();
  const where = conditionsOf(query, (value) => bindings.add(value));
  const text = `select distinct on (d.number) d.id, d.number, d.title, d.source, d.source_path from adr_decisions d
    ${where.length > 0 ? `where ${where.join(' and ')}` : ''} order by d.number, d.status = 'signed' desc, d.revision desc`;
  return await db.query<Row<Pick<ExportRow, 'id' | 'number' | 'title' | 'source' | 'source_path'>>>(
    { name: 'adr-export', text },
    bindings.values,
  );
}

/** Reads decisions in the order of their numbers, a few at a time: as many as are small together, or one that is large. */
export async function* readExported(db: Db, ids: readonly string[]): AsyncGenerator<ExportRow> {
  let [chunk, total]: [string[], number] = [[], 0];
  for (const { id, bytes } of await db.query<{ id: string; bytes: number }>(SIZES, [ids])) {
    if (chunk.length > 0 && total + bytes > CHUNK_BYTES) {
      yield* await db.query<Row<ExportRow>>(CHUNK, [chunk]);
      [chunk, total] = [[], 0];
    }
    chunk.push(id);
    total += bytes;
  }
  if (chunk.length > 0) yield* await db.query<Row<ExportRow>>(CHUNK, [chunk]);
}
