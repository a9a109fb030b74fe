import type { PageResult } from '../http.js';
import type { Bindings, ListParams, ListSpec, ReadPort, Statement, UnitOfWork } from '../services.js';
import { fromRow, selected, type Column } from './columns.js';
import type { LinkRepository } from './links-repository.js';
import type { Row, Values } from './spec.js';

/** A row as returned by the PostgreSQL driver. */
export type Raw = Values & { id: string; version: number };

/** A resource to write: its changed fields, and its computed columns. */
export interface Written {
  id: string;
  version: number;
  /** By field: the changed values; for a new resource all. */
  values: Values;
  computed: Values;
}

/** The columns every resource has, for its `create table`. */
export const resourceColumns = `id uuid primary key,
  version integer not null default 1,
  created_by uuid references users(id) on delete set null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null`;

const NOW = "date_trunc('milliseconds', clock_timestamp())";
const COMMON = 'r.id, r.version, r.created_by, r.created_at, r.updated_at';

/** The names and expressions in the SQL of a resource. */
export interface RowShape {
  table: string;
  /** Columns that are read. */
  columns: readonly Column[];
  /** Columns set only by the clock of the database, when the resource is in a state. */
  times: readonly { state: string; column: string }[];
  /** The column of the state, if the resource has transitions. */
  state: string | undefined;
  /** Columns that are written but not read. */
  computed: readonly string[];
  /** Members of the view that are SQL expressions. */
  reads: readonly { name: string; sql: string; column: Column }[];
  links: { field: string; rows: LinkRepository } | undefined;
  /** Fields that lists do not read. */
  unlisted: ReadonlySet<string>;
  list: ListSpec;
}

/** The SQL of one resource; its identifiers were checked when it was declared. */
export class ResourceRepository {
  private readonly sql;
  private readonly selected: string;
  /** The same in lists. */
  private readonly listed: string;
  /** Columns with values in statements that write. */
  private readonly written: readonly Column[];

  constructor(private readonly shape: RowShape) {
    const { table, columns, times, state, computed, reads, links } = shape;
    const timed = new Set(times.map(({ column }) => column));
    this.written = columns.filter(({ column }) => !timed.has(column));
    const selection = (read: readonly Column[]): string =>
      [
        COMMON,
        ...read.map((column) => selected('r', column)),
        ...reads.map(({ name, sql }) => `${sql} as ${name}`),
        ...(links ? [`${links.rows.selected} as ${links.field}`] : []),
      ].join(', ');
    const own = [COMMON, ...columns.map((column) => selected('r', column))].join(', ');
    this.selected = selection(columns);
    this.listed = selection(columns.filter(({ name }) => !shape.unlisted.has(name)));
    const names = this.written.map(({ column }) => column);
    const all = [...names, ...computed];
    const since = (old: (column: string) => string) =>
      times.map(({ state: held, column }) => ({
        column,
        sql: `case when n.${state!} = '${held}' then ${old(column)} end`,
      }));
    const made = since(() => NOW);
    const kept = since((column) => `coalesce(r.${column}, ${NOW})`);
    const statement = (name: string, text: string): Statement => ({ name: `${table}-${name}`, text });
    const lock = `select ${own} from ${table} r where r.id = any($1::uuid[]) order by r.id`;
    this.sql = {
      find: statement('find', `select ${this.selected} from ${table} r where r.id = any($1::uuid[])`),
      peek: statement('peek', lock),
      lock: statement('lock', `${lock} for no key update of r`),
      // Rows to delete are also locked against new references to them.
      lockToRemove: statement('lock-remove', `${lock} for update of r`),
      insert: statement(
        'insert',
        `insert into ${table} (${['id', 'version', 'created_by', 'created_at', 'updated_at', ...all, ...made.map(({ column }) => column)].join(', ')})
        select ${['n.id', 'n.version', 'n.created_by', NOW, NOW, ...all.map((name) => `n.${name}`), ...made.map(({ sql }) => sql)].join(', ')}
        from jsonb_populate_recordset(null::${table}, $1::jsonb) n`,
      ),
      // Unchanged columns are taken from the stored row, so that conversion to JSON cannot change them.
      update: statement(
        'update',
        `update ${table} r set ${[
          'version = n.version',
          `updated_at = greatest(r.updated_at + interval '1 ms', ${NOW})`,
          ...all.map((name) => `${name} = n.${name}`),
          ...kept.map(({ column, sql }) => `${column} = ${sql}`),
        ].join(', ')}
        from jsonb_array_elements($1::jsonb) e join ${table} b on b.id = (e.value ->> 'id')::uuid cross join lateral jsonb_populate_record(b, e.value) n
        where r.id = b.id`,
      ),
      remove: statement('remove', `delete from ${table} where id = any($1::uuid[])`),
    };
  }

