import type { RequestContext } from '@lintel/sdk';
import type { Host } from '../basics.js';
import { findFinding, type FoundFinding } from '../findings/repository.js';
import { Citations, CleanStream } from '../models/citations.js';
import { dataPrompt, excerpt, instructions, redactionFor } from '../models/prompt.js';
import type { Redaction } from '../models/redaction.js';
import { modelUse, type CitedCard } from '../models/schemas.js';
import { VIEW } from '../permissions.js';
import { RULES } from '../security/rules.js';
import type { ExplanationView } from './schemas.js';

/** Cards of a finding that a model is told about. */
const MOST_CARDS = 30;
const TASK =
  'Explain to an architect in at most 200 words what this finding of an automatic analysis means, why it matters, and what to do next.';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What a finding says without a model. */
export function statementOf({ view }: FoundFinding): string {
  const cards = view.cards.map(({ name, type, role }) => `${name} (${type}${role === 'subject' ? '' : `, ${role}`})`);
  const reasons = Object.entries(view.evidence).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  const title = RULES.find(({ id }) => id === view.rule)?.title ?? view.rule;
  return `${title} (${view.severity}): ${cards.join('; ')}.${reasons.length > 0 ? ` ${reasons.join('; ')}.` : ''}`;
}

/** Explanations of findings by a language model; what was found stands without one. */
export class ExplanationService {
  constructor(private readonly host: Host) {}

  /** The finding, as far as the caller sees it. @throws not_found, also without the permission to see findings */
  async finding(ctx: RequestContext, id: string): Promise<FoundFinding> {
    if (!ctx.permissions.has(VIEW)) throw this.host.problem('not_found');
    const found = await this.host.inventory.read(ctx, {}, (inventory) => findFinding(inventory, id));
    if (!found) throw this.host.problem('not_found');
    return found;
  }

  /**
   * Explains a finding. Only cards that the caller sees are sent, without costs and names of users.
   * @param options.signal ends the call of the model
   * @param options.onText receives the explanation in parts, as it arrives
   * @returns the finding also if the model fails
   */
  async explain(
    ctx: RequestContext,
    found: FoundFinding,
    { signal, onText }: { signal?: AbortSignal; onText?: (text: string) => Promise<void> },
  ): Promise<ExplanationView> {
    const { host } = this;
    const citations = new Citations();
    const redaction = await redactionFor(host);
    const finish = (text: string): string => redaction.restore(citations.clean(text));
    const stream = new CleanStream(finish);
    const send = async (text: string): Promise<void> => {
      if (text !== '') await onText?.(text);
    };
    const result = await host.ai.ask(ctx, {
      purpose: 'explain',
      system: instructions(TASK, host.workspace().locales[0] ?? 'en'),
      prompt: dataPrompt(await this.dataOf(ctx, found, citations, redaction)),
      signal,
      ...(onText && { onText: (text) => send(stream.push(text)) }),
    });
    if (result.ok) await send(stream.end());
    return {
      finding_id: found.view.id,
      statement: statementOf(found),
      explanation: result.ok ? finish(result.text) : null,
      citations: result.ok ? await this.cited(ctx, citations) : [],
      is_cut: result.ok && result.is_cut,
      model: modelUse(result),
    };
  }

  private async dataOf(
    ctx: RequestContext,
    { view, needs }: FoundFinding,
    citations: Citations,
    redaction: Redaction,
  ): Promise<unknown> {
    const shown = view.cards.slice(0, MOST_CARDS);
    const read = await this.host.cards.read(
      ctx,
      shown.map(({ id }) => id),
    );
    const byId = new Map(read.map((card) => [card.id, card]));
    const refs = new Map(shown.map(({ id }) => [id, citations.refOf(id)]));
    return {
      analysis: view.kind,
      rule: view.rule,
      severity: view.severity,
      score: needs.includes('costs') ? null : view.score,
      evidence: redaction.hideIn(withRefs(view.evidence, refs), needs.includes('costs')),
      cards: shown.flatMap(({ id, role }) => {
        const card = byId.get(id);
        if (!card) return [];
        const { name, type, description, lifecycle } = card;
        const text = excerpt(redaction, description);
        return [
          { reference: citations.refOf(id), role, type, name: redaction.hide(name), lifecycle, description: text },
        ];
      }),
      further_cards: view.cards.length - shown.length,
    };
  }

  /** The cited cards, as the caller sees them now. */
  private async cited(ctx: RequestContext, citations: Citations): Promise<CitedCard[]> {
    const { cited } = citations;
    const cards = await this.host.cards.find(
      ctx,
      cited.map(({ card_id }) => card_id),
    );
    return cited.flatMap(({ ref, card_id }) => {
      const card = cards.get(card_id);
      return card ? [{ ref, card_id, name: card.name, type: card.type }] : [];
    });
  }
}

/** Evidence with references instead of ids of cards; other ids mean nothing to a reader. */
function withRefs(value: unknown, refs: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return refs.get(value) ?? (UUID.test(value) ? null : value);
  if (Array.isArray(value)) return value.map((item) => withRefs(item, refs));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withRefs(item, refs)]));
}
