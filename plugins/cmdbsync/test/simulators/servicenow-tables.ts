/** The records of the simulated instance: inheritance of tables, dictionary, display values, and what the system keeps of each record. */
import { createHash, randomBytes } from 'node:crypto';
import { select, type QueryTarget } from './servicenow-query.js';
import { CHOICES, TABLES, entriesOf, type Entry } from './servicenow-schema.js';

/** All values are texts; empty for none. */
export type Row = Record<string, string>;
export type Changes = Readonly<Record<string, unknown>>;

const NUMBERS = new Set(['integer', 'decimal']);

/** A sys_id that is always the same for a name. */
export const idOf = (name: string): string => createHash('md5').update(name).digest('hex');

export class Tables {
  /** By table at the top of a hierarchy, by sys_id. */
  private readonly roots = new Map<string, Map<string, Row>>();
  private readonly entries = new Map<string, Map<string, Entry>>();
  /** Milliseconds by which the clock of the instance is ahead. */
  clockAhead = 0;
  /** Called with a row before it is stored by a request; may change values. */
  rule: (table: string, row: Row) => void = () => undefined;

  constructor() {
    for (const [name, table] of Object.entries(TABLES)) {
      this.insert(
        'sys_db_object',
        { name, label: table.label, super_class: table.extends ? idOf(`sys_db_object ${table.extends}`) : '' },
        idOf(`sys_db_object ${name}`),
      );
      for (const entry of entriesOf(name)) this.insert('sys_dictionary', { ...entry });
    }
    this.readDictionary();
  }

  now(): string {
    return new Date(Date.now() + this.clockAhead).toISOString().slice(0, 19).replace('T', ' ');
  }

  isTable = (table: string): boolean => Object.hasOwn(TABLES, table);

  /** A table and those that it extends. */
  chain(table: string): string[] {
    const above = TABLES[table]?.extends;
    return [table, ...(above === undefined ? [] : this.chain(above))];
  }

  private root(table: string): Map<string, Row> {
    const name = this.chain(table).at(-1)!;
    let rows = this.roots.get(name);
    if (!rows) this.roots.set(name, (rows = new Map()));
    return rows;
  }

  /** The fields of a table by name, as the dictionary has them now. */
  fields(table: string): Map<string, Entry> {
    return this.entries.get(table)!;
  }

  /** Takes over changes of the dictionary, as after an upgrade of the instance. */
  readDictionary(): void {
    const rows = [...this.root('sys_dictionary').values()] as unknown as Entry[];
    for (const table of Object.keys(TABLES)) {
      const fields = new Map<string, Entry>();
      for (const name of this.chain(table).reverse())
        for (const row of rows) if (row.name === name) fields.set(row.element, row);
      this.entries.set(table, fields);
    }
  }

  /** Removes a field of a table, or changes its type. */
  alter(table: string, element: string, internal_type?: string): void {
    for (const row of this.root('sys_dictionary').values())
      if (row['name'] === table && row['element'] === element)
        if (internal_type === undefined) this.root('sys_dictionary').delete(row['sys_id']!);
        else row['internal_type'] = internal_type;
    this.readDictionary();
  }

  find(table: string, id: string): Row | undefined {
    const row = this.root(table).get(id);
    return row && this.isIn(table, row) ? row : undefined;
  }

  private isIn(table: string, row: Row): boolean {
    return row['sys_class_name'] === undefined || this.chain(row['sys_class_name']).includes(table);
  }

  /** The rows of a table and of those that extend it. */
  *rows(table: string): Iterable<Row> {
    for (const row of this.root(table).values()) if (this.isIn(table, row)) yield row;
  }

  select(table: string, query: string): Row[] {
    const target: QueryTarget<Row> = {
      valueOf: (row, path) => this.walk(table, row, path)?.value,
      isField: (path) => this.entryAt(table, path) !== undefined,
      isNumber: (path) => NUMBERS.has(this.entryAt(table, path)!.internal_type),
    };
    return select(this.rows(table), query, target);
  }

