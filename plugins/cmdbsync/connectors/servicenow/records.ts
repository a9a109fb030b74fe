import { ConnectorError, type ConnectorFieldType, type ConnectorRecord } from '@lintel/sdk';
import type { Dictionary } from './dictionary.js';
import { sysIdOf } from './query.js';
import { DISPLAY, decoded, textOf } from './values.js';

/** A value of a record that is read. */
interface Column {
  key: string;
  /** The name in the response. */
  name: string;
  part: 'value' | 'display_value';
  type: ConnectorFieldType;
}

/** Makes records of rows, by the types of their fields. */
export class Reader {
  private constructor(private readonly wanted: readonly Column[]) {}

  /**
   * For some fields. A key may be a path through references (`department.name`) and end in `.display_value`.
   * @throws ConnectorError `invalid_settings` for a field that the table does not have
   */
  static async of(dictionary: Dictionary, table: string, keys: readonly string[]): Promise<Reader> {
    const columns: Column[] = [];
    for (const key of keys) {
      const isDisplay = key.endsWith(DISPLAY);
      const name = isDisplay ? key.slice(0, -DISPLAY.length) : key;
      const field = await dictionary.field(table, name);
      if (field) columns.push({ key, name, ...(isDisplay ? SHOWN : { part: 'value', type: field.type }) });
      // A template may name the id of the record, which is beside its values.
      else if (key !== 'id')
        throw new ConnectorError(
          'invalid_settings',
          `The table ${table} has no field ${key.slice(0, 100)}, or the account may not see it in sys_dictionary.`,
        );
    }
    return new Reader(columns);
  }

  /** For all fields and their display values. */
  static async ofAll(dictionary: Dictionary, table: string): Promise<Reader> {
    const fields = await dictionary.fields(table);
    return new Reader(
      [...fields.values()].flatMap(({ key, type }): Column[] => [
        { key, name: key, part: 'value', type },
        { key: `${key}${DISPLAY}`, name: key, ...SHOWN },
      ]),
    );
  }

  /** Names of the fields to ask for, each once. */
  get columns(): string[] {
    return [...new Set(this.wanted.map(({ name }) => name))];
  }

  /** Whether display values are needed: ServiceNow may have to read other records for each of them. */
  get withDisplayValues(): boolean {
    return this.wanted.some(({ part }) => part === 'display_value');
  }

  /** A record without the fields that access rules hide. @throws ConnectorError `invalid_answer` */
  record(row: Readonly<Record<string, unknown>>): ConnectorRecord {
    const values: Record<string, unknown> = {};
    for (const { key, name, part, type } of this.wanted) {
      const value = textOf(row[name], part);
      if (value !== undefined) values[key] = decoded(value, type);
    }
    return { id: sysIdOf(textOf(row['sys_id'])), values };
  }
}

const SHOWN: Pick<Column, 'part' | 'type'> = { part: 'display_value', type: 'text' };
