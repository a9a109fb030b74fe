import { posix } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { crc32, deflateRaw } from 'node:zlib';
import { TimeSlice, type BytesResult, type ModuleServices, type RequestContext } from '@lintel/sdk';
import type { ZipInputFile } from 'fflate';
import { findExport, findExported, readExported, type ExportRow, type Named } from './export-repository.js';
import { mergeRecord, newRecord } from './madr/merge.js';
import type { AdrFilters } from './schemas.js';
import type { Settings } from './settings.js';
import { filtersFor } from './caller-filters.js';
import { digitsOf, numberOf } from './text.js';

/** Number of decisions whose sizes are read together. */
const CHUNK = 50;
const deflated = promisify(deflateRaw);
const DEFLATE = 8;

type Place = Pick<ExportRow, 'number' | 'title' | 'source' | 'source_path'>;

/** The path of a decision's file: the imported one, or one with its number. */
function pathOf({ number, title, source, source_path }: Place): string {
  if (source_path !== null)
    return source ? `${source.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^\.+/, '')}/${source_path}` : source_path;
  const slug = title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 80)
    .toWellFormed();
  return `${digitsOf(number)}-${slug || 'decision'}.md`;
}

/** Exports architecture decisions as Markdown in MADR format. */
export class AdrExportService {
  constructor(private readonly host: ModuleServices<Settings>) {}

  /** One decision with the data for its ETag. @throws not_found */
  async markdown(id: string): Promise<BytesResult & { name: string }> {
    const row = await findExport(this.host.db, id);
    if (!row) throw this.host.problem('not_found');
    return {
      name: posix.basename(pathOf(row)),
      version: row.version,
      derived: [row.related, row.superseded_by, this.host.settings().number_prefix],
      type: 'text/markdown; charset=utf-8',
      bytes: Buffer.from(this.render(row)),
    };
  }

  /** All matching decisions as a ZIP archive, created while it is read. */
  async archive(ctx: RequestContext, query: AdrFilters): Promise<Readable> {
    const found = await findExported(this.host.db, await filtersFor(this.host, ctx, query));
    return Readable.from(this.zipped(found), { objectMode: false });
  }

  private async *zipped(found: readonly (Place & { id: string })[]): AsyncGenerator<Uint8Array> {
    const { Zip } = await import('fflate');
    let ready: Uint8Array[] = [];
    const zip = new Zip((error, bytes) => {
      if (error) throw error;
      ready.push(bytes);
    });
    const taken = new Set<string>();
    const slice = new TimeSlice();
    for (let i = 0; i < found.length; i += CHUNK) {
      const ids = found.slice(i, i + CHUNK).map(({ id }) => id);
      for await (const row of readExported(this.host.db, ids)) {
        const text = Buffer.from(this.render(row));
        // Compressed by zlib outside of the event loop, which fflate would do inside of it.
        const file: ZipInputFile = {
          filename: free(pathOf(row), taken),
          mtime: row.signed_at ?? row.created_at,
          compression: DEFLATE,
          size: text.length,
          crc: crc32(text),
        };
        zip.add(file);
        file.ondata!(null, new Uint8Array(await deflated(text)), true);
        yield* ready;
        ready = [];
        if (slice.isOver) await slice.next();
      }
    }
    zip.end();
    yield* ready;
  }

  private render(row: ExportRow): string {
    const own = posix.dirname(pathOf(row));
    const link = (other: Named): string =>
      `[${numberOf(this.host, other.number)}](${encodeURI(posix.relative(own, pathOf(other)))})`;
    const words = { supersedes: 'Supersedes', relates_to: 'Relates to' };
    const links = row.related.map((other) => `${words[other.type]} ${link(other)}`);
    const status =
      row.status === 'signed'
        ? 'accepted'
        : row.status !== 'superseded'
          ? 'proposed'
          : row.superseded_by[0]
            ? `superseded by ${link(row.superseded_by[0])}`
            : 'superseded';
    if (row.source_markdown !== null)
      return mergeRecord(row.source_markdown, row.source_path ?? '', row, {
        links,
        reader: row.source_reader,
        ...(row.status !== row.source_life && { status }),
      });
    return newRecord(row, { status, links }, (row.signed_at ?? row.created_at).toISOString().slice(0, 10));
  }
}

/** A path that no other file has, ignoring case. */
function free(path: string, taken: Set<string>): string {
  const { dir, name, ext } = posix.parse(path);
  for (let n = 1; ; n++) {
    const next = n === 1 ? path : posix.join(dir, `${name}-${n}${ext}`);
    if (taken.has(next.toLowerCase())) continue;
    taken.add(next.toLowerCase());
    return next;
  }
}
