import type { RequestContext } from '@lintel/sdk';
import type { HostServices } from '../services.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { lacks } from '../../inventory/access/index.js';

type Work = 'run' | 'cards' | 'relations';

/** Number of transactions of a request so far, by kind of work. */
const turns = new WeakMap<object, Partial<Record<Work, number>>>();

/**
 * Runs one of several transactions of a request in a separate context. An Idempotency-Key stores the outcome of one
 * transaction: the first uses the request's own key, later ones use keys derived from it, by kind and number. A
 * client's key contains no blank, so it cannot equal a derived one. A failed transaction stores no key but is counted,
 * so that a retry uses the same numbers.
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
 * Requires the permission that the corresponding route of the core requires.
 * @param anyCard also sufficient, if a stakeholder role grants it on some card
 * @param on within a transaction, its unit of work
 * @throws forbidden
 */
export async function demand(
  { access, rbac }: HostServices,
  ctx: RequestContext,
  permission: string,
  anyCard?: string,
  on?: UnitOfWork,
): Promise<void> {
  const { actor, permissions } = ctx;
  if (access.holdsAnywhere(ctx, permission)) return;
  if (
    anyCard !== undefined &&
    actor &&
    (await rbac.cardsWith({ id: actor.id, permissions }, anyCard, on)).held.size > 0
  )
    return;
  throw lacks(permission);
}
