import type { RequestContext } from '@lintel/sdk';
import type { HostServices } from '../services.js';
import { lacks } from '../../inventory/access/index.js';

type Work = 'run' | 'cards' | 'relations';

/** How often one request has worked so far, by kind of work. */
const turns = new WeakMap<object, Partial<Record<Work, number>>>();

/**
 * Runs one of several transactions of a request in a context of its own. An Idempotency-Key gives back the outcome of
 * one: the request's own first, so that what else it does has keys derived from it, by kind and turn. A client's key
 * has no blank, so that none of these can be one. What fails leaves no key but has had its turn: it fails again, too.
 */
export async function inTurn<T>(ctx: RequestContext, work: Work, run: (ctx: RequestContext) => Promise<T>): Promise<T> {
  const { idempotency } = ctx;
  if (!idempotency) return await run(ctx);
  const taken = turns.get(idempotency) ?? {};
  turns.set(idempotency, taken);
  const turn = (taken[work] = (taken[work] ?? 0) + 1);
  if (work === 'run' && turn === 1) return await run(ctx);
  return await run({
    ...ctx,
    idempotency: { key: `${idempotency.key} ${work} ${turn}`, fingerprint: idempotency.fingerprint, replayed: false },
  });
}

/**
 * Demands what a route of the core demands of its caller.
 * @param anyCard suffices, where a stakeholder role grants it on some card
 * @throws forbidden
 */
export async function demand(
  { access, rbac }: HostServices,
  ctx: RequestContext,
  permission: string,
  anyCard?: string,
): Promise<void> {
  const { actor } = ctx;
  if (access.holdsAnywhere(ctx, permission)) return;
  if (anyCard !== undefined && actor && (await rbac.cardsWith(actor.id, anyCard)).held.size > 0) return;
  throw lacks(permission);
}
