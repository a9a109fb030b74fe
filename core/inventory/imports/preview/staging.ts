import { TimeSlice, type RequestContext } from '@lintel/sdk';
import type { AccessGate } from '../../access/index.js';
import type { CardService } from '../../cards/index.js';
import type { Database } from '../../../foundation/db/database.js';
import type { Transactions, UnitOfWork } from '../../../foundation/db/unit-of-work.js';
import type { FileStore } from '../../../foundation/files/index.js';
import type { JobRun } from '../../../foundation/jobs/index.js';
import type { Log } from '../../../foundation/log.js';
import type { Metamodel, MetamodelService } from '../../metamodel/index.js';
import type { OwnedFormat } from '../../extensions.js';
import type { ActingUsers } from '../../../identity/tokens/index.js';
import type { RelationService } from '../../relations/index.js';
import type { CsvSummary } from '../parse/csv.js';
import { readRows } from '../parse/readers.js';
import { previewCards, type Preview } from './previewing.js';
import type { ImportFormats } from '../formats.js';
import { inLanes } from '../lanes.js';
import { matchCards, matchRelations, type MatchContext } from './matching.js';
import { FileRows } from '../rows/file-rows.js';
import { findKnown, findTaken } from '../rows/match-repository.js';
import { orderRows } from './order.js';
import { changeImport, lockImport, noteProgress, readImport, readState, type StoredImport } from '../repository.js';
import { Repeats } from '../rows/repeats.js';
import { BETWEEN, clearPages, insertPage, type CardChunk } from '../rows/pages-repository.js';
import { analyseRows, clearRows, countRows, rejectedCards } from '../rows/rows-repository.js';
import { markCrowded, markDuplicates, markStuck, type Cardinality } from './settle-repository.js';
import { ImportGone, unreadable, UnreadableFile, type StagedRow } from '../types.js';

/** Maximum number of rows of a page. */
const PAGE_ROWS = 2_000;
/** Maximum size of a page, which is parsed as a whole. */
const PAGE_CHARACTERS = 1_000_000;
/** Number of rows from which the table is analyzed, so that the planner knows its size. */
const ANALYSED = 2_000;

/** Reads an uploaded file into rows and determines the verdict of each. Only the import itself is changed. */
export class Staging {
  constructor(
    private readonly db: Database,
    private readonly transactions: Transactions,
    private readonly files: FileStore,
    private readonly metamodel: MetamodelService,
    private readonly acting: ActingUsers,
    private readonly cards: CardService,
    private readonly relations: RelationService,
    private readonly access: AccessGate,
    private readonly formats: ImportFormats,
    private readonly log: Log,
  ) {}

  /** Starts again from the beginning after an earlier attempt was interrupted. */
  async run(job: JobRun, importId: string): Promise<unknown> {
    const stored = await readImport(this.db, importId);
    if (!stored || !['uploaded', 'parsing'].includes(stored.state)) return { gone: true };
    try {
      await this.step(job, async (uow) => {
        const held = await lockImport(uow, importId);
        if (!held || !['uploaded', 'parsing'].includes(held.state)) throw new ImportGone();
        await clearRows(uow, importId);
        await changeImport(uow, importId, { state: 'parsing', done: 0 });
      });
      return await this.parse(job, stored);
    } catch (error) {
      if (error instanceof ImportGone) return { gone: true };
      if (!(error instanceof UnreadableFile)) throw error;
      await this.fail(job, stored, error);
      return { failed: error.errors.length };
    }
  }

