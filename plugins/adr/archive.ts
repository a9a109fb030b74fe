import { promisify } from 'node:util';
import { crc32, inflateRaw } from 'node:zlib';
import { TimeSlice } from '@lintel/sdk';

const inflated = promisify(inflateRaw);

/** Limits of an archive. */
interface ArchiveLimits {
  entries: number;
  /** Maximum inflated size of one file. */
  entryBytes: number;
  /** Maximum inflated size of all files. */
  bytes: number;
}

/** A file of an archive, or the reason why it was not read. */
export type ArchiveEntry = { path: string } & ({ bytes: Buffer } | { fault: string });

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
const MOST_COMMENT = 65_535;
/** Maximum compression ratio after the first bytes; text does not compress better. */
const MOST_RATIO = 200;
const RATIO_FROM = 65_536;

/** Whether the bytes begin like a ZIP archive, possibly an empty one. */
export const isArchive = (bytes: Buffer): boolean => bytes.length >= 22 && [LOCAL, END].includes(bytes.readUInt32LE(0));

/** Offset of the end-of-directory record, searched from the end of the file. */
function endOf(zip: Buffer): number {
  for (let at = zip.length - 22; at >= Math.max(0, zip.length - 22 - MOST_COMMENT); at--) {
    if (zip.readUInt32LE(at) === END && at + 22 + zip.readUInt16LE(at + 20) <= zip.length) return at;
  }
  return -1;
}

/** A path that stays within the target folder; undefined for any other. */
export function safePath(path: string): string | undefined {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  if (
    path.startsWith('/') ||
    path.includes('\\') ||
    /^[A-Za-z]:/.test(path) ||
    /\p{Cc}/u.test(path) ||
    !path.isWellFormed() ||
    parts.includes('..')
  )
    return undefined;
  return parts.length === 0 || path.length > 255 ? undefined : parts.join('/');
}

/**
 * Reads a ZIP archive by its central directory. Files are inflated only up to the size stated in the directory, which
 * is bounded, so that an archive cannot use more memory than the limits allow.
 * @returns the files; undefined where it is not an archive; `exceeds` where it exceeds a limit
 */
export async function readArchive(zip: Buffer, limits: ArchiveLimits): Promise<ArchiveEntry[] | 'exceeds' | undefined> {
  try {
    return await entriesOf(zip, limits);
  } catch (error) {
    // An offset outside the file means that the directory is corrupt.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

async function entriesOf(
  zip: Buffer,
  { entries: most, entryBytes, bytes }: ArchiveLimits,
): Promise<ArchiveEntry[] | 'exceeds' | undefined> {
  const slice = new TimeSlice();
  const end = endOf(zip);
  if (end === -1) return undefined;
  const count = zip.readUInt16LE(end + 10);
  if (count > most) return 'exceeds';
  const entries: ArchiveEntry[] = [];
  let left = bytes;
  for (let i = 0, at = zip.readUInt32LE(end + 16); i < count; i++) {
    if (zip.readUInt32LE(at) !== ENTRY) return undefined;
    const [nameLength, extraLength, commentLength] = [
      zip.readUInt16LE(at + 28),
      zip.readUInt16LE(at + 30),
      zip.readUInt16LE(at + 32),
    ];
    const name = zip.subarray(at + 46, at + 46 + nameLength).toString('utf8');
    const size = zip.readUInt32LE(at + 24);
    if (!name.endsWith('/')) {
      if (size <= entryBytes) left -= size;
      if (left < 0) return 'exceeds';
      const path = safePath(name);
      const shown = name
        .toWellFormed()
        .replace(/\p{Cc}/gu, ' ')
        .slice(0, 255)
        .toWellFormed();
      entries.push(
        path === undefined
          ? { path: shown, fault: 'has a path that leads out of the archive' }
          : size > entryBytes
            ? { path, fault: `has more than ${entryBytes} bytes` }
            : { path, ...(await contentOf(zip, at, size)) },
      );
    }
    at += 46 + nameLength + extraLength + commentLength;
    if (slice.isOver) await slice.next();
  }
  return entries;
}

async function contentOf(zip: Buffer, at: number, size: number): Promise<{ bytes: Buffer } | { fault: string }> {
  if ((zip.readUInt16LE(at + 8) & 1) === 1) return { fault: 'is encrypted' };
  const [method, crc, packed, local] = [
    zip.readUInt16LE(at + 10),
    zip.readUInt32LE(at + 16),
    zip.readUInt32LE(at + 20),
    zip.readUInt32LE(at + 42),
  ];
  if (zip.readUInt32LE(local) !== LOCAL) return { fault: 'is damaged' };
  const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  const raw = zip.subarray(start, start + packed);
  if (size > RATIO_FROM + packed * MOST_RATIO) return { fault: 'has a compression ratio that text does not have' };
  if (method !== 0 && method !== 8) return { fault: 'has an unsupported compression method' };
  try {
    const bytes = method === 0 ? raw : await inflated(raw, { maxOutputLength: Math.max(1, size) });
    return bytes.length === size && crc32(bytes) === crc ? { bytes } : { fault: 'is damaged' };
  } catch {
    return { fault: 'is damaged' };
  }
}
