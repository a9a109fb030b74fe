import type { BytesResult, DocumentLifecycleService, JobRun, RequestContext } from '@lintel/sdk';
import { laterProblem } from '@lintel/sdk/drawing';
import { numberOf, type Host } from '../basics.js';
import { findState, type DocumentState } from '../documents/repository.js';
import type { RenderedDocument } from '../rendering/model.js';
import { Renderings, WorkerQueueError, type RenditionKind } from '../rendering/renderings.js';
import type { Settings } from '../settings.js';
import type { Shown } from '../tables/model.js';
import { extentOf, readable, readerOf, wholeReader, type Extent, type ReadableTable } from '../tables/reader.js';
import { showNow } from '../tables/shown.js';
import { typedTables } from '../tables/typed.js';
import { documentOf } from './document.js';
import { findLogo } from './logo-repository.js';
import { currentLogo, sha256 } from './logo.js';
import { addRenditions, findRendition, type Rendition } from './repository.js';

const KINDS: readonly RenditionKind[] = ['docx', 'md', 'html'];
export const TYPES: Record<RenditionKind, string> = {
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  md: 'text/markdown; charset=utf-8',
  html: 'text/html; charset=utf-8',
};
const MAX_BYTES = 64 * 2 ** 20;
/** Hours after which a stored file is deleted if the transaction that refers to it does not commit. */
const ARRIVING_HOURS = 24;

/** The live tables of a document for one reader. */
export interface DocumentTables {
  state: DocumentState;
  shown: Shown;
  tables: ReadableTable[];
  extent: Extent;
}

/** The live tables of documents, and the files made from them. */
export class DocumentFiles {
  private renderings: Renderings | undefined;

  constructor(
    private readonly host: Host,
    private readonly lifecycle: DocumentLifecycleService<Settings>,
  ) {}

  /** Ends what is rendered; a later file begins anew. */
  async close(): Promise<void> {
    const ended = this.renderings;
    this.renderings = undefined;
    await ended?.close();
  }

  /** The tables of a document as the reader may see them: of a draft the current ones, otherwise the frozen ones. @throws not_found */
  async tables(ctx: RequestContext, id: string): Promise<DocumentTables> {
    const state = await this.find(id);
    const shown = state.frozen ?? (await showNow(this.host, ctx, state.sections));
    const reader = await readerOf(this.host, ctx, shown.tables, state.frozen === null);
    const typed = typedTables(state.sections, shown.tables);
    const tables = typed.map((table) => readable(table, shown, reader));
    return { state, shown, tables, extent: extentOf(typed, reader) };
  }

  /** A document as a file, as the reader may see it. @throws not_found, rate_limited, unavailable */
  async file(ctx: RequestContext, id: string, kind: RenditionKind): Promise<BytesResult & { name: string }> {
    const { state, shown, extent, tables } = await this.tables(ctx, id);
    const name = `${numberOf(state.serial)}-${state.revision}.${kind}`;
    const result = { name, version: state.version, type: TYPES[kind] };
    const { is_partial, costs } = extent;
    if (state.signed_at && !is_partial && costs !== 'some') {
      const stored = await findRendition(this.host.db, id, kind, costs === 'none');
      if (stored) return { ...result, derived: stored.sha256, bytes: () => this.bytesOf(stored.file_id) };
    }
    const document = await this.documentOf(state, shown, tables, is_partial || costs !== 'all');
    const { logo, ...rest } = document;
    return {
      ...result,
      derived: [kind, sha256(JSON.stringify(rest)), logo && sha256(logo.bytes)],
      bytes: () => this.render(ctx, kind, document),
    };
  }

  /** Stores the files of a document after the last signature; those that it has already are kept. */
  async store(job: JobRun): Promise<{ stored: number }> {
    const id = String(job.payload['document_id']);
    const state = await this.find(id);
    if (!state.frozen) return { stored: 0 };
    const { frozen } = state;
    const files: Rendition[] = [];
    for (const withheld of [false, true]) {
      const reader = wholeReader(frozen.tables, !withheld);
      const tables = typedTables(state.sections, frozen.tables).map((table) => readable(table, frozen, reader));
      // Without costs both are equal: a reader then sees everything.
      const isWithheld = tables.some((table) => table.withheld);
      const document = await this.documentOf(state, frozen, tables, isWithheld);
      for (const kind of KINDS) {
        job.signal.throwIfAborted();
        const bytes = await this.render(job.ctx, kind, document);
        const file = await this.host.files.write(job.ctx, once(bytes), {
          maxBytes: MAX_BYTES,
          keepHours: ARRIVING_HOURS,
        });
        files.push({ kind, withheld, sha256: file.sha256, size: bytes.length, file_id: file.id });
      }
    }
    return await this.host.transactions.run(job.ctx, async (uow) => {
      await job.guard(uow);
      const added = await addRenditions(uow, id, files);
      await this.host.files.keep(added, uow);
      if (added.length > 0)
        uow.emit({
          type: 'soaw.files_stored',
          subject: { kind: 'soaw', id, name: state.title },
          // Without hash and size: with these, amounts and names in a file could be found by trying values.
          data: { files: files.map(({ kind, withheld }) => ({ kind, withheld })) },
        });
      return { stored: added.length };
    });
  }

  private async find(id: string): Promise<DocumentState> {
    const state = await findState(this.host.db, id);
    if (!state) throw this.host.problem('not_found');
    return state;
  }

  private async documentOf(
    state: DocumentState,
    shown: Shown,
    tables: readonly ReadableTable[],
    withheld: boolean,
  ): Promise<RenderedDocument> {
    const life = (await this.lifecycle.read([state.id])).get(state.id);
    if (!life) throw this.host.problem('not_found');
    return { ...documentOf({ state, life, shown, tables, withheld }), logo: await this.logo(state) };
  }

  /** The logo of a draft is the current one; otherwise the one that was frozen with the tables. */
  private async logo({ frozen }: DocumentState): Promise<RenderedDocument['logo']> {
    if (frozen?.logo === undefined) return await currentLogo(this.host);
    return frozen.logo === null ? null : ((await findLogo(this.host.db, frozen.logo)) ?? null);
  }

  private async bytesOf(fileId: string): Promise<Buffer> {
    const parts: Buffer[] = [];
    for await (const part of this.host.files.read(fileId)) parts.push(part);
    if (parts.length === 0) throw this.host.problem('not_found');
    return Buffer.concat(parts);
  }

  /** @throws rate_limited, unavailable, invalid_state for a document that cannot be rendered within the limits */
  private async render(ctx: RequestContext, kind: RenditionKind, document: RenderedDocument): Promise<Buffer> {
    this.renderings ??= new Renderings();
    try {
      return await this.renderings.render(kind, document, ctx);
    } catch (error) {
      const later = laterProblem(this.host, error);
      if (later) throw later;
      if (!(error instanceof WorkerQueueError)) throw error;
      if (error.cause !== undefined)
        this.host.log.warn({ err: error }, 'a statement of architecture work could not be rendered');
      throw this.host.problem('invalid_state', { detail: 'The document is too large to be rendered.' });
    }
  }
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
