import type { Proposal } from './definition.js';

/** A draft decision, as the module `adr` creates it. */
export interface NewDecision {
  title: string;
  context: string;
  options: { title: string; pros: string[]; cons: string[] }[];
  decision: string;
  card_ids: string[];
}
type Option = NonNullable<Proposal['design']>['options'][number];

const KINDS: Record<Option['kind'], string> = {
  reuse: 'use an existing application',
  extend: 'extend an existing application',
  buy: 'buy an application',
  build: 'build an application',
};
/** Words of the requirement that a statement lists. */
const MOST_WORDS = 20;

function wordsOf(value: unknown): string {
  const words = Array.isArray(value) ? value.map(String) : [];
  const more = words.length - MOST_WORDS;
  return words.slice(0, MOST_WORDS).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/**
 * What speaks for and against an option. Facts that rest on costs or relations, and names of cards, are left out: a decision is read by more
 * users than see these.
 */
function statementsOf({ kind, reasons }: Option, fits: boolean): { pros: string[]; cons: string[] } {
  const pros: string[] = [];
  const cons: string[] = [];
  const isNew = kind === 'buy' || kind === 'build';
  for (const { code, value } of reasons)
    if (code === 'covers_terms') pros.push(`Has these words of the requirement: ${wordsOf(value)}.`);
    else if (code === 'misses_terms') cons.push(`Lacks these words of the requirement: ${wordsOf(value)}.`);
    else if (code === 'in_use') pros.push('The application is in use.');
    else if (code === 'no_application_fits') pros.push('No application in use fits.');
    else if (code === 'supplier_known') pros.push('A supplier that matches is known.');
  const retired = reasons.filter(({ code }) => code === 'not_in_use').length;
  if (retired > 0) (isNew ? pros : cons).push(`Applications that match and are not in use: ${retired}.`);
  if (isNew && fits) cons.push('An application in use fits at least in part.');
  if (kind === 'extend') cons.push('The application has to be changed.');
  return { pros: [...new Set(pros)], cons };
}

/**
 * The draft decision about a proposal, from what was computed: texts of the language model may repeat what readers of the
 * decision do not see.
 * @param existing ids of the cards that it concerns, without those that are created with it
 * @param created number of these
 */
export function decisionOf(
  { title, requirement, design }: Pick<Proposal, 'title' | 'requirement' | 'design'>,
  existing: string[],
  created: number,
): NewDecision {
  const options = design?.options ?? [];
  const fits = options.some(({ card_ids }) => card_ids.length > 0);
  const titleOf = ({ id, kind }: Option): string => `${id}: ${KINDS[kind]}`;
  const chosen = options.find(({ id }) => id === design?.chosen);
  const what = chosen ? titleOf(chosen) : 'a change set that was edited';
  const best = chosen && chosen === options[0] ? ', which was computed as the best option' : '';
  return {
    title,
    context: requirement,
    options: options.map((option) => ({ title: titleOf(option), ...statementsOf(option, fits) })),
    decision: `Proposed: ${what}${best}. Cards created with this draft: ${created}.`,
    card_ids: existing,
  };
}
