import { Type, type ModelResult, type RequestContext } from '@lintel/sdk';
import type { Host } from '../basics.js';
import { Citations } from '../models/citations.js';
import { dataPrompt, excerpt, instructions, redactionFor } from '../models/prompt.js';
import type { Advice, Design, Proposal } from './definition.js';

/** Cards that a model is told about. */
const MOST_CARDS = 25;
const Answer = Type.Object(
  {
    summary: Type.String({ maxLength: 2_000 }),
    options: Type.Array(
      Type.Object(
        { id: Type.String({ maxLength: 10 }), reason: Type.String({ maxLength: 1_000 }) },
        { additionalProperties: false },
      ),
      { maxItems: 10 },
    ),
    risks: Type.Array(Type.String({ maxLength: 500 }), { maxItems: 10 }),
  },
  { additionalProperties: false },
);
interface Answered {
  summary: string;
  options: { id: string; reason: string }[];
  risks: string[];
}
const TASK =
  'The data has a requirement, cards that match it, and options that were computed. Summarise for an architect how the requirement could be met, ' +
  'give for each option, by its id, the reasons for and against it, and list risks. Do not invent options or cards.';

/**
 * Asks the model about a design. Only cards that the caller sees are sent, without costs and names of users; of the answer only
 * what refers to options and cards of the design is kept.
 */
export async function adviceOn(
  host: Host,
  ctx: RequestContext,
  { requirement }: Pick<Proposal, 'requirement'>,
  design: Design,
  signal: AbortSignal,
): Promise<{ advice: Advice | null; result: ModelResult }> {
  const citations = new Citations();
  const redaction = await redactionFor(host);
  const matches = [...design.capabilities, ...design.cards].slice(0, MOST_CARDS);
  const cards = await host.cards.read(
    ctx,
    matches.map(({ card_id }) => card_id),
  );
  const byId = new Map(cards.map((card) => [card.id, card]));
  const refs = new Map(cards.map(({ id }) => [id, citations.refOf(id)]));
  const data = {
    requirement: redaction.hide(requirement),
    cards: matches.flatMap(({ card_id, fit }) => {
      const card = byId.get(card_id);
      if (!card) return [];
      const { type, name, lifecycle, description } = card;
      const text = excerpt(redaction, description);
      return [{ reference: refs.get(card_id), type, fit, name: redaction.hide(name), lifecycle, description: text }];
    }),
    options: design.options.map(({ id, kind, card_ids, reasons }) => ({
      id,
      kind,
      cards: card_ids.flatMap((card) => refs.get(card) ?? []),
      reasons: reasons.filter(({ code }) => code !== 'costs').map(({ code }) => code),
    })),
    gaps: { terms: design.gaps.terms.map((term) => redaction.hide(term)) },
  };
  const result = await host.ai.ask(ctx, {
    purpose: 'propose',
    system: instructions(TASK, host.workspace().locales[0] ?? 'en'),
    prompt: dataPrompt(data),
    schema: Answer,
    signal,
  });
  if (!result.ok) return { advice: null, result };
  const finish = (text: string): string => redaction.restore(citations.clean(text)).trim();
  const { summary, options, risks } = result.value as Answered;
  const advice = {
    summary: finish(summary),
    options: design.options.flatMap(({ id }) => {
      const found = options.find((option) => option.id === id);
      return found ? [{ id, reason: finish(found.reason) }] : [];
    }),
    risks: risks.map(finish).filter((risk) => risk !== ''),
  };
  return { advice: { ...advice, citations: citations.cited }, result };
}
