import type { PageResult, RequestContext, ResourceResult } from '@lintel/sdk';
import { LINKED_TYPES, PROCESS_TYPE, type Host } from '../basics.js';
import { requireActiveProcess, requireProcess } from '../processes/access.js';
import type { ImpliedRelations } from '../versions/implied.js';
import { readImpliedTypes } from '../versions/relation-types.js';
import type { VersionService } from '../versions/service.js';
import { findShown } from '../versions/shown-repository.js';
import {
  countLinkedCards,
  findLinked,
  listElements,
  lockElement,
  readElement,
  setLinks,
  type ElementRow,
  type LinkedElement,
} from './repository.js';
import type { ElementQuery, ElementView, LinksBody } from './schemas.js';

/** Cards to which the elements of one version can be linked: each implies a relation, made when the version is published. */
const MOST_CARDS = 2_000;

/** The elements of flows, and their links with cards. */
export class ElementService {
  constructor(
    private readonly host: Host,
    private readonly versions: VersionService,
    private readonly relations: ImpliedRelations,
  ) {}

  /**
   * The elements of a version in order of sequence flow.
   * @throws not_found, validation_failed for a version of another process
   */
  async list(ctx: RequestContext, cardId: string, query: ElementQuery): Promise<PageResult<ElementView>> {
    const process = await requireProcess(this.host, ctx, cardId);
    const { version_id, search = '', kind, linked, card_id, ...params } = query;
    const shown = await findShown(this.host.db, process.id, version_id ?? null);
    if (version_id !== undefined && shown === undefined)
      throw this.host.problem('validation_failed', {
        errors: [{ field: 'version_id', reason: 'names no version of the process', in: 'query' }],
      });
    const words = this.host
      .searchFold(search)
      .split(/\s+/)
      .filter((word) => word !== '');
    // A process without versions has no elements; no version has the nil id.
    const page = await listElements(this.host, ctx, shown ?? NIL, { kind, linked, card_id, words }, params);
    return { ...page, items: page.items.map(viewOf) };
  }

  /** One element, with the data for its ETag. @throws not_found */
  async resource(ctx: RequestContext, cardId: string, id: string): Promise<ElementResource> {
    const process = await requireProcess(this.host, ctx, cardId);
    const element = await findLinked(this.host.db, process.id, id);
    const row = element && (await readElement(this.host, this.host.db, ctx, id));
    if (!row) throw this.host.problem('not_found');
    return resourceOf(row);
  }

  /**
   * Replaces the links of an element that the caller sees. Of a published version, the relations that the links imply are made and
   * removed in the same transaction, with the rights of the caller.
   * @returns the element as it was written
   * @throws not_found, forbidden, precondition_failed, invalid_state, validation_failed, bpm_relation_type, bpm_relations_refused
   */
  async setLinks(ctx: RequestContext, cardId: string, id: string, { links }: LinksBody): Promise<ElementResource> {
    const process = await requireActiveProcess(this.host, ctx, cardId);
    const before = await findLinked(this.host.db, process.id, id);
    if (!before) throw this.host.problem('not_found');
    const wanted = links.map(({ card_id }) => card_id.toLowerCase());
    await this.checkCards(ctx, process.id, before, wanted);
    const hidden = await this.host.cards.hidden(ctx, before.card_ids);
    const next = this.nextOf(before, wanted, hidden);
    const touched = difference(before.card_ids, next);
    const types = before.state === 'published' ? await readImpliedTypes(this.host) : undefined;
    if (types && touched.length > 0) await this.requireRelations(ctx, process.id, touched, types);
    let written: ElementRow | undefined;
    await this.versions.inProcess(ctx, process.id, async (uow) => {
      const row = await lockElement(uow, process.id, id);
      if (!row) throw this.host.problem('not_found');
      const cards = this.nextOf(row, wanted, hidden);
      const changed = difference(row.card_ids, cards);
      this.host.checkVersion(ctx, row.version, changed.length > 0 ? ['links'] : []);
      this.requireOpen(row, before.state);
      const version = await setLinks(uow, id, cards);
      if ((await countLinkedCards(uow, row.version_id)) > MOST_CARDS)
        throw this.host.invalid({ field: '/links', reason: `links the version with more than ${MOST_CARDS} cards` });
      if (types && changed.length > 0)
        await this.relations.apply(uow, {
          processId: process.id,
          versionId: row.version_id,
          types,
          among: changed,
          authority: 'caller',
        });
      uow.emit({
        type: 'bpm_element.linked',
        subject: { kind: 'bpm_element', id },
        data: {
          card_id: process.id,
          version_id: row.version_id,
          bpmn_id: row.bpmn_id,
          version,
          added: cards.filter((card) => !row.card_ids.includes(card)).map((card_id) => ({ card_id })),
          removed: row.card_ids.filter((card) => !cards.includes(card)).map((card_id) => ({ card_id })),
        },
      });
      written = await readElement(this.host, uow, ctx, id);
      return { id, version };
    });
    return written ? resourceOf(written) : await this.resource(ctx, cardId, id);
  }

