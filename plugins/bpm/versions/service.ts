import { requireRoom, type PageResult, type RequestContext, type UnitOfWork } from '@lintel/sdk';
import type { FlowContent, ReadFile } from '../content.js';
import { copyLinks, linkCalledProcesses, storeElements } from '../elements/repository.js';
import type { Host } from '../basics.js';
import { requireActiveProcess, requireProcess } from '../processes/access.js';
import { DEFAULT_NAME, type Origin, type Origins } from './origins.js';
import {
  DRAFTS,
  deleteVersion,
  findBase,
  findVersion,
  insertVersion,
  listProblems,
  listVersions,
  lockVersion,
  patchVersion,
  replaceFile,
  storeProblems,
  type VersionRow,
  type WholeVersion,
} from './repository.js';
import type { FileQuery, ProblemView, VersionCreate, VersionPatch, VersionQuery, VersionSummary } from './schemas.js';
import { requireAction } from './states.js';
import { readVersion, summaryOf, type VersionResource } from './views.js';

/** The id of a written version; also stored for the Idempotency-Key of the request. */
interface Written {
  id: string;
  version: number;
}

/** The versions of flows. Each write locks the process, so that its versions are changed one after the other. */
export class VersionService {
  constructor(
    private readonly host: Host,
    private readonly content: FlowContent,
    private readonly origins: Origins,
  ) {}

  /** @throws not_found */
  async list(ctx: RequestContext, cardId: string, query: VersionQuery): Promise<PageResult<VersionSummary>> {
    const { id } = await requireProcess(this.host, ctx, cardId);
    const page = await listVersions(this.host.db, id, query);
    return { ...page, items: page.items.map(summaryOf) };
  }

  /** @throws not_found */
  async resource(ctx: RequestContext, cardId: string, id: string): Promise<VersionResource> {
    const process = await requireProcess(this.host, ctx, cardId);
    const version = await readVersion(this.host.db, process.id, id);
    if (!version) throw this.host.problem('not_found');
    return version;
  }

  /** The stored problems of a version. @throws not_found */
  async problems(
    ctx: RequestContext,
    cardId: string,
    id: string,
    query: Parameters<typeof listProblems>[2],
  ): Promise<PageResult<ProblemView>> {
    const row = await this.find(ctx, cardId, id);
    return await listProblems(this.host.db, row.id, query);
  }

  /** A stored version of a process that the caller sees. @throws not_found */
  async find(ctx: RequestContext, cardId: string, id: string): Promise<WholeVersion> {
    const { id: process } = await requireProcess(this.host, ctx, cardId);
    const row = await findVersion(this.host.db, process, id);
    if (!row) throw this.host.problem('not_found');
    return row;
  }

  /**
   * Creates a draft from nothing, a template or a version of the same process.
   * @throws not_found, invalid_state, validation_failed, bpm_file_refused, limit_reached
   */
  async create(ctx: RequestContext, cardId: string, body: VersionCreate): Promise<VersionResource> {
    const { name } = await requireActiveProcess(this.host, ctx, cardId);
    return await this.write(ctx, cardId, name, await this.origins.of(ctx, cardId, name, body));
  }

  /** Creates a draft from a file. @throws as `create` */
  async upload(ctx: RequestContext, cardId: string, bytes: Buffer, query: FileQuery): Promise<VersionResource> {
    const { name } = await requireActiveProcess(this.host, ctx, cardId);
    return await this.write(ctx, cardId, name, {
      source: 'upload',
      bytes,
      file_name: query.file_name ?? DEFAULT_NAME,
      template_id: null,
      based_on: undefined,
      title: query.title?.trim(),
      comment: query.comment ?? null,
    });
  }

  /** Changes the texts of a draft. @throws not_found, precondition_failed, invalid_state */
  async update(ctx: RequestContext, cardId: string, id: string, patch: VersionPatch): Promise<VersionResource> {
    await requireActiveProcess(this.host, ctx, cardId);
    return await this.change(ctx, cardId, async (uow) => {
      const row = await this.lock(uow, cardId, id);
      const next = {
        title: patch.title?.trim() ?? row.title,
        comment: patch.comment === undefined ? row.comment : patch.comment,
      };
      const changed = (['title', 'comment'] as const).filter((field) => next[field] !== row[field]);
      this.host.checkVersion(ctx, row.version, changed);
      requireAction(this.host, row.state, 'update');
      if (changed.length === 0) return { id, version: row.version };
      const version = await patchVersion(uow, id, next);
      emitVersion(uow, 'updated', { ...row, ...next }, version, {
        changes: changed.map((field) => ({ field, old: row[field], new: next[field] })),
      });
      return { id, version };
    });
  }

