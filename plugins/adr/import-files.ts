import { createHash } from 'node:crypto';
import { TimeSlice, type UploadedFile } from '@lintel/sdk';
import { isArchive, readArchive, safePath, type ArchiveEntry } from './archive.js';
import { parseRecord, type Parsed } from './madr/parse.js';

const ENTRY_BYTES = 1024 * 1024;
const ARCHIVE = { entries: 2_000, entryBytes: ENTRY_BYTES, bytes: 32 * 1024 * 1024 };
/** Files that are not records. */
const BESIDE =
  /(^|\/)(readme|index|changelog|contributing|((adr|madr|decision|nygard|\d{1,6})[-_])?template([-_](bare|minimal|bare-minimal|short|long|full))?)\.(md|markdown)$/i;
/** Files that operating systems and version control add to archives. */
const HIDDEN = /(^|\/)(__MACOSX\/|\.(?!\.?\/))/;
/** Maximum number of lines, which bounds the time for one file. */
const MOST_LINES = 20_000;

const FEED = 10;

/** A record read from a file. */
export interface FileRecord {
  path: string;
  sha256: string;
  markdown: string;
  parsed: Parsed;
}
export type ReadFile = { path: string } & ({ record: FileRecord } | { outcome: 'skipped' | 'failed'; reason: string });

/** The text of a file: UTF-8 that the database can store. */
function textOf(bytes: Buffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

/** The number of line feeds. */
function linesIn(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(FEED); at !== -1; at = bytes.indexOf(FEED, at + 1)) count++;
  return count;
}

function read(path: string, bytes: Buffer): ReadFile {
  if (!/\.(md|markdown)$/i.test(path)) return { path, outcome: 'skipped', reason: 'is no Markdown file' };
  if (BESIDE.test(path) || HIDDEN.test(path)) return { path, outcome: 'skipped', reason: 'is no record by its name' };
  if (bytes.length > ENTRY_BYTES) return { path, outcome: 'failed', reason: `has more than ${ENTRY_BYTES} bytes` };
  const markdown = textOf(bytes);
  if (markdown === undefined) return { path, outcome: 'failed', reason: 'is not UTF-8 text' };
  if (linesIn(bytes) > MOST_LINES) return { path, outcome: 'failed', reason: `has more than ${MOST_LINES} lines` };
  if (markdown.replace('\uFEFF', '').trim() === '') return { path, outcome: 'failed', reason: 'is empty' };
  return {
    path,
    record: {
      path,
      markdown,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      parsed: parseRecord(markdown, path),
    },
  };
}

async function entriesOf({ name, bytes }: UploadedFile): Promise<ArchiveEntry[]> {
  if (!isArchive(bytes)) return [{ path: safePath(name) ?? 'unnamed', bytes }];
  const entries = await readArchive(bytes, ARCHIVE);
  if (entries === 'exceeds')
    return [{ path: name, fault: `is an archive of more than ${ARCHIVE.entries} files or ${ARCHIVE.bytes} bytes` }];
  return entries ?? [{ path: name, fault: 'is an archive that cannot be read' }];
}

/**
 * Reads the records in the files of a form, including those in archives.
 * @returns the records, ordered by path
 */
export async function readFiles(files: readonly UploadedFile[]): Promise<ReadFile[]> {
  const found: ReadFile[] = [];
  const slice = new TimeSlice();
  let left = ARCHIVE.bytes;
  for (const file of files) {
    for (const entry of await entriesOf(file)) {
      if ('fault' in entry)
        found.push({ path: entry.path, outcome: HIDDEN.test(entry.path) ? 'skipped' : 'failed', reason: entry.fault });
      else if ((left -= entry.bytes.length) < 0)
        found.push({
          path: entry.path,
          outcome: 'failed',
          reason: `exceeds the ${ARCHIVE.bytes} bytes that one import may have`,
        });
      else found.push(read(entry.path, entry.bytes));
      if (slice.isOver) await slice.next();
    }
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}
