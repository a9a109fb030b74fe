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
import { cardChunks, findKnown, findTaken } from '../rows/match-repository.js';
import { orderRows } from './order.js';
import { changeImport, lockImport, noteProgress, readImport, readState, type StoredImport } from '../repository.js';
import { clearPages, insertPage } from '../rows/relation-rows-repository.js';
import { analyseRows, clearRows, countRows, insertCards, linkRows } from '../rows/rows-repository.js';
import { markCrowded, markDuplicates, markStuck, type Cardinality } from './settle-repository.js';
import { ImportGone, unreadable, UnreadableFile, type StagedCard, type StagedRow } from '../types.js';

/** Rows per statement. */
const BATCH = 2_000;
/** Maximum size of a page of rows with relations, which is parsed as a whole. */
const PAGE_CHARACTERS = 2_000_000;
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
    let total = 0;
    let pages = 0;
    // The next rows are parsed while these are stored.
    let storing: Promise<void> = Promise.resolve();
    try {
      for await (const { cards, page, count } of batches(this.rows(job, stored, metamodel, summary))) {
        total += count;
        await storing;
        const store = async (uow: UnitOfWork, n: number) => {
          await this.note(uow, id, 0);
          if (page === undefined) await insertCards(uow, id, cards);
          else await insertPage(uow, id, n, page);
        };
        const n = page === undefined ? 0 : pages++;
        storing = this.step(job, (uow) => store(uow, n));
        // Its failure is thrown below, or before the next rows are stored.
        storing.catch(() => undefined);
      }
    } finally {
      await storing;
    }
    const user = stored.created_by && (await this.acting.find(stored.created_by.id, job.tokenId));
    if (!user)
      throw new UnreadableFile([
        { reason: 'the account or API token of the user who uploaded the file is not active any more' },
      ]);
    const ctx: RequestContext = { ...job.ctx, origin: 'import', ...user };
    const { headings } = summary;
    const context: MatchContext = {
      importId: id,
      metamodel,
      headings,
      relations: await this.relations.mayRelate(ctx),
      costs: await this.access.costs(ctx),
      hiddenAmong: (ids, on) => this.access.hiddenAmong(ctx, ids, on),
    };
    const isLarge = total >= ANALYSED;
    if (isLarge) await analyseRows(this.db);
    await this.step(job, (uow) => linkRows(uow, id));
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
    for (const chunks of await this.step(job, (uow) => cardChunks(uow, id)))
      await inLanes(chunks, (chunk) => matching((uow) => matchCards(uow, chunk, context)));
    if (isLarge) await analyseRows(this.db);
    await this.step(job, (uow) => markDuplicates(uow, id, 'card'));
    await this.settleCards(job, { ctx, importId: id, headings });
    await inLanes([...Array(pages).keys()], (page) => matching((uow) => matchRelations(uow, page, context)));
    if (isLarge) await analyseRows(this.db);
    await this.step(job, async (uow) => {
      await markDuplicates(uow, id, 'relation');
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
  private async settleCards(job: JobRun, preview: Pick<Preview, 'ctx' | 'importId' | 'headings'>): Promise<void> {
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

/** Rows of one statement: with cards, or a page of rows with relations. */
interface StagedBatch {
  cards: StagedCard[];
  /** JSON of an array of `StagedRelation`. */
  page?: string;
  count: number;
}

/** Divides rows into batches, in time slices. */
async function* batches(rows: AsyncIterable<StagedRow>): AsyncGenerator<StagedBatch> {
  let cards: StagedCard[] = [];
  let page: string[] = [];
  let size = 0;
  const slice = new TimeSlice();
  for await (const row of rows) {
    if (slice.isOver) await slice.next();
    if (row.kind === 'card') cards.push(row);
    else size += page[page.push(JSON.stringify(row)) - 1]!.length;
    if (cards.length === BATCH) {
      yield { cards, count: BATCH };
      cards = [];
    }
    if (page.length === BATCH || size > PAGE_CHARACTERS) {
      yield { cards: [], page: `[${page.join()}]`, count: page.length };
      page = [];
      size = 0;
    }
  }
  if (cards.length > 0) yield { cards, count: cards.length };
  if (page.length > 0) yield { cards: [], page: `[${page.join()}]`, count: page.length };
}
