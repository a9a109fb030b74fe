import { isDeepStrictEqual } from 'node:util';
import type { JobRun, ModuleServices, PageResult, RequestContext, ResourceResult, UnitOfWork } from '@lintel/sdk';
import { mayBegin, mayLink, mayWrite } from './authority.js';
import { cardsOf } from './content-repository.js';
import { findGraph } from './graph-repository.js';
import { MANAGE } from './permissions.js';
import { findHolder, findNumbers, isInCircle, lockRelations, setRelated } from './related-repository.js';
import {
  changeAdr,
  deleteAdr,
  findAdr,
  insertAdr,
  linkCards,
  listAdrs,
  lockAdr,
  nextNumber,
  takeStale,
  type AdrRow,
  type LockedAdr,
} from './repository.js';
import type { AdrCreate, AdrFilters, AdrGraph, AdrPatch, AdrQuery, AdrView, RelatedInput } from './schemas.js';
import type { Settings } from './settings.js';
import { filtersFor, withoutHidden } from './caller-filters.js';
import { columnsOf, numberOf } from './text.js';

const EMPTY = {
  context: null,
  drivers: [],
  options: [],
  decision: null,
  consequences: null,
  card_ids: [],
  related: [],
};
/** A decision as it is sent. */
type AdrResource = Omit<ResourceResult<AdrView>, 'status'>;

/** Throws unless the row is a draft; provided by the document lifecycle. */
type RequireDraft = (row: Pick<LockedAdr, 'status'>) => void;

/** Without duplicates, in lower case and sorted, so that equal lists compare equal. */
function relatedOf(related: readonly RelatedInput[]): RelatedInput[] {
  const by = new Map(
    related.map(({ type, adr_id }) => [`${type} ${adr_id.toLowerCase()}`, { type, adr_id: adr_id.toLowerCase() }]),
  );
  return [...by].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}
const idsOf = (ids: readonly string[]): string[] => [...new Set(ids.map((id) => id.toLowerCase()))].sort();

/** Architecture decisions; all reads and writes go through this class. */
export class AdrService {
  constructor(
    private readonly host: ModuleServices<Settings>,
    private readonly requireDraft: RequireDraft,
  ) {}

  async list(ctx: RequestContext, query: AdrQuery): Promise<PageResult<AdrView>> {
    const page = await listAdrs(this.host.db, { ...query, ...(await filtersFor(this.host, ctx, query)) });
    return { ...page, items: (await withoutHidden(this.host, ctx, page.items)).map((row) => this.view(row)) };
  }

  /** The decisions linked to a card. @throws not_found where the card does not exist or is hidden from the caller */
  async ofCard(ctx: RequestContext, cardId: string, query: AdrQuery): Promise<PageResult<AdrView>> {
    const card = await this.host.cards.get(ctx, cardId);
    return await this.list(ctx, { ...query, card_id: card.id });
  }

  /** @throws not_found */
  async get(ctx: RequestContext, id: string): Promise<AdrView> {
    return this.view((await withoutHidden(this.host, ctx, [await this.find(id)]))[0]!);
  }

  private async find(id: string): Promise<AdrRow> {
    const row = await findAdr(this.host.db, id);
    if (!row) throw this.host.problem('not_found');
    return row;
  }

  /** As `get`, with the data for its ETag, which includes the related decisions and cards. @throws not_found */
  async resource(ctx: RequestContext, id: string): Promise<AdrResource> {
    return await this.resourceOf(ctx, await this.find(id));
  }

  private async resourceOf(ctx: RequestContext, row: AdrRow): Promise<AdrResource> {
    const [shown] = await withoutHidden(this.host, ctx, [row]);
    const body = this.view(shown!);
    const around = [body.related, body.related_by, shown === row ? [] : shown!.card_ids];
    return { version: body.version, body, ...(around.some((list) => list.length > 0) && { derived: around }) };
  }

  /** Decisions and their relations. */
  async graph(ctx: RequestContext, query: AdrFilters): Promise<AdrGraph> {
    const { nodes, edges, isTruncated } = await findGraph(this.host.db, await filtersFor(this.host, ctx, query));
    const statuses = { draft: 0, in_review: 0, signed: 0, superseded: 0 };
    for (const { status } of nodes) statuses[status]++;
    return {
      nodes: nodes.map((node) => ({ ...node, number: numberOf(this.host, node.number) })),
      edges,
      statuses,
      is_truncated: isTruncated,
    };
  }

  /**
   * Creates a draft decision with the next number.
   * @returns the decision as it was written
   * @throws forbidden, validation_failed where a card or a related decision does not exist
   */
  async create(ctx: RequestContext, body: AdrCreate): Promise<AdrResource> {
    const write = await this.prepareCreate(ctx, body);
    return await this.written(ctx, (uow) => write(uow));
  }

