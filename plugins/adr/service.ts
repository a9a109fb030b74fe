import { isDeepStrictEqual } from 'node:util';
import type { JobRun, ModuleServices, PageResult, RequestContext, UnitOfWork } from '@lintel/sdk';
import {
  changeAdr, deleteAdr, findAdr, insertAdr, linkCards, listAdrs, lockAdr, nextNumber, takeStale, type AdrFields, type AdrRow,
} from './repository.js';
import type { AdrCreate, AdrPatch, AdrQuery, AdrView } from './schemas.js';
import type { Settings } from './settings.js';

type Content = Required<AdrCreate>;
const EMPTY = { context: null, drivers: [], options: [], decision: null, consequences: null, card_ids: [] };

/** Architecture decisions: the only way they are read and written. */
export class AdrService {
  constructor(private readonly host: ModuleServices<Settings>) {}

  async list(query: AdrQuery): Promise<PageResult<AdrView>> {
    // A number is found by its digits: what stands before them may change.
    const prefix = this.host.searchFold(this.host.settings().number_prefix);
    const words = this.host.searchFold(query.search ?? '').split(' ').filter((word) => word !== '' && word !== prefix);
    const page = await listAdrs(this.host.db, query, words);
    return { ...page, items: page.items.map((row) => this.view(row)) };
  }

  /** The decisions that concern a card. @throws not_found where there is no such card for the caller */
  async ofCard(ctx: RequestContext, cardId: string, query: AdrQuery): Promise<PageResult<AdrView>> {
    const card = await this.host.cards.get(ctx, cardId);
    return await this.list({ ...query, card_id: card.id });
  }

  /** @throws not_found */
  async get(id: string): Promise<AdrView> {
    const row = await findAdr(this.host.db, id);
    if (!row) throw this.host.problem('not_found');
    return this.view(row);
  }

  /**
   * Begins a decision as a draft with the next number.
   * @returns its id
   * @throws validation_failed where a card is none
   */
  async create(ctx: RequestContext, body: AdrCreate): Promise<string> {
    const content: Content = { ...EMPTY, ...body, title: body.title.trim() };
    await this.host.cards.ensureVisible(ctx, content.card_ids, '/card_ids');
    const { id } = await this.host.transactions.run(ctx, async (uow) => {
      const id = this.host.newId();
      const number = await nextNumber(uow);
      await insertAdr(uow, { id, number, created_by: ctx.actor?.id ?? null, ...this.fields(content, number) });
      await linkCards(uow, id, content.card_ids);
      uow.emit({ type: 'adr.created', subject: { kind: 'adr', id, name: content.title }, data: { number: this.number(number), card_ids: content.card_ids } });
      return { id, version: 1 };
    });
    return id;
  }

  /**
   * Changes a draft.
   * @throws not_found, precondition_failed, invalid_state where it is no draft any more, validation_failed
   */
  async update(ctx: RequestContext, id: string, patch: AdrPatch): Promise<void> {
    await this.host.cards.ensureVisible(ctx, patch.card_ids ?? [], '/card_ids');
    const wanted: AdrPatch = { ...patch, ...(patch.title !== undefined && { title: patch.title.trim() }), ...(patch.card_ids && { card_ids: [...patch.card_ids].sort() }) };
    await this.host.transactions.run(ctx, async (uow) => {
      const row = await this.lock(uow, id);
      const changed = (Object.keys(wanted) as (keyof AdrPatch)[]).filter((key) => wanted[key] !== undefined && !isDeepStrictEqual(row[key], wanted[key]));
      this.host.checkVersion(ctx, row.version, changed);
      this.mustBeDraft(row);
      if (changed.length === 0) return { id, version: row.version };
      const content = { ...row, ...wanted } as Content;
      const version = await changeAdr(uow, id, this.fields(content, row.number));
      if (changed.includes('card_ids')) await linkCards(uow, id, content.card_ids);
      uow.emit({ type: 'adr.updated', subject: { kind: 'adr', id, name: content.title }, data: { changes: changed.map((field) => ({ field, old: row[field], new: wanted[field] })) } });
      return { id, version };
    });
  }

  /** Deletes a draft. Its number is not given again. @throws not_found, precondition_failed, invalid_state */
  async remove(ctx: RequestContext, id: string): Promise<void> {
    await this.host.transactions.run(ctx, async (uow) => {
      const row = await this.lock(uow, id);
      this.host.checkVersion(ctx, row.version, []);
      this.mustBeDraft(row);
      await deleteAdr(uow, id);
      uow.emit({ type: 'adr.deleted', subject: { kind: 'adr', id, name: row.title }, data: { number: this.number(row.number) } });
    });
  }

  /** Reports drafts nobody touched for as long as the settings say. @returns how many */
  async reportStale(job: JobRun): Promise<{ reported: number }> {
    const days = this.host.settings().stale_after_days;
    for (let reported = 0; ;) {
      const taken = await this.host.transactions.run(job.ctx, async (uow) => {
        await job.guard(uow);
        const drafts = await takeStale(uow, days);
        for (const { id, number, title, updated_at } of drafts) {
          uow.emit({ type: 'adr.draft_stale', subject: { kind: 'adr', id, name: title }, data: { number: this.number(number), untouched_since: updated_at.toISOString() } });
        }
        return drafts.length;
      });
      reported += taken;
      if (taken === 0 || job.signal.aborted) return { reported };
    }
  }

  private async lock(uow: UnitOfWork, id: string): Promise<AdrRow> {
    const row = await lockAdr(uow, id);
    if (!row) throw this.host.problem('not_found');
    return row;
  }

  private mustBeDraft({ status }: AdrRow): void {
    if (status !== 'draft') throw this.host.problem('invalid_state', { detail: `Only a draft can be changed or deleted; this decision is ${status}.`, status_of_decision: status });
  }

  private number(n: number): string {
    return `${this.host.settings().number_prefix}-${String(n).padStart(4, '0')}`;
  }

  private fields(content: Content, number: number): AdrFields {
    const { title, context, drivers, options, decision, consequences } = content;
    const text = [String(number).padStart(4, '0'), title, context, ...drivers, ...options.flatMap((o) => [o.title, ...o.pros, ...o.cons]), decision, consequences];
    return { title, context, drivers, options, decision, consequences, title_key: this.host.nameKey(title), search_text: this.host.searchFold(text.filter(Boolean).join(' ')) };
  }

  private view({ number, created_at, updated_at, ...row }: AdrRow): AdrView {
    return { ...row, number: this.number(number), created_at: created_at.toISOString(), updated_at: updated_at.toISOString() };
  }
}
