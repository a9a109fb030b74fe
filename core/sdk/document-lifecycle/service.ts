import type { RequestContext } from '../context.js';
import type { PageResult, ResourceResult } from '../http.js';
import type { ModuleServices, UnitOfWork } from '../services.js';
import { contentHash } from './canonical.js';
import type { DocumentRow, LifecycleRepository } from './repository.js';
import type { LifecycleView, Reject, RequestSignatures, RevisionQuery, RevisionView, Sign } from './schemas.js';
import { Signatories } from './signatories.js';
import type { DocumentLifecycleSpec, DocumentStatus } from './spec.js';

/** The allowed actions by the status of a document. */
const ACTIONS: Record<DocumentStatus, readonly string[]> = {
  draft: ['update', 'delete', 'request-signatures'],
  in_review: ['sign', 'reject', 'recall'],
  signed: ['revise'],
  superseded: [],
};

/** The result of a transition; also stored for the Idempotency-Key of the request. */
interface Outcome {
  id: string;
  version: number;
}

/** Changes the status of documents. Every transition locks the row of the document, so that concurrent ones are serialised. */
export class DocumentLifecycleService<Settings> {
  private readonly signatories: Signatories<Settings>;

  /** @param get reads a document as returned by `GET /{id}` */
  constructor(
    private readonly spec: DocumentLifecycleSpec<Settings>,
    private readonly rows: LifecycleRepository,
    readonly host: ModuleServices<Settings>,
    readonly get: (ctx: RequestContext, id: string) => Promise<Omit<ResourceResult, 'status'>>,
  ) {
    this.signatories = new Signatories(spec, host);
  }

  /** The lifecycle data of many documents, in one statement. */
  async read(ids: readonly string[]): Promise<Map<string, LifecycleView>> {
    return ids.length > 0 ? await this.rows.read(this.host.db, ids) : new Map();
  }

  /** Checks that a locked document is a draft, for the module's PATCH and DELETE. @throws invalid_state */
  requireDraft({ status }: { status: DocumentStatus }): void {
    if (status !== 'draft') throw this.refused(status, 'Only a draft can be changed or deleted');
  }

  /** Locks a document that is to be changed or deleted. @throws not_found, invalid_state */
  async lockDraft(uow: UnitOfWork, id: string): Promise<void> {
    this.requireDraft(await this.lock(uow, id));
  }

  /** All revisions of the document's number, latest first. @throws not_found */
  async revisions(id: string, query: RevisionQuery): Promise<PageResult<RevisionView>> {
    const page = await this.rows.revisions(this.host.db, id, query);
    if (!page) throw this.host.problem('not_found');
    return {
      ...page,
      items: page.items.map((row) => ({
        ...row,
        created_at: row.created_at.toISOString(),
        signed_at: row.signed_at?.toISOString() ?? null,
      })),
    };
  }

  /**
   * Freezes the content of a draft and sets its signatories.
   * @throws not_found, forbidden, precondition_failed, invalid_state, validation_failed if a named user cannot sign
   */
  async requestSignatures(ctx: RequestContext, id: string, body: RequestSignatures): Promise<void> {
    await this.authorise(ctx, id);
    const signatories = await this.signatories.named(body.user_ids.map((user) => user.toLowerCase()));
    const userIds = signatories.map((s) => s.id);
    const store = await this.spec.freeze?.(this.host, ctx, id);
    await this.move(ctx, id, 'draft', 'Signatures are requested of a draft', async (uow, row) => {
      this.signatories.requireOthers(row, ctx.actor?.id ?? null, userIds);
      await store?.(uow);
      const hash = contentHash(await this.spec.content(uow, id));
      const version = await this.rows.submit(uow, id, hash, ctx.actor?.id ?? null, signatories);
      this.emit(uow, 'signatures_requested', row, version, 'in_review', {
        user_ids: userIds,
        message: body.message ?? null,
        content_hash: hash,
      });
      await this.moved(uow, row, 'in_review');
      await this.notify(uow, row, userIds);
      return { id, version };
    });
  }

  /**
   * Signs the frozen content; the last signature makes the document signed and the one it revises superseded.
   * @throws not_found, forbidden if the caller is not a signatory, precondition_failed, invalid_state, four_eyes
   */
  async sign(ctx: RequestContext, id: string, body: Sign): Promise<void> {
    const comment = body.comment ?? null;
    await this.move(ctx, id, 'in_review', 'Only a document in review can be signed', async (uow, row) => {
      const named = await this.rows.signatories(uow, id);
      const actor = this.signatories.requirePending(ctx, named);
      this.signatories.requireFourEyes(row, actor, named);
      const hash = contentHash(await this.spec.content(uow, id));
      if (hash !== row.content_hash)
        throw this.host.problem('invalid_state', {
          detail: 'The content is not what signatures were requested for; recall the document.',
          document_status: row.status,
        });
      await this.rows.sign(uow, id, { userId: actor.id, name: actor.displayName, comment, hash });
      const pending = named.filter((s) => s.status === 'pending').length - 1;
      if (pending > 0) {
        const version = await this.rows.touch(uow, id);
        this.emit(uow, 'signature_given', row, version, 'in_review', { comment, content_hash: hash, pending });
        return { id, version };
      }
      return { id, version: await this.complete(uow, row, { comment, hash }) };
    });
  }