  private async parse(job: JobRun, stored: StoredImport): Promise<unknown> {
    const { id } = stored;
    const metamodel = this.metamodel.current;
    const summary: CsvSummary = { ignoredColumns: [], notes: [], headings: new Map() };
    const file = new FileRows();
    const pages: Record<StagedRow['kind'], PageRows[]> = { card: [], relation: [] };
    let total = 0;
    let n = 0;
    // The next rows are parsed while these are stored.
    let storing: Promise<void> = Promise.resolve();
    try {
      for await (const { kind, rows, text } of pagesOf(this.rows(job, stored, metamodel, summary), file)) {
        total += rows.length;
        const page = n++;
        pages[kind].push({ page, rows });
        await storing;
        storing = this.step(job, async (uow) => {
          await this.note(uow, id, 0);
          await insertPage(uow, id, page, text);
        });
        // Its failure is thrown below, or before the next rows are stored.
        storing.catch(() => undefined);
      }
    } finally {
      await storing;
    }
    await file.link();
    const user = stored.created_by && (await this.acting.find(stored.created_by.id, job.tokenId));
    if (!user)
      throw new UnreadableFile([
        { reason: 'the account or API token of the user who uploaded the file is not active any more' },
      ]);
    const ctx: RequestContext = { ...job.ctx, origin: 'import', ...user };
    const { headings } = summary;
    const context: Omit<MatchContext, 'repeats'> = {
      importId: id,
      file,
      metamodel,
      headings,
      relations: await this.relations.mayRelate(ctx),
      costs: await this.access.costs(ctx),
      hiddenAmong: (ids, on) => this.access.hiddenAmong(ctx, ids, on),
    };
    const isLarge = total >= ANALYSED;
    let done = 0;
    /** Runs a step, which returns the number of rows that it gave verdicts. */
    const matching = async (work: (uow: UnitOfWork) => Promise<number>) => {
      const matched = await this.step(job, async (uow) => {
        const count = await work(uow);
        await this.note(uow, id, done + count);
        return count;
      });
      done += matched;
    };
    const repeats = { card: new Repeats(), relation: new Repeats() };
    const ofCards: MatchContext = { ...context, repeats: repeats.card };
    for (const chunks of await chunksByLevel(pages.card, file))
      await inLanes(chunks, (chunk) => matching((uow) => matchCards(uow, chunk, ofCards)));
    if (isLarge) await this.step(job, analyseRows);
    if (repeats.card.any) await this.step(job, (uow) => markDuplicates(uow, id, 'card'));
    await this.settleCards(job, { ctx, importId: id, parentRows: file.parents(), headings });
    await this.noteRejected(job, id, file);
    const ofRelations: MatchContext = { ...context, repeats: repeats.relation };
    await inLanes(pages.relation, ({ page }) => matching((uow) => matchRelations(uow, page, ofRelations)));
    if (isLarge) await this.step(job, analyseRows);
    await this.step(job, async (uow) => {
      if (repeats.relation.any) await markDuplicates(uow, id, 'relation');
      await markCrowded(uow, id, cardinality(metamodel));
      await clearPages(uow, id);
    });
    await this.step(job, async (uow) => {
      const held = await lockImport(uow, id);
      if (held?.state !== 'parsing') throw new ImportGone();
      const counts = await countRows(uow, id);
      const due = [counts.card, counts.relation].reduce((sum, c) => sum + (c.create ?? 0) + (c.update ?? 0), 0);
      await changeImport(uow, id, {
        state: 'ready',
        counts,
        done: 0,
        total: due,
        ignoredColumns: summary.ignoredColumns,
        notes: summary.notes,
      });
      // The content is now in the rows.
      if (stored.file_id !== null) await this.files.remove(stored.file_id, uow);
      uow.emit({ type: 'import.parsed', subject: { kind: 'import', id, name: stored.file_name }, data: { counts } });
    });
    return { rows: total };
  }

  /** Determines what depends on all rows: values in use, the order of writing, and errors of the write path. */
  private async settleCards(job: JobRun, preview: Omit<Preview, 'cards' | 'step'>): Promise<void> {
    const { importId } = preview;
    await this.step(job, async (uow) => {
      await markStuck(uow, importId);
      await orderRows(uow, importId);
    });
    await previewCards({
      ...preview,
      cards: this.cards,
      step: (work) =>
        this.step(job, async (uow) => {
          if ((await readState(uow, importId)) !== 'parsing') throw new ImportGone();
          return await work(uow);
        }),
    });
  }

  /** Notes which rows were rejected after they had verdicts, for the relations that name them. */
  private async noteRejected(job: JobRun, importId: string, file: FileRows): Promise<void> {
    const read = (after: number) => this.step(job, (uow) => rejectedCards(uow, importId, after));
    for (let rows = await read(0); rows.length > 0; rows = await read(rows.at(-1)!.n))
      for (const { n, verdict } of rows) file.decide(n, verdict);
  }

  private rows(
    job: JobRun,
    { file_id, format, options }: StoredImport,
    metamodel: Metamodel,
    summary: CsvSummary,
  ): AsyncGenerator<StagedRow> {
    return readRows(file_id === null ? empty() : this.files.read(file_id), format, {
      metamodel,
      options,
      summary,
      known: (keys) => this.step(job, (uow) => findKnown(uow, keys)),
      taken: (places) => this.step(job, (uow) => findTaken(uow, places)),
      ofModule: () => this.ofModule(job, format),
      signal: job.signal,
      log: this.log,
    });
  }

  /**
   * The format of a module. @throws where the module is disabled; UnreadableFile where it still is at the second
   * attempt
   */
  private ofModule({ attempt }: JobRun, format: string): OwnedFormat {
    const found = this.formats.ofModule(format);
    if (found) return found;
    // This node may not have enabled the module yet, which is why a retry is useful.
    if (attempt === 1) throw new Error(`no enabled module reads the format ${format}`);
    throw unreadable(`the module that reads the format ${format} is disabled or was removed`);
  }

