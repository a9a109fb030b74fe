import type { PageResult } from '../http.js';
import { checkIdentifiers } from '../identifiers.js';
import type { ListParams, ListSpec, ReadPort, Statement, UnitOfWork } from '../services.js';

/** A file of a resource. */
export interface ResourceFile {
  id: string;
  name: string;
  /** Media type. */
  type: string;
  /** Bytes. */
  size: number;
  /** Hexadecimal. */
  sha256: string;
  created_by: string | null;
  created_at: string;
}

/** A file that is stored but not yet part of a resource. */
export type NewFile = Pick<ResourceFile, 'name' | 'type' | 'size' | 'sha256'> & { file_id: string };

/** A file with the id of its bytes in `host.files`. */
export type StoredFile = ResourceFile & { file_id: string };

/**
 * SQL of a trigger that deletes the stored file of a deleted row of a table of the module: also by the cascade of a card, and
 * while the module is disabled.
 * @param table its name; the column `file_id` has the id from `host.files`
 */
export function fileTrigger(table: string): string {
  checkIdentifiers([table]);
  return `create trigger ${table}_bytes after delete on ${table} for each row execute function delete_file_of_row()`;
}

/**
 * SQL of the table of the files of a resource. A row that is deleted, also by a cascade, deletes the stored bytes.
 * @param table its name, such as `contracts_files`
 * @param resource the table of the resource
 */
export function resourceFiles(table: string, resource: string): string {
  checkIdentifiers([table, resource]);
  return `create table ${table} (id uuid primary key,
    owner_id uuid not null references ${resource}(id) on delete cascade,
    file_id uuid not null unique,
    name text not null,
    type text not null,
    size bigint not null,
    sha256 text not null,
    created_by uuid references users(id) on delete set null,
    created_at timestamptz(3) not null default clock_timestamp());
  create index ${table}_owner on ${table} (owner_id);
  ${fileTrigger(table)}`;
}

type Raw = Omit<StoredFile, 'size' | 'created_at'> & Record<string, unknown> & { size: string; created_at: Date };
const COLUMNS = 'f.id, f.file_id, f.name, f.type, f.size, f.sha256, f.created_by, f.created_at';
const view = ({ size, created_at, ...file }: Raw): StoredFile => ({
  ...(file as Omit<StoredFile, 'size' | 'created_at'>),
  size: Number(size),
  created_at: created_at.toISOString(),
});

/** The SQL of the files of one resource; the name of the table was checked when the resource was declared. */
export class FileRepository {
  private readonly sql: { count: Statement; add: Statement; get: Statement; remove: Statement };
  private readonly list: ListSpec;

  constructor(private readonly table: string) {
    const statement = (name: string, text: string): Statement => ({ name: `${table}-${name}`, text });
    this.sql = {
      count: statement('count', `select count(*)::int as n from ${table} where owner_id = $1`),
      add: statement(
        'add',
        `insert into ${table} as f (id, owner_id, file_id, name, type, size, sha256, created_by)
        select n.id, $1, n.file_id, n.name, n.type, n.size, n.sha256, $2
        from jsonb_to_recordset($3::jsonb) as n(id uuid, file_id uuid, name text, type text, size bigint, sha256 text)
        returning ${COLUMNS}`,
      ),
      get: statement(
        'get',
        `select ${COLUMNS} from ${table} f where f.owner_id = $1 and f.id = any($2::uuid[]) order by f.id`,
      ),
      remove: statement('remove', `delete from ${table} f where f.owner_id = $1 and f.id = $2 returning ${COLUMNS}`),
    };
    this.list = {
      table: `${table} f`,
      id: 'f.id',
      idType: 'uuid',
      sorts: {
        created_at: { sql: 'f.created_at', type: 'timestamptz' },
        name: { sql: 'f.name', type: 'text', collate: '"C"' },
      },
      defaultSort: 'created_at',
    };
  }

  async count(uow: UnitOfWork, owner: string): Promise<number> {
    return (await uow.query<{ n: number }>(this.sql.count, [owner]))[0]!.n;
  }

  /**
   * @param files with their ids
   * @returns the files as they were stored, in order of their ids
   */
  async add(uow: UnitOfWork, owner: string, files: readonly (NewFile & { id: string })[]): Promise<StoredFile[]> {
    const rows = await uow.query<Raw>(this.sql.add, [owner, uow.ctx.actor?.id ?? null, JSON.stringify(files)]);
    return rows.map(view).sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** @returns the existing files, in order of their ids */
  async find(db: ReadPort, owner: string, ids: readonly string[]): Promise<StoredFile[]> {
    return (await db.query<Raw>(this.sql.get, [owner, ids])).map(view);
  }

  /** @returns the removed file; undefined if there is none */
  async remove(uow: UnitOfWork, owner: string, id: string): Promise<StoredFile | undefined> {
    const [raw] = await uow.query<Raw>(this.sql.remove, [owner, id]);
    return raw && view(raw);
  }

  async page(db: ReadPort, owner: string, params: ListParams): Promise<PageResult<StoredFile>> {
    const bindings = db.bindings();
    const where = [`f.owner_id = ${bindings.add(owner)}`];
    const page = await db.readPage<Raw>({
      spec: this.list,
      params,
      where,
      bindings,
      columns: COLUMNS,
      scope: `${this.table} ${owner}`,
    });
    return { ...page, items: page.items.map(view) };
  }
}