  /** Rejects a document as one of its signatories, with a reason. @throws not_found, forbidden, precondition_failed, invalid_state */
  async reject(ctx: RequestContext, id: string, { reason }: Reject): Promise<void> {
    await this.move(ctx, id, 'in_review', 'Only a document in review can be rejected', async (uow, row) => {
      this.signatories.requirePending(ctx, await this.rows.signatories(uow, id));
      return await this.back(uow, row, 'rejected', { reason });
    });
  }

  /** Makes a document a draft again and discards its signatures. @throws not_found, forbidden, precondition_failed, invalid_state */
  async recall(ctx: RequestContext, id: string): Promise<void> {
    await this.authorise(ctx, id);
    await this.move(
      ctx,
      id,
      'in_review',
      'Only a document in review can be recalled',
      async (uow, row) => await this.back(uow, row, 'recalled', {}),
    );
  }

  /**
   * Creates the next revision of a signed document, as a draft with its content.
   * @returns the id of the draft
   * @throws not_found, forbidden, precondition_failed, invalid_state with the revision that is already open
   */
  async revise(ctx: RequestContext, id: string): Promise<string> {
    await this.authorise(ctx, id);
    const made = await this.move(ctx, id, 'signed', 'Only a signed document can be revised', async (uow, row) => {
      const open = await this.rows.openRevision(uow, id);
      if (open !== undefined)
        throw this.host.problem('invalid_state', {
          detail: 'A revision of the document is being worked on.',
          document_status: row.status,
          open_revision: open,
        });
      const draft = this.host.newId();
      const revision = await this.rows.revise(uow, id, draft, ctx.actor?.id ?? null);
      await this.spec.copy?.(uow, id, draft);
      this.emit(uow, 'revised', { ...row, id: draft, status: 'draft' }, 1, 'draft', { revision, revision_of: id });
      return { id: draft, version: 1 };
    });
    return made.id;
  }

  /** Runs one transition on the locked document, from the only status that allows it. */
  private async move(
    ctx: RequestContext,
    id: string,
    from: DocumentStatus,
    rule: string,
    work: (uow: UnitOfWork, row: DocumentRow) => Promise<Outcome>,
  ): Promise<Outcome> {
    return await this.host.transactions.run(ctx, async (uow) => {
      const row = await this.lock(uow, id);
      this.host.checkVersion(ctx, row.version, ['status']);
      if (row.status !== from) throw this.refused(row.status, rule);
      return await work(uow, row);
    });
  }

  private async complete(
    uow: UnitOfWork,
    row: DocumentRow,
    { comment, hash }: { comment: string | null; hash: string },
  ): Promise<number> {
    const before = await this.rows.supersede(uow, row.id);
    if (before) {
      this.emit(uow, 'superseded', { ...before, status: 'signed' }, before.version, 'superseded', {
        superseded_by: row.id,
      });
      await this.moved(uow, { id: before.id, status: 'signed' }, 'superseded');
    }
    const version = await this.rows.complete(uow, row.id);
    this.emit(uow, 'signature_given', row, version, 'in_review', { comment, content_hash: hash, pending: 0 });
    this.emit(uow, 'signed', row, version, 'signed', { revision: row.revision, content_hash: hash });
    await this.moved(uow, row, 'signed');
    return version;
  }

  private async back(uow: UnitOfWork, row: DocumentRow, type: string, data: Record<string, unknown>): Promise<Outcome> {
    const version = await this.rows.backToDraft(uow, row.id);
    this.emit(uow, type, row, version, 'draft', data);
    await this.moved(uow, row, 'draft');
    return { id: row.id, version };
  }

  private async lock(uow: UnitOfWork, id: string): Promise<DocumentRow> {
    const row = await this.rows.lock(uow, id);
    if (!row) throw this.host.problem('not_found');
    return row;
  }

  /** If the caller has access by a stakeholder role, the module checks whether it counts for this document. */
  private async authorise(ctx: RequestContext, id: string): Promise<void> {
    const { manage } = this.spec.permissions;
    if (ctx.permissions.has(manage)) return;
    if (!this.spec.authorise)
      throw this.host.problem('forbidden', {
        detail: `The permission ${manage} is required.`,
        required_permission: manage,
      });
    await this.spec.authorise(this.host, ctx, id);
  }

  private refused(status: DocumentStatus, rule: string) {
    return this.host.problem('invalid_state', {
      detail: `${rule}; this one is ${status}.`,
      document_status: status,
      allowed: ACTIONS[status],
    });
  }

  private emit(
    uow: UnitOfWork,
    type: string,
    row: Pick<DocumentRow, 'id' | 'title' | 'status'>,
    version: number,
    to: DocumentStatus,
    data: Record<string, unknown>,
  ): void {
    const changes = row.status === to ? [] : [{ field: 'status', old: row.status, new: to }];
    uow.emit({
      type: `${this.spec.kind}.${type}`,
      subject: { kind: this.spec.kind, id: row.id, name: row.title },
      data: { version, changes, ...data },
    });
  }

  private async notify(uow: UnitOfWork, { id, title }: DocumentRow, to: readonly string[]): Promise<void> {
    const { kind, notification } = this.spec;
    if (notification === undefined) return;
    const name = title ?? '';
    await this.host.notifications.send(uow, {
      to,
      kind: notification,
      subject: { kind, id, name },
      title: `You are asked to sign “${name}”`,
    });
  }

  private async moved(
    uow: UnitOfWork,
    { id, status }: Pick<DocumentRow, 'id' | 'status'>,
    to: DocumentStatus,
  ): Promise<void> {
    await this.spec.moved?.(uow, { id, from: status, to }, this.host);
  }
}
