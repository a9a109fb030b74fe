import { isDeepStrictEqual } from 'node:util';
import type { ModuleServices, RequestContext, UnitOfWork } from '@lintel/sdk';
import { mayLink, mayWrite } from './authority.js';
import type { ContentService, PreparedContent } from './content-service.js';
import { checkReferences, fieldsOf, idsOf, lockFound } from './fields.js';
import { Outdated, requireSame, retried } from './outdated.js';
import {
  cardsOf,
  changeDiagram,
  findDiagram,
  linkCards,
  setCards,
  type DiagramDetails,
  type LockedDiagram,
} from './repository.js';
import type { DiagramPatch } from './schemas.js';
import type { Settings } from './settings.js';
import { copyVersion, findContent, insertVersion, pruneVersions, type VersionContent } from './versions-repository.js';

type Wanted = Omit<DiagramPatch, 'content'>;
/** Reads the new content. @param hidden cards of the diagram that the caller does not see */
type Prepare = (before: VersionContent, hidden: ReadonlySet<string>) => Promise<PreparedContent>;

/** Changes diagrams and their content: the only way to do so. */
export class DiagramSaving {
  constructor(
    private readonly host: ModuleServices<Settings>,
    private readonly contents: ContentService,
  ) {}

  /**
   * Changes a diagram; other content is a new version of it.
   * @returns the diagram as it was written; undefined for a repeated Idempotency-Key
   * @throws not_found, forbidden, precondition_failed, validation_failed, diagrams_file_refused, conflict where other users keep
   *   saving the diagram
   */
  async update(
    ctx: RequestContext,
    id: string,
    { content, ...wanted }: DiagramPatch,
  ): Promise<DiagramDetails | undefined> {
    const bytes = content === undefined ? undefined : Buffer.from(content);
    return await this.save(
      ctx,
      id,
      wanted,
      bytes && ((before, hidden) => this.contents.prepare(ctx, bytes, '/content', { version: before, hidden })),
    );
  }

  /** Replaces the file of a diagram. @returns and throws as `update` */
  async replaceFile(ctx: RequestContext, id: string, bytes: Uint8Array): Promise<DiagramDetails | undefined> {
    return await this.save(ctx, id, {}, (before, hidden) =>
      this.contents.prepare(ctx, bytes, '/files/0', { version: before, hidden }),
    );
  }

  /** Replaces the file of a diagram by one that depends on the current one. @throws as `update` */
  async changeFile(ctx: RequestContext, id: string, change: Prepare): Promise<void> {
    await this.save(ctx, id, {}, change, true);
  }

  /** @param isStrict whether the new content depends on all of the version before, not only on what is kept of it */
  private async save(
    ctx: RequestContext,
    id: string,
    wanted: Wanted,
    prepare: Prepare | undefined,
    isStrict = false,
  ): Promise<DiagramDetails | undefined> {
    return await retried(this.host, () => this.saveOnce(ctx, id, wanted, prepare, isStrict));
  }

  private async saveOnce(
    ctx: RequestContext,
    id: string,
    wanted: Wanted,
    prepare: Prepare | undefined,
    isStrict: boolean,
  ): Promise<DiagramDetails | undefined> {
    const checked = await mayWrite(this.host, ctx, id);
    const before = prepare && (await findContent(this.host.db, id));
    const cards = await cardsOf(this.host.db, id);
    if (!cards || (prepare && !before)) throw this.host.problem('not_found');
    // Content is not read for a request that will be refused.
    // A repeated request is answered as the first one was, whatever the version is now.
    if (before && !ctx.idempotency) this.host.checkVersion(ctx, before.version, ['content']);
    const known = new Set([...cards.card_ids, ...(before?.cards ?? [])]);
    const hidden = await this.host.cards.hidden(ctx, [...known]);
    const prepared = before && (await prepare(before, hidden));
    await checkReferences(this.host, ctx, wanted, prepared?.errors ?? []);
    if (wanted.card_ids) await this.mayMoveLinks(ctx, cards.linked_ids, idsOf(wanted.card_ids), hidden);
    return await this.written(ctx, async (uow) => {
      const row = await lockFound(this.host, uow, id);
      requireSame(checked, row.card_ids);
      // Which links the request adds and removes depends on them.
      requireSame(wanted.card_ids && cards.linked_ids, row.linked_ids);
      if (row.card_ids.some((card) => !known.has(card))) throw new Outdated();
      const isBound = isStrict || hidden.size > 0 || prepared?.isBound === true;
      if (before && isBound && before.number !== row.content_version) throw new Outdated();
      const version = await this.write(uow, row, wanted, prepared, hidden);
      return { id, version };
    });
  }

  /** Runs a change, and reads the diagram in its transaction: once that has ended, another request may delete it. */
  private async written(
    ctx: RequestContext,
    work: (uow: UnitOfWork) => Promise<{ id: string; version: number }>,
  ): Promise<DiagramDetails | undefined> {
    let row: DiagramDetails | undefined;
    await this.host.transactions.run(ctx, async (uow) => {
      const result = await work(uow);
      row = await findDiagram(uow, result.id, ctx.actor?.id);
      return result;
    });
    return row;
  }