  /** Converts a row to its JSON form. */
  view(raw: Raw): Row {
    const { columns, reads, links } = this.shape;
    const fields = [
      ...columns.map((column) => [column.name, fromRow(column, raw[column.name])]),
      ...reads.flatMap(({ name, column }) => (name in raw ? [[name, fromRow(column, raw[name])]] : [])),
      ...(links ? [[links.field, raw[links.field] ?? []]] : []),
    ];
    return {
      id: raw.id,
      ...(Object.fromEntries(fields) as Values),
      created_by: raw['created_by'] as string | null,
      created_at: (raw['created_at'] as Date).toISOString(),
      updated_at: (raw['updated_at'] as Date).toISOString(),
      version: raw.version,
    };
  }

  /** @returns the existing resources, with their links and the members that are SQL expressions */
  async find(db: Pick<ReadPort, 'query'>, ids: readonly string[]): Promise<Row[]> {
    return (await db.query<Raw>(this.sql.find, [ids])).map((raw) => this.view(raw));
  }

  /**
   * Reads resources in order of their ids, and locks them except in a dry run.
   * @param purpose whether some of them may be deleted
   * @returns the existing resources by id, with their links
   */
  async lock(
    uow: UnitOfWork,
    ids: readonly string[],
    purpose: 'change' | 'remove' | 'dry run',
  ): Promise<Map<string, Row>> {
    if (ids.length === 0) return new Map();
    const { lock, lockToRemove, peek } = this.sql;
    const rows = await uow.query<Raw>({ change: lock, remove: lockToRemove, 'dry run': peek }[purpose], [ids]);
    const { links } = this.shape;
    const linked =
      links && rows.length > 0
        ? await links.rows.of(
            uow,
            rows.map(({ id }) => id),
          )
        : undefined;
    return new Map(
      rows.map((raw) => [raw.id, this.view(links ? { ...raw, [links.field]: linked?.get(raw.id) } : raw)]),
    );
  }

  /**
   * Locks the resources with one of these cards in a column, in order of their ids: those that another transaction moves to
   * another card or deletes meanwhile are not among them.
   * @returns their ids
   * @param columns of cards; checked when the resource was declared
   */
  async idsOf(uow: UnitOfWork, columns: readonly string[], cards: readonly string[]): Promise<string[]> {
    const { table } = this.shape;
    const where = columns.map((column) => `${column} = any($1::uuid[])`).join(' or ');
    const text = `select id from ${table} where ${where} order by id for update`;
    return (await uow.query<{ id: string }>({ name: `${table}-of-cards`, text }, [cards])).map(({ id }) => id);
  }

  async insert(uow: UnitOfWork, rows: readonly Written[]): Promise<void> {
    const created_by = uow.ctx.actor?.id ?? null;
    if (rows.length > 0)
      await uow.query(this.sql.insert, [JSON.stringify(rows.map((row) => ({ ...this.record(row), created_by })))]);
  }

  async update(uow: UnitOfWork, rows: readonly Written[]): Promise<void> {
    if (rows.length > 0) await uow.query(this.sql.update, [JSON.stringify(rows.map((row) => this.record(row)))]);
  }

  async remove(uow: UnitOfWork, ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await uow.query(this.sql.remove, [ids]);
  }

  async page(
    db: ReadPort,
    params: ListParams,
    where: string[],
    bindings: Bindings,
    scope: string,
  ): Promise<PageResult<Row>> {
    const page = await db.readPage<Raw>({
      spec: this.shape.list,
      params,
      where,
      bindings,
      scope,
      columns: this.listed,
    });
    return { ...page, items: page.items.map((raw) => this.view(raw)) };
  }

  private record({ id, version, values, computed }: Written): Values {
    const columns = this.written.flatMap(({ name, column }) => (name in values ? [[column, values[name]]] : []));
    return { id, version, ...(Object.fromEntries(columns) as Values), ...computed };
  }
}
