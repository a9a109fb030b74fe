import { capability, type CardOperation, type FieldError, type RequestContext, type UnitOfWork } from '@lintel/sdk';
import type { Host } from '../basics.js';
import { existingCards, faultsOf } from './change-set.js';
import { decisionOf, type NewDecision } from './decision.js';
import type { Outcome, Proposal } from './definition.js';
import { refusal } from '../errors.js';
import { changedCards } from './repository.js';
import type { ChangeSet } from './schemas.js';
import { hasHidden } from './visible-changes.js';

/** @param created ids of cards that this transaction has created */
type CreateDecision = (uow: UnitOfWork, created: readonly string[]) => Promise<{ id: string; number: string }>;
/** As the module `adr` provides it. */
export const ADR_CREATE = capability<{ prepare(ctx: RequestContext, adr: NewDecision): Promise<CreateDecision> }>(
  'adr.create@1',
);

const AT = '/change_set';
/** Of a decision. */
const MOST_CARDS = 200;

/** @throws validation_failed with a field for each card that is archived, deleted or hidden since the proposal was made */
async function demandCurrent(host: Host, ctx: RequestContext, changes: ChangeSet): Promise<void> {
  const named = existingCards(changes, AT);
  const cards = await host.cards.find(
    ctx,
    named.map(({ id }) => id),
  );
  const stale = named.flatMap(({ id, field }) => {
    const card = cards.get(id);
    if (card?.status === 'ACTIVE') return [];
    return [{ field, reason: card ? 'names an archived card' : 'names no card' }];
  });
  const faults = [...faultsOf(changes, AT), ...stale];
  if (faults.length > 0) throw host.invalid(...faults);
}

/**
 * Runs a part of the commit; fields of errors are those of the change set.
 * @throws the refusal, which always names a field, except where the caller may not do this at all
 */
async function inPart<T>(host: Host, part: 'cards' | 'relations', work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const refused = host.refusalOf(error);
    if (!refused || refused.status === 403) throw error;
    const { errors = [], detail: reason } = refused;
    if (errors.length === 0) throw host.invalid({ field: `${AT}/${part}`, reason });
    throw host.invalid(
      ...errors.map(({ field, reason, code }: FieldError) => ({
        field: field
          .replace(/^\/operations\/(\d+)(?:\/card|\/op$)?/, `${AT}/${part}/$1`)
          .replace(/\/(source|target)_id$/, '/$1/id'),
        reason: reason.replace(/\boperation (\d+)/g, `card $1`),
        ...(code !== undefined && { code }),
      })),
    );
  }
}

/**
 * @throws validation_failed if the caller, who is not the author, may not see a part. It tells only that there is one: positions and types
 *   would tell what it is. Its author has written it, and is told by the checks of cards.
 */
async function demandSeen(host: Host, ctx: RequestContext, { asked_by, change_set }: Proposal): Promise<void> {
  if (ctx.actor?.id !== asked_by && (await hasHidden(host, ctx, change_set)))
    throw host.invalid({ field: AT, reason: 'has parts that are not visible to you, so that you cannot commit it' });
}

/** @throws insightlens_proposal_outdated with a field for each card that was changed since the proposal was made or refreshed */
async function demandUnchanged(uow: UnitOfWork, { design }: Proposal, changes: ChangeSet): Promise<void> {
  const named = existingCards(changes, AT);
  const ids = [...new Set(named.map(({ id }) => id))];
  const changed = await changedCards(uow, ids, design?.versions ?? {});
  if (changed.size === 0) return;
  throw refusal('insightlens_proposal_outdated', {
    detail: 'Cards that the change set names were changed. Look at them, refresh the proposal, and commit it again.',
    errors: named
      .filter(({ id }) => changed.has(id))
      .map(({ field }) => ({ field, reason: 'names a card that was changed', in: 'body' })),
    card_ids: [...changed].sort(),
  });
}

const operationOf = ({ ref, ...card }: ChangeSet['cards'][number]): CardOperation => ({ op: 'create', ref, card });

/**
 * Checks a change set with the rights of the caller, before the transaction.
 * @returns a function that creates cards, relations and the draft decision in that transaction: all of them, or none
 * @throws validation_failed with the fields of the change set, forbidden
 */
export async function prepareCommit(
  host: Host,
  ctx: RequestContext,
  proposal: Proposal,
  withDecision: boolean,
): Promise<(uow: UnitOfWork) => Promise<Outcome>> {
  const changes = proposal.change_set ?? { cards: [], relations: [] };
  await demandSeen(host, ctx, proposal);
  await demandCurrent(host, ctx, changes);
  const adr = withDecision ? host.capability(ADR_CREATE) : undefined;
  const existing = [...new Set(existingCards(changes, AT).map(({ id }) => id))];
  const concerned = existing.slice(0, MOST_CARDS - changes.cards.length);
  const createDecision = await adr?.prepare(ctx, decisionOf(proposal, concerned, changes.cards.length));
  return async (uow) => {
    await demandUnchanged(uow, proposal, changes);
    const made =
      changes.cards.length === 0
        ? []
        : await inPart(
            host,
            'cards',
            async () => (await host.cards.bulkIn(uow, changes.cards.map(operationOf))).results,
          );
    const ids = new Map(changes.cards.map(({ ref }, i) => [ref, made[i]!.id!]));
    const idOf = ({ id, ref }: { id?: string; ref?: string }): string => id ?? ids.get(ref!)!;
    const operations = changes.relations.map(({ type, source, target }) => ({
      op: 'upsert' as const,
      type,
      source_id: idOf(source),
      target_id: idOf(target),
    }));
    const relations =
      operations.length === 0
        ? []
        : await inPart(host, 'relations', async () => (await host.relations.bulkIn(uow, operations)).results);
    const decision = await createDecision?.(uow, [...ids.values()]);
    const initiative = changes.cards.find(({ type }) => type === 'Initiative');
    return {
      initiative_id: initiative ? ids.get(initiative.ref)! : null,
      cards: [...ids].map(([ref, id]) => ({ ref, id })),
      relation_ids: relations.flatMap(({ id }) => id ?? []),
      adr: decision ? { id: decision.id, number: decision.number } : null,
      adr_reason: decision ? null : withDecision ? 'no_module' : 'not_wanted',
    };
  };
}