  /** Runs a write, and reads the decision in its transaction: once that has ended, another request may change or delete it. */
  private async written(
    ctx: RequestContext,
    work: (uow: UnitOfWork) => Promise<{ id: string; version: number }>,
  ): Promise<AdrResource> {
    let row: AdrRow | undefined;
    const { id } = await this.host.transactions.run(ctx, async (uow) => {
      const result = await work(uow);
      row = await findAdr(uow, result.id);
      return result;
    });
    // For a repeated Idempotency-Key, `work` did not run.
    return row ? await this.resourceOf(ctx, row) : await this.resource(ctx, id);
  }

  /**
   * Checks a new decision, before a transaction.
   * @returns a function that creates it as part of a transaction, also of one of another module; see `AdrCreator.prepare`
   * @throws as `create`
   */
  async prepareCreate(
    ctx: RequestContext,
    body: AdrCreate,
  ): Promise<
    (uow: UnitOfWork, created?: readonly string[]) => Promise<{ id: string; number: string; version: number }>
  > {
    const content = {
      ...EMPTY,
      ...body,
      title: body.title.trim(),
      card_ids: idsOf(body.card_ids ?? []),
      related: relatedOf(body.related ?? []),
    };
    await this.host.cards.ensureVisible(ctx, body.card_ids ?? [], '/card_ids');
    await mayBegin(this.host, ctx, content.card_ids);
    await this.checkRelated(body.related ?? []);
    return async (unit, created = []) => {
      const uow = this.host.join(unit);
      const card_ids = idsOf([...content.card_ids, ...created]);
      const id = this.host.newId();
      const number = await nextNumber(uow);
      await insertAdr(uow, {
        id,
        number,
        created_by: ctx.actor?.id ?? null,
        ...(await columnsOf(this.host, content, number, null)),
      });
      await linkCards(uow, id, card_ids);
      if (content.related.length > 0) await setRelated(uow, id, content.related);
      uow.emit({
        type: 'adr.created',
        subject: { kind: 'adr', id, name: content.title },
        data: { number: numberOf(this.host, number), status: 'draft', card_ids },
      });
      return { id, number: numberOf(this.host, number), version: 1 };
    };
  }

  /**
   * Changes a draft.
   * @returns the decision as it was written
   * @throws not_found, forbidden, precondition_failed, invalid_state where it is not a draft any more,
   *   validation_failed
   */
  async update(ctx: RequestContext, id: string, patch: AdrPatch): Promise<AdrResource> {
    await mayWrite(this.host, ctx, id);
    await this.host.cards.ensureVisible(ctx, patch.card_ids ?? [], '/card_ids');
    const numbers = await this.checkRelated(patch.related ?? []);
    const wanted: AdrPatch = {
      ...patch,
      ...(patch.title !== undefined && { title: patch.title.trim() }),
      ...(patch.card_ids && { card_ids: idsOf(patch.card_ids) }),
      ...(patch.related && { related: relatedOf(patch.related) }),
    };
    if (wanted.card_ids && !ctx.permissions.has(MANAGE)) await this.mayMoveLinks(ctx, id, wanted.card_ids);
    const linked = wanted.card_ids ? ((await cardsOf(this.host.db, id)) ?? []) : [];
    const hidden = await this.host.cards.hidden(ctx, linked);
    return await this.written(ctx, async (uow) => {
      const row = await this.lock(uow, id);
      // Links with cards hidden from the caller are kept.
      if (wanted.card_ids)
        wanted.card_ids = idsOf([...wanted.card_ids, ...row.card_ids.filter((card) => hidden.has(card))]);
      const changed = (Object.keys(wanted) as (keyof AdrPatch)[]).filter(
        (key) => wanted[key] !== undefined && !isDeepStrictEqual(row[key], wanted[key]),
      );
      this.host.checkVersion(ctx, row.version, changed);
      this.requireDraft(row);
      this.othersOnly(row, patch.related ?? [], numbers);
      if (changed.length === 0) return { id, version: row.version };
      const content = { ...row, ...wanted } as LockedAdr;
      const version = await changeAdr(uow, id, await columnsOf(this.host, content, row.number, row.source_markdown));
      if (changed.includes('card_ids')) await linkCards(uow, id, content.card_ids);
      if (changed.includes('related')) await this.relate(uow, id, content.related);
      uow.emit({
        type: 'adr.updated',
        subject: { kind: 'adr', id, name: content.title },
        data: { version, changes: changed.map((field) => ({ field, old: row[field], new: wanted[field] })) },
      });
      return { id, version };
    });
  }

