import type { Design } from './definition.js';
import type { CardFacts } from './landscape-repository.js';
import type { Match } from './matching.js';

type Option = Design['options'][number];
type Reason = Option['reasons'][number];

/** An application from this share of the requirement on is used as it is; from the lower one on it is extended. */
const REUSE_FIT = 0.5;
const EXTEND_FIT = 0.15;
/** Without an application that fits, it is bought before it is built, as long as nothing speaks against it. */
const BUY_SCORE = 0.12;
const KNOWN_SUPPLIER = 0.02;
const BUILD_SCORE = 0.1;
/** Extending an application changes what others use. */
const EXTEND_SHARE = 0.8;
const MOST_APPLICATIONS = 6;
const IN_USE = new Set(['phaseIn', 'active']);

/** An application that matches, with what is known about it. */
export interface Candidate {
  match: Match;
  facts: CardFacts;
  /** Number of its relations; undefined if it has none that the caller sees. */
  relations: number | undefined;
  /** Matching capabilities that it supports. */
  capabilities: string[];
}

function reasonsOf({ match, facts, relations, capabilities }: Candidate, words: ReadonlyMap<string, string>): Reason[] {
  const { id: card_id, terms } = match;
  const has = new Set(terms);
  const missing = [...words].filter(([term]) => !has.has(term)).map(([, word]) => word);
  const isInUse = facts.phase === null || IN_USE.has(facts.phase);
  return [
    { code: 'covers_terms', card_id, value: terms.map((term) => words.get(term)) },
    ...(missing.length > 0 ? [{ code: 'misses_terms' as const, card_id, value: missing }] : []),
    { code: isInUse ? 'in_use' : 'not_in_use', card_id, value: facts.phase },
    ...capabilities.map((capability): Reason => ({ code: 'supports_capability', card_id, value: capability })),
    ...(relations === undefined ? [] : [{ code: 'relations' as const, card_id, value: relations }]),
    ...(Object.keys(facts.costs).length === 0 ? [] : [{ code: 'costs' as const, card_id, value: facts.costs }]),
  ];
}

/** The options for a requirement with their reasons, the best first. Costs are reasons, but change no score: not every reader sees them. */
export function optionsOf({
  words,
  applications,
  suppliers,
}: {
  words: ReadonlyMap<string, string>;
  applications: readonly Candidate[];
  /** Ids of suppliers that match. */
  suppliers: readonly string[];
}): Option[] {
  const fitting = applications
    .filter(({ match, facts }) => match.fit >= EXTEND_FIT && (facts.phase === null || IN_USE.has(facts.phase)))
    .slice(0, MOST_APPLICATIONS);
  const existing = fitting.map((candidate): Omit<Option, 'id'> => {
    const { id, fit } = candidate.match;
    const kind = fit >= REUSE_FIT ? 'reuse' : 'extend';
    const score = kind === 'reuse' ? fit : fit * EXTEND_SHARE;
    return { kind, card_ids: [id], score: rounded(score), reasons: reasonsOf(candidate, words) };
  });
  const left = applications.filter((one) => !fitting.includes(one));
  const none: Reason[] = fitting.length === 0 ? [{ code: 'no_application_fits' }] : [];
  const retired = left
    .filter(({ facts }) => facts.phase !== null && !IN_USE.has(facts.phase))
    .slice(0, MOST_APPLICATIONS)
    .map(({ match, facts }): Reason => ({ code: 'not_in_use', card_id: match.id, value: facts.phase }));
  const known = suppliers.map((card_id): Reason => ({ code: 'supplier_known', card_id }));
  const made: Omit<Option, 'id'>[] = [
    {
      kind: 'buy',
      card_ids: [],
      score: rounded(BUY_SCORE + (suppliers.length > 0 ? KNOWN_SUPPLIER : 0)),
      reasons: [...none, ...retired, ...known],
    },
    { kind: 'build', card_ids: [], score: BUILD_SCORE, reasons: [...none, ...retired] },
  ];
  return [...existing, ...made].sort((a, b) => b.score - a.score).map((option, i) => ({ id: `O${i + 1}`, ...option }));
}

const rounded = (score: number): number => Math.round(score * 1_000) / 1_000;