  private async fail(job: JobRun, { id, file_id, file_name }: StoredImport, { errors }: UnreadableFile): Promise<void> {
    await this.step(job, async (uow) => {
      if ((await lockImport(uow, id))?.state !== 'parsing') return;
      await clearRows(uow, id);
      await changeImport(uow, id, { state: 'failed', errors, done: 0, total: 0 });
      if (file_id !== null) await this.files.remove(file_id, uow);
      uow.emit({
        type: 'import.failed',
        subject: { kind: 'import', id, name: file_name },
        data: { errors: errors.slice(0, 20) },
      });
    });
  }

  private async note(uow: UnitOfWork, id: string, done: number): Promise<void> {
    if (!(await noteProgress(uow, id, done, 'parsing'))) throw new ImportGone();
  }

  /** Runs a transaction guarded by the job. */
  private step<T>(job: JobRun, work: (uow: UnitOfWork) => Promise<T>): Promise<T> {
    job.signal.throwIfAborted();
    const ctx: RequestContext = { ...job.ctx, origin: 'import' };
    return this.transactions.run(ctx, async (uow) => {
      await job.guard(uow);
      return await work(uow);
    });
  }
}

function cardinality({ relationTypes }: Metamodel): Cardinality {
  const types = [...relationTypes.values()];
  return {
    oneSource: types.filter((type) => type.oneSource).map(({ key }) => key),
    oneTarget: types.filter((type) => type.oneTarget).map(({ key }) => key),
  };
}

async function* empty(): AsyncGenerator<Buffer> {
  /* The file has expired. */
}

/** Number of levels whose rows have pages of their own; those of further levels share one. */
const LEVELS = 6;
/** The page of rows with relations, among those of levels. */
const RELATIONS = LEVELS + 1;

/** A page, and the numbers of its rows. */
interface PageRows {
  page: number;
  rows: number[];
}

/** Rows of one kind, as they are stored until they have verdicts. */
class Page {
  readonly rows: number[] = [];
  private readonly texts: string[] = [];
  private size = 0;

  constructor(readonly kind: StagedRow['kind']) {}

  add(row: StagedRow): void {
    const text = JSON.stringify(row);
    this.rows.push(row.n);
    this.texts.push(text);
    this.size += text.length;
  }

  get isFull(): boolean {
    return this.rows.length === PAGE_ROWS || this.size > PAGE_CHARACTERS;
  }

  get text(): string {
    return this.texts.join(BETWEEN);
  }
}

/** Divides rows into pages, in time slices. @param file gets the rows with cards */
async function* pagesOf(rows: AsyncIterable<StagedRow>, file: FileRows): AsyncGenerator<Page> {
  const open = new Map<number, Page>();
  const slice = new TimeSlice();
  for await (const row of rows) {
    if (slice.isOver) await slice.next();
    // One for relations, and those of the levels, so that a page with cards is read once.
    const at = row.kind === 'relation' ? RELATIONS : Math.min(file.add(row), LEVELS);
    let page = open.get(at);
    if (!page) open.set(at, (page = new Page(row.kind)));
    if (row.kind === 'relation') {
      if (row.source) row.source = file.shortened(row.source);
      if (row.target) row.target = file.shortened(row.target);
    }
    page.add(row);
    if (!page.isFull) continue;
    yield page;
    open.delete(at);
  }
  yield* open.values();
}

/** Divides rows with cards into chunks: those of each level, in the order of the levels. None has more than a page may have. */
async function chunksByLevel(pages: readonly PageRows[], file: FileRows): Promise<CardChunk[][]> {
  const levels: { chunks: { page: number; places: number[] }[][]; share: number }[] = [];
  const slice = new TimeSlice();
  for (const { page, rows } of pages) {
    if (slice.isOver) await slice.next();
    const places = new Map<number, number[]>();
    rows.forEach((n, place) => {
      const { level } = file.get(n)!;
      const known = places.get(level);
      if (known) known.push(place);
      else places.set(level, [place]);
    });
    for (const [level, here] of places) {
      const at = (levels[level] ??= { chunks: [], share: Infinity });
      const share = here.length / rows.length;
      if (at.share + share > 1) {
        at.chunks.push([]);
        at.share = 0;
      }
      at.chunks.at(-1)!.push({ page, places: here });
      at.share += share;
    }
  }
  // An array has holes at levels without rows.
  return levels.flatMap(({ chunks }) => [chunks]);
}
