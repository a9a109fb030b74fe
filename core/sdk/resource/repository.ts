import type { PageResult } from '../http.js';
import { statementOf } from '../identifiers.js';
import type { Bindings, ListParams, ListSpec, ReadPort, UnitOfWork } from '../services.js';
import { fromRow, selected, toRow, type Column } from './columns.js';
import type { Row, Values } from './spec.js';

/** A row as the driver gives it. */
export type Raw = Values & { id: string; version: number };

/** The columns every resource has, for its `create table`. */
export const resourceColumns = `id uuid primary key,
  version integer not null default 1,
  created_by uuid references users(id) on delete set null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null`;

const NOW = "date_trunc('milliseconds', clock_timestamp())";
const COMMON = 'r.id, r.version, r.created_by, r.created_at, r.updated_at';

/** The SQL of one resource; its identifiers were checked when it was declared. */
export class ResourceRepository {
  private readonly sql;
  private readonly selected: string;

  /** @param computed columns that are written and never read */
  constructor(
    table: string,
    private readonly columns: readonly Column[],
    private readonly computed: readonly string[],
    private readonly list: ListSpec,
  ) {
    const names = [...columns.map((column) => column.name), ...computed];
    this.selected = [COMMON, ...columns.map((column) => selected('r', column))].join(', ');
    const find = `select ${this.selected} from ${table} r where r.id = $1`;
    const statement = (name: string, text: string) => statementOf(`${table}-${name}`, text);
    this.sql = {
      find: statement('find', find),
      lock: statement('lock', `${find} for update of r`),
      insert: statement(
        'insert',
        `insert into ${table} (id, created_by, created_at, updated_at${names.map((name) => `, ${name}`).join('')})
        values ($1, $2, ${NOW}, ${NOW}${names.map((_, i) => `, $${i + 3}`).join('')})`,
      ),
      update: statement(
        'update',
        `update ${table} set version = version + 1, updated_at = greatest(updated_at + interval '1 ms', ${NOW})${names.map((name, i) => `, ${name} = $${i + 2}`).join('')}
        where id = $1 returning version`,
      ),
      remove: statement('remove', `delete from ${table} where id = $1`),
    };
  }

  /** A row as JSON has it. */
  view(raw: Raw): Row {
    const fields = this.columns.map((column) => [column.name, fromRow(column, raw[column.name])]);
    return {
      id: raw.id,
      ...(Object.fromEntries(fields) as Values),
      created_by: raw['created_by'] as string | null,
      created_at: (raw['created_at'] as Date).toISOString(),
      updated_at: (raw['updated_at'] as Date).toISOString(),
      version: raw.version,
    };
  }

  async find(db: Pick<ReadPort, 'query'>, id: string): Promise<Raw | undefined> {
    return (await db.query<Raw>(this.sql.find, [id]))[0];
  }

  async lock(uow: UnitOfWork, id: string): Promise<Raw | undefined> {
    return (await uow.query<Raw>(this.sql.lock, [id]))[0];
  }

  async insert(uow: UnitOfWork, id: string, by: string | null, next: Values, computed: Values): Promise<void> {
    await uow.query(this.sql.insert, [
      id,
      by,
      ...this.columns.map((column) => toRow(column, next[column.name])),
      ...this.computed.map((name) => computed[name] ?? null),
    ]);
  }

  /**
   * Writes all columns: those that do not change as they were read, so that nothing is lost on the way through JSON.
   * @returns the new version
   */
  async update(
    uow: UnitOfWork,
    before: Raw,
    next: Values,
    changed: ReadonlySet<string>,
    computed: Values,
  ): Promise<number> {
    const values = this.columns.map((column) =>
      toRow(column, changed.has(column.name) ? next[column.name] : before[column.name]),
    );
    const [row] = await uow.query<{ version: number }>(this.sql.update, [
      before.id,
      ...values,
      ...this.computed.map((name) => computed[name] ?? null),
    ]);
    return row!.version;
  }

  async remove(uow: UnitOfWork, id: string): Promise<void> {
    await uow.query(this.sql.remove, [id]);
  }

  async page(
    db: ReadPort,
    params: ListParams,
    where: string[],
    bindings: Bindings,
    scope: string,
  ): Promise<PageResult<Row>> {
    const page = await db.readPage<Raw>({ spec: this.list, params, where, bindings, scope, columns: this.selected });
    return { ...page, items: page.items.map((raw) => this.view(raw)) };
  }
}
