import type { RequestContext } from '@lintel/sdk';
import { createHmac } from 'node:crypto';
import { checkVersion } from '../../foundation/conditions.js';
import type { Database } from '../../foundation/db/database.js';
import type { Transactions } from '../../foundation/db/unit-of-work.js';
import { problem } from '../../foundation/errors.js';
import type { FileStore } from '../../foundation/files/index.js';
import type { Page } from '../../foundation/http/respond.js';
import { uuidv7 } from '../../foundation/ids.js';
import type { JobRunner } from '../../foundation/jobs/index.js';
import type { MetamodelService } from '../metamodel/index.js';
import { requireRights } from './apply/rights.js';
import {
  changeImport,
  deleteImport,
  insertImport,
  listImports,
  lockImport,
  readImport,
  setJob,
  type StoredImport,
} from './repository.js';
import type { RowVisibilities } from './preview/row-visibility.js';
import { listRows } from './preview/rows-view-repository.js';
import type { ImportQuery, ImportView, RowQuery, RowView } from './schemas.js';
import type { ImportState } from './types.js';
import { UploadSlots, type Upload } from './parse/upload.js';
import { importView, rowView } from './preview/view.js';

export const PARSE_JOB = 'imports.parse';
export const APPLY_JOB = 'imports.apply';

/** Maximum number of imports per user that are neither applied nor cancelled. */
const MOST_OPEN = 100;

/** Imports of files: uploaded, read in the background, previewed, applied. */
export class ImportService {
  /** Slots for uploads. */
  readonly uploads = new UploadSlots();

  constructor(
    private readonly db: Database,
    private readonly transactions: Transactions,
    private readonly files: FileStore,
    private readonly jobs: JobRunner,
    private readonly metamodel: MetamodelService,
    private readonly visibilities: RowVisibilities,
  ) {}

  async list(query: ImportQuery): Promise<Page<ImportView>> {
    const page = await listImports(this.db, query);
    return { ...page, items: page.items.map(importView) };
  }

  /** @throws not_found */
  async get(id: string): Promise<ImportView> {
    const stored = await readImport(this.db, id);
    if (!stored) throw problem('not_found');
    return importView(stored);
  }

  /** @throws not_found */
  async rows(ctx: RequestContext, id: string, query: RowQuery): Promise<Page<RowView>> {
    const { created_by: maker } = await this.get(id);
    const page = await listRows(this.db, id, query);
    const visibilityOf = await this.visibilities.of(ctx, page.items);
    return { ...page, items: page.items.map((row) => rowView(row, visibilityOf(row), maker?.id === ctx.actor?.id)) };
  }

  /**
   * Creates an import of a stored file, which is read in the background. @throws limit_reached where the caller has too
   * many unfinished imports
   */
  async create(ctx: RequestContext, { file, fileName, format, options }: Upload): Promise<ImportView> {
    const own = withContent(ctx, file.sha256, [fileName, format, options]);
    let made = false;
    try {
      const { id } = await this.transactions.run(own, async (uow) => {
        const id = uuidv7();
        const stored = {
          id,
          format,
          fileName,
          size: file.size,
          fileId: file.id,
          options,
          createdBy: ctx.actor?.id ?? null,
        };
        if (!(await insertImport(uow, stored, MOST_OPEN)))
          throw problem('limit_reached', {
            detail: `A user may have at most ${MOST_OPEN} unfinished imports; apply or delete some.`,
            limit: MOST_OPEN,
          });
        await setJob(uow, id, await this.jobs.enqueue(uow, PARSE_JOB, { import_id: id }, { origin: 'import' }));
        uow.emit({
          type: 'import.created',
          subject: { kind: 'import', id, name: fileName },
          data: { format, size: file.size, options },
        });
        made = true;
        return { id };
      });
      if (own.idempotency?.replayed) ctx.idempotency!.replayed = true;
      return await this.get(id);
    } finally {
      // A replayed request already has its file, and a rejected one needs none.
      if (!made) await this.files.remove(file.id).catch(() => undefined);
    }
  }

  /**
   * Starts writing the rows in the background with the permissions of the caller: the creator of the import, or a user
   * with all permissions its rows need.
   * @throws not_found, precondition_failed; invalid_state where it is not ready; forbidden where another user created
   *   the import and a permission is missing
   */
  async apply(ctx: RequestContext, id: string): Promise<ImportView> {
    await this.transactions.run(ctx, async (uow) => {
      const held = this.checked(ctx, await lockImport(uow, id));
      this.requireState(held, ['ready']);
      // A token may have fewer permissions than its user had for the upload.
      if (held.created_by?.id !== ctx.actor!.id || ctx.actor!.token)
        await requireRights(uow, id, ctx.permissions, this.metamodel.current);
      const jobId = await this.jobs.enqueue(
        uow,
        APPLY_JOB,
        { import_id: id, user_id: ctx.actor!.id },
        { origin: 'import' },
      );
      const version = await changeImport(uow, id, { state: 'applying', jobId, done: 0, appliedBy: ctx.actor!.id });
      uow.emit({
        type: 'import.started',
        subject: { kind: 'import', id, name: held.file_name },
        data: { counts: held.counts },
      });
      return { id, version };
    });
    return await this.get(id);
  }

  /**
   * Deletes an import with its rows; one that is being applied is only cancelled and remains visible. What it has
   * written remains in any case.
   * @throws not_found, precondition_failed
   */
  async remove(ctx: RequestContext, id: string): Promise<void> {
    await this.transactions.run(ctx, async (uow) => {
      const held = this.checked(ctx, await lockImport(uow, id));
      if (held.state === 'applying') await changeImport(uow, id, { state: 'cancelled' });
      else {
        await deleteImport(uow, id);
        if (held.file_id !== null) await this.files.remove(held.file_id, uow);
      }
      uow.emit({
        type: held.state === 'applying' ? 'import.cancelled' : 'import.deleted',
        subject: { kind: 'import', id, name: held.file_name },
        data: { state: held.state },
      });
      return { id };
    });
  }

  private checked(ctx: RequestContext, held: StoredImport | undefined): StoredImport {
    if (!held) throw problem('not_found');
    checkVersion(ctx, held.version, ['state']);
    return held;
  }

  private requireState({ state }: StoredImport, states: readonly ImportState[]): void {
    if (!states.includes(state))
      throw problem('invalid_state', { detail: `The import is ${state}; it must be ${states.join(' or ')}.`, state });
  }
}

/** Extends the fingerprint of the request by the body, which was not read when the fingerprint was computed. */
function withContent(ctx: RequestContext, sha256: Buffer, form: unknown): RequestContext {
  if (!ctx.idempotency) return ctx;
  const fingerprint = createHmac('sha256', ctx.idempotency.fingerprint)
    .update(sha256)
    .update(JSON.stringify(form))
    .digest();
  return { ...ctx, idempotency: { ...ctx.idempotency, fingerprint } };
}