  /** The links after a change: links with cards hidden from the caller are kept. */
  private nextOf({ card_ids }: LinkedElement, wanted: readonly string[], hidden: ReadonlySet<string>): string[] {
    return [...new Set([...wanted, ...card_ids.filter((card) => hidden.has(card))])];
  }

  /** Links change in drafts and in the published version. @throws invalid_state */
  private requireOpen({ state }: LinkedElement, stateBefore: string): void {
    if (state === 'draft' || (state === 'published' && stateBefore === 'published')) return;
    throw this.host.problem('invalid_state', {
      detail: `Links of a ${state} version cannot be changed.`,
      state,
      allowed: [],
    });
  }

  /** @throws validation_failed with each card that cannot be linked with the element */
  private async checkCards(
    ctx: RequestContext,
    processId: string,
    { kind }: LinkedElement,
    wanted: readonly string[],
  ): Promise<void> {
    const found = await this.host.cards.find(ctx, wanted);
    const errors = wanted.flatMap((id, i) => {
      const reason = this.faultOf(found.get(id)?.type, id === processId, kind, wanted.indexOf(id) < i);
      return reason === undefined ? [] : [{ field: `/links/${i}/card_id`, reason }];
    });
    if (errors.length > 0) throw this.host.invalid(...errors);
  }

  private faultOf(type: string | undefined, isItself: boolean, kind: string, isTwice: boolean): string | undefined {
    if (type === undefined) return 'names no card';
    if (isTwice) return 'occurs more than once';
    if (!(LINKED_TYPES as readonly string[]).includes(type))
      return `is of the type ${type}, which elements cannot be linked with`;
    if (type !== PROCESS_TYPE) return undefined;
    if (kind !== 'call_activity') return 'is a process, which only call activities can be linked with';
    return isItself ? 'is the process itself' : undefined;
  }

  /** Requires that the caller may write the relations that a change of links implies. @throws forbidden */
  private async requireRelations(
    ctx: RequestContext,
    processId: string,
    touched: readonly string[],
    types: Awaited<ReturnType<typeof readImpliedTypes>>,
  ): Promise<void> {
    const cards = await this.host.cards.find(ctx, touched);
    const related = [...cards.values()].filter(({ type }) => types.get(type));
    if (related.length === 0) return;
    const ids = [processId, ...related.map(({ id }) => id)];
    const allowed = await this.host.cards.mayAmong(ctx, ids, 'relations.manage', 'card.manage_relations');
    if (allowed.has(processId) || related.every(({ id }) => allowed.has(id))) return;
    throw this.host.problem('forbidden', {
      detail: 'Links of a published version make relations: the permission relations.manage is required.',
      required_permission: 'relations.manage',
      or_card_permission: 'card.manage_relations',
    });
  }
}

/** The cards that are in one of two lists only. */
const difference = (before: readonly string[], after: readonly string[]): string[] => [
  ...after.filter((card) => !before.includes(card)),
  ...before.filter((card) => !after.includes(card)),
];
const NIL = '00000000-0000-0000-0000-000000000000';
type ElementResource = Omit<ResourceResult<ElementView>, 'status'>;
const viewOf = ({ updated_at, ...row }: ElementRow): ElementView => ({ ...row, updated_at: updated_at.toISOString() });

/** An element with the data for its ETag: names of cards change without its version. */
function resourceOf(row: ElementRow): ElementResource {
  const body = viewOf(row);
  return { version: body.version, ...(body.links.length > 0 && { derived: body.links }), body };
}