  /** Writes what differs from the locked row. @returns the version */
  private async write(
    uow: UnitOfWork,
    row: LockedDiagram,
    wanted: Wanted,
    prepared: PreparedContent | undefined,
    hidden: ReadonlySet<string>,
  ): Promise<number> {
    const next = {
      name: wanted.name?.trim() ?? row.name,
      description: wanted.description === undefined ? row.description : wanted.description,
      group_id: wanted.group_id === undefined ? row.group_id : (wanted.group_id?.toLowerCase() ?? null),
      // Links with cards hidden from the caller are kept.
      card_ids: wanted.card_ids
        ? idsOf([...wanted.card_ids, ...row.linked_ids.filter((card) => hidden.has(card))])
        : row.linked_ids,
    };
    const old = { name: row.name, description: row.description, group_id: row.group_id, card_ids: row.linked_ids };
    const changes = (Object.keys(next) as (keyof typeof next)[])
      .filter((key) => !isDeepStrictEqual(next[key], old[key]))
      .map((field) => ({ field: field as string, old: old[field] as unknown, new: next[field] as unknown }));
    const isNew =
      prepared !== undefined &&
      (prepared.version.sha256 !== row.sha256 || prepared.found.some((card) => !row.shown_ids.includes(card)));
    this.host.checkVersion(uow.ctx, row.version, [...changes.map(({ field }) => field), ...(isNew ? ['content'] : [])]);
    if (changes.length === 0 && !isNew) return row.version;
    const number = row.content_version + (isNew ? 1 : 0);
    const { card_ids: linked, ...fields } = next;
    if (isNew) {
      await insertVersion(uow, row.id, number, prepared.version);
      changes.push({ field: 'content_version', old: row.content_version, new: number });
    }
    const removed = isNew ? await this.prune(uow, row.id, number) : {};
    const version = await changeDiagram(uow, row.id, fieldsOf(this.host, fields), number);
    const shapes = isNew ? prepared.version.shapes : undefined;
    if (shapes) await setCards(uow, row.id, shapes, linked);
    else if (changes.some(({ field }) => field === 'card_ids')) await linkCards(uow, row.id, linked);
    const cards = isNew ? [...linked, ...prepared.cards] : [...linked, ...row.shown_ids];
    // Thousands of ids, which a change of the name does not concern.
    const isMoved = isNew || changes.some(({ field }) => field === 'card_ids');
    uow.emit({
      type: 'diagrams.updated',
      subject: { kind: 'diagrams', id: row.id, name: next.name },
      data: { version, content_version: number, ...(isMoved && { card_ids: idsOf(cards) }), ...removed, changes },
    });
    return version;
  }

  /**
   * Makes the content of an earlier version the current one, as a new version.
   * @returns as `update`
   * @throws not_found, forbidden, precondition_failed, and what reading a file throws
   */
  async restore(ctx: RequestContext, id: string, from: number): Promise<DiagramDetails | undefined> {
    return await retried(this.host, () => this.restoreOnce(ctx, id, from));
  }

  private async restoreOnce(ctx: RequestContext, id: string, from: number): Promise<DiagramDetails | undefined> {
    const checked = await mayWrite(this.host, ctx, id);
    // A version never changes.
    const version = await findContent(this.host.db, id, from);
    const held = version && (await this.contents.heldIn(ctx, version));
    return await this.written(ctx, async (uow) => {
      const row = await lockFound(this.host, uow, id);
      requireSame(checked, row.card_ids);
      this.host.checkVersion(ctx, row.version, ['content']);
      if (from === row.content_version) return { id, version: row.version };
      const number = row.content_version + 1;
      const copied = held && (await copyVersion(uow, id, from, number, held));
      if (!copied) throw this.host.problem('not_found');
      const removed = await this.prune(uow, id, number);
      const { name, description, group_id } = row;
      const version = await changeDiagram(uow, id, fieldsOf(this.host, { name, description, group_id }), number);
      await setCards(
        uow,
        id,
        copied.map((card) => ({ card })),
        row.linked_ids,
      );
      uow.emit({
        type: 'diagrams.updated',
        subject: { kind: 'diagrams', id, name },
        data: {
          version,
          content_version: number,
          card_ids: idsOf([...row.linked_ids, ...copied]),
          restored_from: from,
          ...removed,
          changes: [{ field: 'content_version', old: row.content_version, new: number }],
        },
      });
      return { id, version };
    });
  }

  /** Deletes the versions that the setting does not keep. @param current number of the version that was stored */
  private async prune(uow: UnitOfWork, id: string, current: number): Promise<{ removed_versions?: number }> {
    const kept = this.host.settings().keep_versions;
    if (kept === 0 || current <= kept) return {};
    const removed_versions = await pruneVersions(uow, id, current - kept);
    return removed_versions === 0 ? {} : { removed_versions };
  }

  /** A stakeholder can add and remove only links with cards on which the role is held. @throws forbidden */
  private async mayMoveLinks(
    ctx: RequestContext,
    before: readonly string[],
    wanted: readonly string[],
    hidden: ReadonlySet<string>,
  ): Promise<void> {
    const seen = before.filter((card) => !hidden.has(card));
    await mayLink(this.host, ctx, [
      ...wanted.filter((card) => !seen.includes(card)),
      ...seen.filter((card) => !wanted.includes(card)),
    ]);
  }
}
