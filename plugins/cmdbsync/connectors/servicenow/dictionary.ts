import { ConnectorError, type ConnectorField, type ConnectorTable } from '@lintel/sdk';
import { listOf, objectOf } from '../http.js';
import type { Client } from './client.js';
import type { Pages } from './paging.js';
import { filterOf, isSysId } from './query.js';
import { DISPLAY, textOf, typeOf } from './values.js';

/** A field of a table, of its own or of a table that it extends. */
export interface Field extends ConnectorField {
  hasChoices: boolean;
}
export type Fields = ReadonlyMap<string, Field>;

const TABLE = /^[a-z][a-z0-9_]{0,79}$/;
const SUPER = 'super_class';
/** Ancestors that one request tells, by the path of references. */
const ANCESTORS = [1, 2, 3, 4].map((n) => `${Array(n).fill(SUPER).join('.')}.name`);
const MOST_LEVELS = 50;
const MOST_TABLES = 20_000;
const MOST_FIELDS = 5_000;
/** Longest path through references. */
const MOST_STEPS = 5;

const text = (row: Readonly<Record<string, unknown>>, key: string): string => textOf(row[key]) ?? '';

/** The tables of an instance (`sys_db_object`) and their fields (`sys_dictionary`), each read once for an open connection. */
export class Dictionary {
  private readonly known = new Map<string, Promise<Fields>>();

  constructor(
    private readonly client: Client,
    private readonly pages: Pages,
  ) {}

  /** All tables, by name. */
  async tables(): Promise<ConnectorTable[]> {
    const rows = await this.all('sys_db_object', undefined, ['name', 'label'], MOST_TABLES);
    return rows
      .map((row) => ({ key: text(row, 'name'), label: text(row, 'label') || text(row, 'name') }))
      .filter(({ key }) => TABLE.test(key))
      .sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  /**
   * The fields of a table, also of those that it extends.
   * @throws ConnectorError `not_found` for an unknown table, `forbidden` where the account may not read the dictionary
   */
  async fields(table: string): Promise<Fields> {
    let fields = this.known.get(table);
    if (!fields) {
      fields = this.read(table);
      // What failed once may succeed the next time.
      fields.catch(() => this.known.delete(table));
      this.known.set(table, fields);
    }
    return await fields;
  }

  /**
   * The field at the end of a path through references, such as `department.name`.
   * @returns undefined if there is none
   */
  async field(table: string, path: string): Promise<Field | undefined> {
    const steps = path.split('.');
    let at: string | undefined = table;
    for (const [i, step] of steps.entries()) {
      if (at === undefined || i >= MOST_STEPS) return undefined;
      const field: Field | undefined = (await this.fields(at)).get(step);
      if (!field || i === steps.length - 1) return field;
      at = field.type === 'reference' ? field.table : undefined;
    }
    return undefined;
  }

  private async read(table: string): Promise<Fields> {
    const chain = await this.chainOf(table);
    const filter = `nameIN${chain.join(',')}^elementISNOTEMPTY^active=true`;
    const columns = ['name', 'element', 'column_label', 'internal_type', 'reference', 'read_only', 'choice'];
    const rows = await this.all('sys_dictionary', filter, columns, MOST_FIELDS);
    const fields = new Map<string, Field>();
    // Of a field that a table changes, the entry of the table itself counts.
    const level = (row: Record<string, unknown>): number => chain.indexOf(text(row, 'name'));
    for (const row of rows.sort((a, b) => level(b) - level(a))) {
      const key = text(row, 'element');
      const type = typeOf(text(row, 'internal_type'));
      const reference = text(row, 'reference');
      fields.set(key, {
        key,
        label: text(row, 'column_label') || key,
        type,
        ...((type === 'reference' || type === 'references') && TABLE.test(reference) && { table: reference }),
        // Fields of the system are set by it.
        isWritable: text(row, 'read_only') !== 'true' && !key.startsWith('sys_'),
        hasChoices: !['', '0'].includes(text(row, 'choice')),
      });
    }
    if (!fields.has('sys_id'))
      throw new ConnectorError('forbidden', `The account may not read the fields of ${table} in sys_dictionary.`);
    return fields;
  }

  /** The rows of a table of the system that the account may see. */
  private async all(table: string, filter: string | undefined, fields: string[], most: number) {
    const selection = { table, filter: filterOf(filter), conditions: [], fields };
    return await this.pages.all({ ...selection, withDisplayValues: false, allowHidden: true, isDated: false }, most);
  }

  /** A table and those that it extends, the table itself first. */
  private async chainOf(table: string): Promise<string[]> {
    const chain: string[] = [];
    for (let at: string | undefined = table; at !== undefined && chain.length < MOST_LEVELS; ) {
      if (!TABLE.test(at)) throw new ConnectorError('not_found', `ServiceNow has no table ${at.slice(0, 80)}.`);
      const { result } = await this.client.request('sys_db_object', {
        sysparm_query: `name=${at}`,
        sysparm_fields: ['name', ...ANCESTORS].join(','),
        sysparm_exclude_reference_link: 'true',
        sysparm_limit: '1',
      });
      const row = listOf(result).map(objectOf)[0];
      if (!row || text(row, 'name') !== at)
        throw new ConnectorError(
          'not_found',
          `ServiceNow has no table ${at}, or the account may not see it in sys_db_object.`,
        );
      const names = ['name', ...ANCESTORS].map((key) => text(row, key));
      const end = names.indexOf('');
      const found = end < 0 ? names : names.slice(0, end);
      chain.push(...found.filter((name) => TABLE.test(name) && !chain.includes(name)));
      // The last one that was told may extend another one.
      at = end < 0 && found.at(-1) !== at ? found.at(-1) : undefined;
    }
    return chain;
  }
}

/** The fields of a table for users, with the display values of references and choices. */
export function shownFields(fields: Fields): ConnectorField[] {
  return [...fields.values()]
    .flatMap(({ hasChoices, ...field }): ConnectorField[] => {
      const { key, label, type } = field;
      if (!hasChoices && type !== 'reference' && type !== 'references') return [field];
      return [field, { key: `${key}${DISPLAY}`, label: `${label} (display value)`, type: 'text', isWritable: false }];
    })
    .sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** Whether a text may be a table; others are not sent. */
export const isTable = (name: string): boolean => TABLE.test(name) && isSysId(name);