  private entryAt(table: string, path: string): Entry | undefined {
    const [head, ...rest] = path.split('.');
    const entry = this.fields(table).get(head!);
    if (!entry || rest.length === 0) return entry;
    return this.isTable(entry.reference) ? this.entryAt(entry.reference, rest.join('.')) : undefined;
  }

  /** The value at the end of a path through references. */
  walk(table: string, row: Row | undefined, path: string): { entry: Entry; value: string } | undefined {
    const dot = path.indexOf('.');
    if (dot < 0) {
      const entry = this.fields(table).get(path);
      return entry && { entry, value: row?.[path] ?? '' };
    }
    const entry = this.fields(table).get(path.slice(0, dot));
    if (!entry || !this.isTable(entry.reference)) return undefined;
    const id = row?.[entry.element] ?? '';
    return this.walk(entry.reference, this.root(entry.reference).get(id), path.slice(dot + 1));
  }

  /** What users see, in their time zone: eight hours behind UTC. */
  display({ internal_type, element, reference }: Entry, value: string): string {
    if (value === '') return '';
    if (internal_type === 'glide_date_time')
      return new Date(Date.parse(`${value.replace(' ', 'T')}Z`) - 28_800_000)
        .toISOString()
        .slice(0, 19)
        .replace('T', ' ');
    if (internal_type === 'reference' || internal_type === 'glide_list')
      return value
        .split(',')
        .map((id) => (this.isTable(reference) ? (this.root(reference).get(id)?.['name'] ?? '') : id))
        .join(', ');
    return CHOICES[element]?.[value] ?? value;
  }

  insert(table: string, values: Changes, sys_id: string = randomBytes(16).toString('hex')): Row {
    const now = this.now();
    const row: Row = { ...texts(values), sys_id, sys_created_on: now, sys_updated_on: now, sys_mod_count: '0' };
    if (this.chain(table).includes('cmdb')) row['sys_class_name'] = table;
    this.root(table).set(sys_id, row);
    return row;
  }

  /** Changes a record as a user of ServiceNow would. What is the same does not count as an update. */
  edit(table: string, id: string, changes: Changes): Row {
    const row = this.find(table, id)!;
    const differing = Object.entries(texts(changes)).filter(([key, value]) => (row[key] ?? '') !== value);
    if (differing.length === 0) return row;
    Object.assign(row, Object.fromEntries(differing), {
      sys_updated_on: this.now(),
      sys_mod_count: String(Number(row['sys_mod_count']) + 1),
    });
    return row;
  }

  remove(table: string, id: string): void {
    this.root(table).delete(id);
  }

  /** Adds departments and servers, each server with a department. @returns the ids of the servers */
  fill(servers: number, departments = 20): string[] {
    const of = Array.from({ length: departments }, (_, i) => {
      const parent = i === 0 ? '' : idOf(`department ${Math.floor((i - 1) / 4)}`);
      return this.insert('cmn_department', { name: `Department ${i}`, id: `D${i}`, parent }, idOf(`department ${i}`));
    });
    return Array.from({ length: servers }, (_, i) => {
      const values = {
        name: `srv-${String(i).padStart(6, '0')}`,
        short_description: `Server ${i}`,
        serial_number: `SN${i}`,
        os_version: `${i % 9}.${i % 4}`,
        ram: 1_024 * (1 + (i % 64)),
        operational_status: i % 7 === 0 ? 2 : 1,
        monitor: i % 2 === 0,
        install_date: '2024-03-31 23:30:00',
        department: of[i % departments]!['sys_id'],
      };
      return this.insert(i % 3 === 0 ? 'cmdb_ci_linux_server' : 'cmdb_ci_server', values, idOf(`server ${i}`))[
        'sys_id'
      ]!;
    });
  }
}

const texts = (values: Changes): Row =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, String((value ?? '') as string | number)]));
