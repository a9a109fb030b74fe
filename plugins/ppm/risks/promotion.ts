import type { RequestContext, WrittenResource } from '@lintel/sdk';
import { requireActiveInitiative, type Host } from '../basics.js';
import { lockRisk } from './repository.js';
import { RISKS_PREPARE, type RegisterRisk } from './register.js';
import type { PlanRisks } from './resource.js';

/** Probabilities and impacts of the register, by those of an initiative from 1 to 5. */
const PROBABILITIES = ['low', 'low', 'medium', 'high', 'very_high'] as const;
const IMPACTS = ['low', 'low', 'medium', 'high', 'critical'] as const;

/** Copies risks of initiatives to the register of the module of risks. */
export class RiskPromotion {
  constructor(
    private readonly host: Host,
    private readonly risks: PlanRisks,
  ) {}

  /**
   * Creates a risk in the register with the rights of the caller; the risk of the initiative then names it.
   * @param category of the register
   * @returns the risk of the initiative as it was written
   * @throws not_found, forbidden, precondition_failed, invalid_state if it was promoted or the initiative is archived,
   *   ppm_register_unavailable
   */
  async promote(ctx: RequestContext, cardId: string, id: string, category: string): Promise<WrittenResource> {
    const { host } = this;
    const card = await requireActiveInitiative(host, ctx, cardId);
    const risk = await this.risks.get(ctx, id, { card_id: card.id });
    const prepare = host.capability(RISKS_PREPARE);
    if (!prepare) throw host.problem('ppm_register_unavailable');
    const create = await prepare(ctx, registerRisk(risk, card.id, category));
    return await this.risks.answering(
      ctx,
      (written) =>
        host.transactions.run(ctx, async (uow) => {
          const locked = await lockRisk(uow, risk.id);
          if (!locked) throw host.problem('not_found');
          host.checkVersion(ctx, locked.version, ['promoted_reference']);
          // Not before the transaction, which answers a repeated Idempotency-Key.
          this.refusePromoted(locked.promoted_reference);
          // What the register was given was read before the lock.
          if (locked.version !== risk.version)
            throw host.problem('conflict', { detail: 'The risk was changed; try again.' });
          const made = await create(uow);
          await this.risks.updateIn(uow, risk.id, { promoted_risk_id: made.id, promoted_reference: made.reference });
          await written(uow, risk.id);
          return risk.id;
        }),
      { card_id: card.id },
    );
  }

  private refusePromoted(reference: string | null): void {
    if (reference === null) return;
    throw this.host.problem('invalid_state', { detail: `The risk is in the register as ${reference}.`, reference });
  }
}

type PlanRisk = Awaited<ReturnType<PlanRisks['get']>>;

function registerRisk(risk: PlanRisk, cardId: string, category: string): RegisterRisk {
  const { title, description, mitigation, probability, impact, owner_id } = risk;
  const parts = [description, mitigation === null ? null : `Mitigation: ${mitigation}`];
  return {
    title,
    category,
    description: parts.filter((part) => part !== null).join('\n\n') || null,
    initial_probability: PROBABILITIES[probability - 1]!,
    initial_impact: IMPACTS[impact - 1]!,
    owner_id,
    cards: [{ card_id: cardId, role: 'affected' }],
  };
}
