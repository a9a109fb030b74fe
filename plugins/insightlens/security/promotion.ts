import type { RequestContext, UnitOfWork } from '@lintel/sdk';
import { analysisOf } from '../analyses/index.js';
import type { Host } from '../basics.js';
import { refusal } from '../errors.js';
import { tellMoved } from '../findings/events.js';
import type { FindingView } from '../findings/schemas.js';
import type { FindingService } from '../findings/service.js';
import { cut } from '../matching/cut.js';
import { REASONS } from '../modernisation/reasons.js';
import { moveRefusal } from './bulk.js';
import { lockFindings, promoteFinding, readSeen } from './moves-repository.js';
import { ADR_CREATE, RISKS_PREPARE } from './partners.js';
import { RULES } from './rules.js';
import type { Promoted, Promotion } from './schemas.js';

const TRACKED = 'risk_tracked';
/** Of the register, by the severity of the finding. */
const IMPACTS = { low: 'low', medium: 'medium', high: 'high', critical: 'critical' } as const;
const COMPLIANCE = /^(?:personal-data|unclassified|retention|ai-)/;
const MOST_TITLE = 200;

type Create = (uow: UnitOfWork) => Promise<{ id: string; reference: string }>;

/** Promotes findings to risks of the register and to draft decisions of other modules. */
export class FindingPromotion {
  constructor(
    private readonly host: Host,
    private readonly findings: FindingService,
  ) {}

  /**
   * Creates a risk or a draft decision about the cards of a finding, with the rights of the caller and in one transaction with the
   * finding, which names it; one that became a risk is `risk_tracked` if its analysis has that state.
   * @throws not_found, forbidden, precondition_failed, insightlens_partner_unavailable, invalid_state if it was promoted or its state
   *   does not allow it
   */
  async promote(ctx: RequestContext, id: string, { to, title, note = null }: Promotion): Promise<Promoted> {
    const { host } = this;
    const finding = await this.findings.get(ctx, id);
    const [seen] = await host.inventory.read(ctx, {}, (inventory) => readSeen(inventory, [id]));
    if (!seen) throw host.problem('not_found');
    const create = await this.prepare(ctx, to, finding, cut(title ?? titleOf(finding), MOST_TITLE));
    return await host.transactions.run(ctx, async (uow) => {
      const [locked] = await lockFindings(uow, [id]);
      if (!locked) throw host.problem('not_found');
      host.checkVersion(uow.ctx, locked.version, ['promoted_to']);
      if (locked.promoted_to)
        throw host.problem('invalid_state', {
          detail: `The finding was promoted to ${locked.promoted_to.reference}.`,
          reference: locked.promoted_to.reference,
        });
      const state = to === 'risk' && finding.kind === 'security' ? TRACKED : locked.state;
      const refused = state === locked.state ? undefined : moveRefusal(host, locked, state, note);
      if (refused) throw refused;
      const made = await create(uow);
      const promoted_to = { kind: to, id: made.id, reference: made.reference };
      await promoteFinding(uow, id, state, note, promoted_to);
      tellMoved(uow, { ...seen, kind: finding.kind }, { from: locked.state, to: state, note });
      return { finding_id: id, state, promoted_to, version: uow.nextVersion({ id, version: locked.version }) };
    });
  }

  private async prepare(
    ctx: RequestContext,
    to: Promotion['to'],
    finding: FindingView,
    title: string,
  ): Promise<Create> {
    const { host } = this;
    const cards = finding.cards.map((card) => card.id);
    const description = `${titleOf(finding)}\n\nFound by InsightLens (rule ${finding.rule}, severity ${finding.severity}).`;
    if (to === 'risk') {
      const prepare = host.capability(RISKS_PREPARE);
      if (!prepare) throw refusal('insightlens_partner_unavailable', { detail: 'The module risks is not enabled.' });
      return await prepare(ctx, {
        title,
        category: COMPLIANCE.test(finding.rule) ? 'compliance' : 'security',
        description,
        initial_probability: 'medium',
        initial_impact: IMPACTS[finding.severity],
        cards: cards.map((card_id) => ({ card_id, role: 'affected' })),
      });
    }
    const decisions = host.capability(ADR_CREATE);
    if (!decisions) throw refusal('insightlens_partner_unavailable', { detail: 'The module adr is not enabled.' });
    const create = await decisions.prepare(ctx, { title, context: description, card_ids: cards });
    return async (uow) => {
      const { id, number } = await create(uow);
      return { id, reference: number };
    };
  }
}

/**
 * What was found, without the names of cards: a risk or decision is read by users who do not see these. Its links to cards are shown with
 * the rights of its reader.
 */
function titleOf({ kind, rule }: FindingView): string {
  return [...RULES, ...REASONS].find(({ id }) => id === rule)?.title ?? analysisOf(kind)?.title ?? rule;
}