  /** Replaces the file of a draft; elements with the same BPMN id keep their links. @throws as `create`, precondition_failed */
  async replace(
    ctx: RequestContext,
    cardId: string,
    id: string,
    bytes: Buffer,
    fileName?: string,
  ): Promise<VersionResource> {
    await requireActiveProcess(this.host, ctx, cardId);
    const before = await this.find(ctx, cardId, id);
    requireAction(this.host, before.state, 'update');
    const file = await this.content.take(ctx, bytes, fileName ?? before.file_name);
    return await this.content.keeping(file, () =>
      this.change(ctx, cardId, async (uow) => {
        const row = await this.lock(uow, cardId, id);
        this.host.checkVersion(ctx, row.version, ['content']);
        requireAction(this.host, row.state, 'update');
        const version = await replaceFile(uow, id, file.facts);
        await this.host.files.keep([file.facts.file_id], uow);
        await this.host.files.remove(row.file_id, uow);
        await this.store(uow, ctx, cardId, id, file, false);
        emitVersion(uow, 'updated', row, version, {
          changes: [{ field: 'content_hash', old: row.content_hash, new: file.facts.content_hash }],
        });
        return { id, version };
      }),
    );
  }

  /** Deletes a draft. @throws not_found, precondition_failed, invalid_state */
  async remove(ctx: RequestContext, cardId: string, id: string): Promise<void> {
    await requireProcess(this.host, ctx, cardId);
    await this.inProcess(ctx, cardId, async (uow) => {
      const row = await this.lock(uow, cardId, id);
      this.host.checkVersion(ctx, row.version, []);
      requireAction(this.host, row.state, 'delete');
      await deleteVersion(uow, id);
      emitVersion(uow, 'deleted', row, row.version, {});
      return { id, version: row.version };
    });
  }

  /**
   * Runs a write that holds the lock of the process.
   * @returns the version as written. It is read in the same transaction: once that has ended, another request may delete it.
   */
  async change(
    ctx: RequestContext,
    cardId: string,
    work: (uow: UnitOfWork) => Promise<Written>,
  ): Promise<VersionResource> {
    let written: VersionResource | undefined;
    const { id } = await this.inProcess(ctx, cardId, async (uow) => {
      const result = await work(uow);
      written = await readVersion(uow, cardId, result.id);
      return result;
    });
    // For a repeated Idempotency-Key, `work` did not run.
    return written ?? (await this.resource(ctx, cardId, id));
  }

  /** Runs a write that holds the lock of the process, so that its versions are changed one after the other. */
  async inProcess(ctx: RequestContext, cardId: string, work: (uow: UnitOfWork) => Promise<Written>): Promise<Written> {
    return await this.host.transactions.run(ctx, async (uow) => {
      await this.host.lock(uow, `process ${cardId.toLowerCase()}`, { waitMs: 20_000 });
      return await work(uow);
    });
  }

  /** @throws not_found */
  async lock(uow: UnitOfWork, cardId: string, id: string): Promise<VersionRow> {
    const row = await lockVersion(uow, cardId, id);
    if (!row) throw this.host.problem('not_found');
    return row;
  }

  private async write(ctx: RequestContext, cardId: string, process: string, origin: Origin): Promise<VersionResource> {
    const { bytes, file_name, title, ...rest } = origin;
    const file = await this.content.take(ctx, bytes, file_name);
    return await this.content.keeping(file, () =>
      this.change(ctx, cardId, async (uow) => {
        const id = this.host.newId();
        const based_on = rest.based_on === undefined ? await findBase(uow, cardId) : rest.based_on;
        const row = {
          ...rest,
          ...file.facts,
          id,
          card_id: cardId.toLowerCase(),
          based_on,
          title: titleOf(title ?? file.name ?? process),
          created_by: ctx.actor?.id ?? null,
        };
        await requireRoom(uow, DRAFTS, [row], (code, details) => this.host.problem(code, details));
        const revision = await insertVersion(uow, row);
        await this.host.files.keep([file.facts.file_id], uow);
        await this.store(uow, ctx, cardId, id, file, true, based_on);
        emitVersion(uow, 'created', { ...row, revision }, 1, {
          source: row.source,
          content_hash: row.content_hash,
          based_on,
        });
        return { id, version: 1 };
      }),
    );
  }

  /** Stores what was read from a file, and carries links over. */
  private async store(
    uow: UnitOfWork,
    ctx: RequestContext,
    cardId: string,
    id: string,
    file: ReadFile,
    isNew: boolean,
    basedOn: string | null = null,
  ): Promise<void> {
    await storeProblems(uow, id, file.problems, isNew);
    await storeElements(uow, id, file.elements, isNew);
    if (basedOn !== null) await copyLinks(uow, basedOn, id);
    await linkCalledProcesses(this.host, uow, ctx, id, cardId);
  }
}

/** A name as one line of at most 200 characters: names in files can have several lines. */
const titleOf = (name: string): string => name.replace(/\s+/g, ' ').trim().slice(0, 200).toWellFormed();

/** Emits an event of a version. */
export function emitVersion(
  uow: UnitOfWork,
  type: string,
  row: Pick<VersionRow, 'id' | 'card_id' | 'revision'>,
  version: number,
  data: Record<string, unknown>,
): void {
  uow.emit({
    type: `bpm_version.${type}`,
    subject: { kind: 'bpm_version', id: row.id, name: `Revision ${row.revision}` },
    data: { card_id: row.card_id, revision: row.revision, version, ...data },
  });
}
