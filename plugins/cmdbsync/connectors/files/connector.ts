import {
  ConnectorError,
  type Connector,
  type ConnectorConnection,
  type ConnectorField,
  type ConnectorPage,
  type ConnectorRead,
} from '@lintel/sdk';
import { fieldsOfSample } from '../sample.js';
import { DropFolder, type OpenFile } from './folder.js';
import type { Position } from './rows.js';
import { formatOf, type FileSettings } from './settings.js';
import { changed, checkTable, demandUnchanged, firstRows, tableOf } from './table.js';

/** Rows that tell the fields of a table. */
const SAMPLE = 100;

/** Opens a connection to the files of a folder. Every read is complete: files have no marks of changes. */
export function openFiles(connection: ConnectorConnection): Connector {
  return new Files(connection, connection.config as unknown as FileSettings);
}

class Files implements Connector {
  constructor(
    private readonly connection: ConnectorConnection,
    private readonly settings: FileSettings,
  ) {}

  async test(): Promise<{ detail: string }> {
    const count = (await this.tables()).length;
    return { detail: `The folder has ${count} tables.` };
  }

  async tables(): Promise<{ key: string; label: string }[]> {
    this.connection.signal.throwIfAborted();
    return [...(await this.folder().tables()).keys()].map((key) => ({ key, label: key }));
  }

  async fields(table: string): Promise<ConnectorField[]> {
    return await this.with(await this.folder().open(table), async (file) => {
      const content = await this.open(table, file);
      if (content.columns) return content.columns.map((key) => ({ key, label: key, type: 'text', isWritable: false }));
      const sample = (await firstRows(file, content, undefined, SAMPLE)).map(({ values }) => values);
      return fieldsOfSample(sample, () => false);
    });
  }

  async read({ table, filter, cursor, limit }: ConnectorRead): Promise<ConnectorPage> {
    this.connection.signal.throwIfAborted();
    if (filter) throw new ConnectorError('invalid_settings', 'Files have no filters.');
    const position = cursor === undefined ? undefined : positionOf(cursor, table);
    const folder = this.folder();
    return await this.with(position ? await folder.at(position.path) : await folder.open(table), async (file) => {
      if (position && position.mark !== file.mark) throw changed(file.path);
      const content = await this.open(table, file);
      const total = position ? undefined : await checkTable(file, content);
      const rows = await firstRows(file, content, position?.from, limit + 1);
      await demandUnchanged(file);
      const page = rows.slice(0, limit);
      const next = rows.length > limit ? page.at(-1)?.end : undefined;
      return {
        records: page.map(({ id, values }) => ({ id, values })),
        ...(next && { next: JSON.stringify([table, file.path, file.mark, next.byte, next.line]) }),
        ...(total !== undefined && { total }),
      };
    });
  }

  private folder(): DropFolder {
    const { folder, settle_seconds } = this.settings;
    return new DropFolder(this.connection.importDir, folder, settle_seconds * 1_000);
  }

  private async open(table: string, file: OpenFile) {
    return await tableOf(file, formatOf(this.settings, table), this.connection.signal);
  }

  private async with<T>(file: OpenFile, work: (file: OpenFile) => Promise<T>): Promise<T> {
    try {
      return await work(file);
    } finally {
      await file.handle.close();
    }
  }
}

interface FilePosition {
  path: string[];
  mark: string;
  from: Position;
}

/** @throws ConnectorError for a position of another connector or table */
function positionOf(cursor: string, table: string): FilePosition {
  let parsed: unknown;
  try {
    parsed = JSON.parse(cursor);
  } catch {
    // Not a position of this connector.
  }
  const [of, path, mark, byte, line] = Array.isArray(parsed) ? (parsed as unknown[]) : [];
  if (
    of !== table ||
    !Array.isArray(path) ||
    !path.every((name) => typeof name === 'string') ||
    typeof mark !== 'string' ||
    !Number.isSafeInteger(byte) ||
    !Number.isSafeInteger(line)
  )
    throw new ConnectorError('invalid_settings', 'The settings of the connection have changed during the read.');
  return { path, mark, from: { byte: byte as number, line: line as number } };
}