  /** Deletes a draft. Its number is not reused. @throws not_found, precondition_failed, invalid_state */
  async remove(ctx: RequestContext, id: string): Promise<void> {
    await this.host.transactions.run(ctx, async (uow) => {
      const row = await this.lock(uow, id);
      this.host.checkVersion(ctx, row.version, []);
      this.requireDraft(row);
      const holder = await findHolder(uow, id);
      if (holder)
        throw this.host.problem('invalid_state', {
          detail: `${numberOf(this.host, holder.number)} refers to it and can no longer be changed.`,
          document_status: row.status,
          named_by: holder.id,
        });
      await deleteAdr(uow, id);
      uow.emit({
        type: 'adr.deleted',
        subject: { kind: 'adr', id, name: row.title },
        data: { number: numberOf(this.host, row.number) },
      });
    });
  }

  /** Reports drafts not changed for the configured number of days. @returns their number */
  async reportStale(job: JobRun): Promise<{ reported: number }> {
    const days = this.host.settings().stale_after_days;
    for (let reported = 0; ; ) {
      const taken = await this.host.transactions.run(job.ctx, async (uow) => {
        await job.guard(uow);
        const drafts = await takeStale(uow, days);
        for (const { id, number, title, updated_at } of drafts) {
          uow.emit({
            type: 'adr.draft_stale',
            subject: { kind: 'adr', id, name: title },
            data: { number: numberOf(this.host, number), untouched_since: updated_at.toISOString() },
          });
        }
        return drafts.length;
      });
      reported += taken;
      if (taken === 0 || job.signal.aborted) return { reported };
    }
  }

  /** A stakeholder can add and remove only links with cards on which the role is held. */
  private async mayMoveLinks(ctx: RequestContext, id: string, wanted: readonly string[]): Promise<void> {
    const { card_ids } = await this.get(ctx, id);
    const moved = [
      ...wanted.filter((card) => !card_ids.includes(card)),
      ...card_ids.filter((card) => !wanted.includes(card)),
    ];
    await mayLink(this.host, ctx, moved);
  }

  /**
   * @returns the numbers of the referenced decisions, by id @throws validation_failed for an unknown decision, or a
   *   duplicate relation
   */
  private async checkRelated(related: readonly RelatedInput[]): Promise<Map<string, number>> {
    const numbers = await findNumbers(
      this.host.db,
      related.map(({ adr_id }) => adr_id),
    );
    const before = new Set<string>();
    const wrong = related.flatMap(({ type, adr_id }, i) => {
      const id = adr_id.toLowerCase();
      const isTwice = before.has(`${type} ${id}`);
      before.add(`${type} ${id}`);
      if (isTwice) return [{ field: `/related/${i}`, reason: 'occurs more than once' }];
      return numbers.has(id) ? [] : [{ field: `/related/${i}/adr_id`, reason: 'names no decision' }];
    });
    if (wrong.length > 0) throw this.host.invalid(...wrong);
    return numbers;
  }

  private othersOnly(
    { number }: LockedAdr,
    related: readonly RelatedInput[],
    numbers: ReadonlyMap<string, number>,
  ): void {
    const own = related.flatMap(({ adr_id }, i) =>
      numbers.get(adr_id.toLowerCase()) === number
        ? [{ field: `/related/${i}/adr_id`, reason: 'is the decision itself' }]
        : [],
    );
    if (own.length > 0) throw this.host.invalid(...own);
  }

  private async relate(uow: UnitOfWork, id: string, related: readonly RelatedInput[]): Promise<void> {
    if (related.some(({ type }) => type === 'supersedes')) await lockRelations(uow);
    await setRelated(uow, id, related);
    if (await isInCircle(uow, id))
      throw this.host.invalid({ field: '/related', reason: 'would have the decision supersede itself' });
  }

  private async lock(uow: UnitOfWork, id: string): Promise<LockedAdr> {
    const row = await lockAdr(uow, id);
    if (!row) throw this.host.problem('not_found');
    return row;
  }

  private view({ number, source, source_path, source_status, created_at, updated_at, ...row }: AdrRow): AdrView {
    const named = <T extends { number: number }>(list: readonly T[]) =>
      list.map((other) => ({ ...other, number: numberOf(this.host, other.number) }));
    return {
      ...row,
      number: numberOf(this.host, number),
      related: named(row.related),
      related_by: named(row.related_by),
      source: source_path === null ? null : { collection: source ?? '', path: source_path, status: source_status },
      created_at: created_at.toISOString(),
      updated_at: updated_at.toISOString(),
    };
  }
}
