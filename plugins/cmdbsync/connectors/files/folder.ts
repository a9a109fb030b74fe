import { createHash } from 'node:crypto';
import { constants, type BigIntStats, type Dirent } from 'node:fs';
import { open, readdir, realpath, stat, type FileHandle } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { ConnectorError } from '@lintel/sdk';

/** Entries of a folder; more are an error. */
const MOST_ENTRIES = 20_000;
const KIND = /^(.+)\.(csv|ndjson|jsonl)$/i;
const LONGEST_KEY = 200;

/** An open file; close it. */
export interface OpenFile {
  handle: FileHandle;
  /** Names below the folder, for cursors and messages. */
  path: string[];
  kind: 'csv' | 'ndjson';
  size: number;
  /** Changes with every change of the file or of its content. */
  mark: string;
}

const failed = (text: string): ConnectorError => new ConnectorError('unreachable', text);
const isShown = (name: string): boolean => !/^[.~]/.test(name) && !name.includes('\0');

/** The folder of a connection: nothing outside of it is read, also not by links. */
export class DropFolder {
  private readonly segments: string[];

  /** @throws ConnectorError `invalid_settings` if there is no IMPORT_DIR, or the folder leads out of it */
  constructor(
    private readonly importDir: string | undefined,
    folder: string,
    private readonly settleMs: number,
  ) {
    this.segments = folder.split('/').filter((name) => name !== '' && name !== '.');
    if (folder.startsWith('/') || this.segments.includes('..') || /[\\\0]/.test(folder))
      throw new ConnectorError('invalid_settings', 'The folder has to be below IMPORT_DIR.');
  }

  /**
   * The tables, with the files of each by their paths: a file is a table, and so is a folder with files.
   * @throws ConnectorError if the folder cannot be read
   */
  async tables(): Promise<Map<string, string[][]>> {
    const tables = new Map<string, string[][]>();
    for (const entry of await this.entries([])) {
      const key = entry.isDirectory() ? entry.name : KIND.exec(entry.name)?.[1];
      if (key === undefined || key.length > LONGEST_KEY || !(entry.isDirectory() || entry.isFile())) continue;
      tables.set(key, [...(tables.get(key) ?? []), [entry.name]]);
    }
    return tables;
  }

  /**
   * Opens the file of a table: the newest one that is complete.
   * @throws ConnectorError `not_found` for an unknown table; `unreachable` if it has no complete file
   */
  async open(table: string): Promise<OpenFile> {
    const sources = (await this.tables()).get(table);
    if (!sources) throw new ConnectorError('not_found', 'There is no such file or folder.');
    if (sources.length > 1) throw failed(`There is more than one file or folder for the table ${table}.`);
    const [source] = sources;
    if (KIND.test(source![0]!)) return await this.settled(await this.at(source!));
    const inside = (await this.entries(source!)).filter((entry) => entry.isFile() && KIND.test(entry.name));
    const found: { path: string[]; info: BigIntStats }[] = [];
    for (const { name } of inside) {
      const path = [...source!, name];
      const info = await stat(await this.real(path), { bigint: true }).catch(() => undefined);
      // A file may have been removed since.
      if (info) found.push({ path, info });
    }
    found.sort((a, b) =>
      a.info.mtimeNs === b.info.mtimeNs ? (a.path[1]! < b.path[1]! ? 1 : -1) : a.info.mtimeNs < b.info.mtimeNs ? 1 : -1,
    );
    const newest = found.find(({ info }) => this.isSettled(info));
    if (!newest) throw failed(`The folder ${table} has no complete file.`);
    return await this.settled(await this.at(newest.path));
  }

  /**
   * Opens a file by its path.
   * @throws ConnectorError if it is no file of the folder
   */
  async at(path: readonly string[]): Promise<OpenFile> {
    const name = path.join('/');
    const kind = KIND.exec(path.at(-1) ?? '')?.[2]?.toLowerCase();
    if (
      path.length === 0 ||
      path.length > 2 ||
      kind === undefined ||
      path.some((part) => part === '..' || part.includes(sep))
    )
      throw failed('The position of the read names no file of the folder.');
    const real = await this.real(path);
    // Neither a link nor a pipe, which would wait for a writer.
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    const handle = await open(real, flags).catch((error: NodeJS.ErrnoException) => {
      throw failed(`The file ${name} cannot be read (${error.code ?? 'error'}).`);
    });
    try {
      const [opened, there] = [
        await handle.stat({ bigint: true }),
        await stat(await this.real(path), { bigint: true }),
      ];
      if (!opened.isFile()) throw failed(`${name} is no file.`);
      // A folder of the path may have been replaced by a link after the check.
      if (opened.ino !== there.ino || opened.dev !== there.dev) throw failed(`The file ${name} was replaced.`);
      return {
        handle,
        path: [...path],
        kind: kind === 'csv' ? 'csv' : 'ndjson',
        size: Number(opened.size),
        mark: markOf(opened),
      };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  private async settled(file: OpenFile): Promise<OpenFile> {
    try {
      const info = await file.handle.stat({ bigint: true });
      if (this.isSettled(info)) return file;
      throw failed(
        `The file ${file.path.join('/')} was changed less than ${this.settleMs / 1_000} s ago: it may still be written.`,
      );
    } catch (error) {
      await file.handle.close();
      throw error;
    }
  }

  /** The time of a change of the file's state cannot be set, other than that of its content. */
  private isSettled({ mtimeMs, ctimeMs }: BigIntStats): boolean {
    return Date.now() - Number(mtimeMs > ctimeMs ? mtimeMs : ctimeMs) >= this.settleMs;
  }

  private async entries(path: readonly string[]): Promise<Dirent[]> {
    const found = await readdir(await this.real(path), { withFileTypes: true }).catch(
      (error: NodeJS.ErrnoException) => {
        throw failed(`The folder ${path.join('/')} cannot be read (${error.code ?? 'error'}).`);
      },
    );
    if (found.length > MOST_ENTRIES) throw failed(`The folder has more than ${MOST_ENTRIES} files.`);
    return found.filter(({ name }) => isShown(name)).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** The absolute path of something in the folder. @throws ConnectorError if a part of it is a link, or it does not exist */
  private async real(path: readonly string[]): Promise<string> {
    if (this.importDir === undefined)
      throw new ConnectorError('invalid_settings', 'The operator has not set IMPORT_DIR.');
    try {
      const expected = join(await realpath(this.importDir), ...this.segments, ...path);
      if ((await realpath(expected)) === expected) return expected;
    } catch (error) {
      // Paths of the server are not shown.
      throw failed(
        `${[...this.segments, ...path].join('/') || 'IMPORT_DIR'} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'error'}).`,
      );
    }
    throw failed(`${[...this.segments, ...path].join('/')} is a link.`);
  }
}

/** Every write changes the time of the state (`ctime`), and every replacement the number of the file. */
export const markOf = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string =>
  createHash('sha256').update([dev, ino, size, mtimeNs, ctimeNs].join(' ')).digest('base64url').slice(0, 22);
