import type { RequestContext, UnitOfWork } from '@lintel/sdk';
import { hashOf, type FlowContent } from '../content.js';
import { carryLinks, linkCalledProcesses } from '../elements/repository.js';
import { refusal } from '../errors.js';
import type { Host } from '../basics.js';
import type { Notices } from '../notices.js';
import { requireActiveProcess, requireProcess } from '../processes/access.js';
import type { ImpliedRelations } from './implied.js';
import { readImpliedTypes, type ImpliedTypes } from './relation-types.js';
import {
  archiveVersion,
  lockPublished,
  publishVersion,
  readProblems,
  returnVersion,
  submitVersion,
  type VersionRow,
} from './repository.js';
import { emitVersion, type VersionService } from './service.js';
import { requireAction, requireFourEyes, requireSound } from './states.js';
import type { VersionResource } from './views.js';

/** Problems named when a submission is refused. */
const NAMED_PROBLEMS = 20;

/** The moves of versions between their states. */
export class VersionMoves {
  constructor(
    private readonly host: Host,
    private readonly versions: VersionService,
    private readonly content: FlowContent,
    private readonly relations: ImpliedRelations,
    private readonly notices: Notices,
  ) {}

  /** draft → pending. @throws not_found, precondition_failed, invalid_state, bpm_problems, bpm_pending_exists */
  async submit(ctx: RequestContext, cardId: string, id: string, comment: string | null): Promise<VersionResource> {
    const process = await requireActiveProcess(this.host, ctx, cardId);
    const approvers = await this.notices.approversOf(process.id);
    return await this.versions.change(ctx, process.id, async (uow) => {
      const row = await this.enter(ctx, uow, process.id, id, 'submit');
      requireSound(this.host, row, row.error_count === 0 ? [] : await readProblems(uow, id, NAMED_PROBLEMS, 'error'));
      const version = await submitVersion(uow, id, ctx.actor?.id ?? null);
      emitVersion(uow, 'submitted', row, version, {
        content_hash: row.content_hash,
        comment,
        ...moved(row, 'pending'),
      });
      await this.notices.submitted(uow, process, row, approvers);
      return { id, version };
    });
  }

  /** pending → draft, by the submitter or another editor. @throws not_found, precondition_failed, invalid_state */
  async withdraw(ctx: RequestContext, cardId: string, id: string, comment: string | null): Promise<VersionResource> {
    const process = await requireProcess(this.host, ctx, cardId);
    return await this.versions.change(ctx, process.id, async (uow) => {
      const row = await this.enter(ctx, uow, process.id, id, 'withdraw');
      const version = await returnVersion(uow, id, 'withdrawn', ctx.actor?.id ?? null, comment);
      emitVersion(uow, 'withdrawn', row, version, { comment, ...moved(row, 'draft') });
      return { id, version };
    });
  }

  /** pending → draft, with a reason. @throws not_found, precondition_failed, invalid_state, four_eyes */
  async reject(ctx: RequestContext, cardId: string, id: string, reason: string): Promise<VersionResource> {
    const process = await requireProcess(this.host, ctx, cardId);
    return await this.versions.change(ctx, process.id, async (uow) => {
      const row = await this.enter(ctx, uow, process.id, id, 'reject');
      requireFourEyes(this.host, ctx.actor?.id ?? null, row.submitted_by);
      const version = await returnVersion(uow, id, 'rejected', ctx.actor?.id ?? null, reason);
      emitVersion(uow, 'rejected', row, version, { reason, ...moved(row, 'draft') });
      await this.notices.decided(uow, process, row, 'rejected');
      return { id, version };
    });
  }

  /**
   * pending → published: archives the version published before, carries links over, and brings the relations up to date that links
   * imply, all in one transaction. Publishing is the grant for these relations.
   * @throws not_found, precondition_failed, invalid_state, four_eyes, bpm_content_changed, bpm_relation_type, bpm_relations_refused
   */
  async approve(ctx: RequestContext, cardId: string, id: string, comment: string | null): Promise<VersionResource> {
    const process = await requireActiveProcess(this.host, ctx, cardId);
    const { file_id } = await this.versions.find(ctx, process.id, id);
    const hash = hashOf(await this.content.bytesOf(file_id));
    const types = await readImpliedTypes(this.host);
    return await this.versions.change(ctx, process.id, async (uow) => {
      const row = await this.enter(ctx, uow, process.id, id, 'approve');
      requireFourEyes(this.host, ctx.actor?.id ?? null, row.submitted_by);
      if (row.file_id !== file_id || hash !== row.frozen_hash || row.content_hash !== row.frozen_hash)
        throw refusal('bpm_content_changed');
      const version = await this.publish(ctx, uow, process.id, row, types, comment);
      await this.notices.decided(uow, process, row, 'approved');
      return { id, version };
    });
  }

  private async publish(
    ctx: RequestContext,
    uow: UnitOfWork,
    processId: string,
    row: VersionRow,
    types: ImpliedTypes,
    comment: string | null,
  ): Promise<number> {
    const former = await lockPublished(uow, processId);
    if (former) {
      await carryLinks(uow, former.id, row.id);
      const version = await archiveVersion(uow, former.id);
      emitVersion(uow, 'archived', former, version, { replaced_by: row.id, ...moved(former, 'archived') });
    }
    await linkCalledProcesses(this.host, uow, ctx, row.id, processId);
    const version = await publishVersion(uow, row.id, ctx.actor?.id ?? null);
    await this.relations.apply(uow, {
      processId,
      versionId: row.id,
      types,
      among: null,
      authority: 'module',
    });
    emitVersion(uow, 'published', row, version, {
      content_hash: row.content_hash,
      comment,
      ...moved(row, 'published'),
    });
    return version;
  }

  /** Locks a version for a move. A stale If-Match is reported before the state, which has changed then as well. */
  private async enter(
    ctx: RequestContext,
    uow: UnitOfWork,
    cardId: string,
    id: string,
    action: 'submit' | 'withdraw' | 'approve' | 'reject',
  ): Promise<VersionRow> {
    const row = await this.versions.lock(uow, cardId, id);
    this.host.checkVersion(ctx, row.version, ['state']);
    requireAction(this.host, row.state, action);
    return row;
  }
}

const moved = ({ state }: VersionRow, to: VersionRow['state']) => ({
  changes: [{ field: 'state', old: state, new: to }],
});
