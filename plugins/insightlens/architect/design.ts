import { TimeSlice, type ImpactReach, type Inventory, type RequestContext } from '@lintel/sdk';
import type { Host } from '../basics.js';
import type { Connection, Design } from './definition.js';
import {
  factsOf,
  relationCounts,
  relationsBetween,
  versionsOf,
  visibleTexts,
  type CardFacts,
} from './landscape-repository.js';
import { Matcher, type Match } from './matching.js';
import { optionsOf, type Candidate } from './options.js';
import { requirementTerms } from './terms.js';

const CAPABILITY = 'BusinessCapability';
const APPLICATION = 'Application';
const INITIATIVE = 'Initiative';
/** Types that describe what is done about the landscape, not what it consists of. */
const NOT_MATCHED = new Set([INITIATIVE, 'Objective']);
const MOST_CAPABILITIES = 5;
const MOST_CARDS = 20;
const MOST_DEPENDENCIES = 50;
/** Cards below this share of the requirement do not match it. */
const LEAST_FIT = 0.05;
/** Cost fields whose amounts are shown. */
const MOST_COSTS = 3;

/** Removes the sorting key, and shows words of the requirement instead of terms. */
const shown = ({ id, type, fit, terms }: Match, words: ReadonlyMap<string, string>): Design['cards'][number] => ({
  card_id: id,
  type,
  fit,
  terms: terms.map((term) => words.get(term)!),
});

/** The relation types between the cards of a change set, as far as the metamodel has them. */
function connections({ relationTypes }: Inventory): Connection[] {
  const pairs = [
    [INITIATIVE, APPLICATION],
    [INITIATIVE, CAPABILITY],
    [APPLICATION, CAPABILITY],
  ] as const;
  return pairs.flatMap(([a, b]) => {
    const found = [...relationTypes.values()].find(
      ({ sourceType, targetType }) => (sourceType === a && targetType === b) || (sourceType === b && targetType === a),
    );
    return found ? [{ type: found.key, source: found.sourceType, target: found.targetType }] : [];
  });
}

async function read(host: Host, inventory: Inventory, words: ReadonlyMap<string, string>, signal: AbortSignal) {
  const slice = new TimeSlice();
  const matcher = new Matcher([...words.keys()], (text) => host.searchFold(text));
  for await (const page of visibleTexts(inventory)) {
    signal.throwIfAborted();
    await matcher.add(
      page.filter(({ type }) => !NOT_MATCHED.has(type)),
      slice,
    );
  }
  const matches = matcher.matches().filter(({ fit }) => fit >= LEAST_FIT);
  const capabilities = matches.filter(({ type }) => type === CAPABILITY).slice(0, MOST_CAPABILITIES);
  const cards = matches.filter(({ type }) => type !== CAPABILITY).slice(0, MOST_CARDS);
  const ids = cards.map(({ id }) => id);
  const costs = [...(inventory.types.get(APPLICATION)?.fields ?? [])]
    .filter(({ isCost, kind }) => isCost && kind === 'number')
    .slice(0, MOST_COSTS);
  const facts = await factsOf(inventory, ids, costs);
  const load = await relationCounts(inventory, ids);
  const support = await relationsBetween(
    inventory,
    ids,
    capabilities.map(({ id }) => id),
  );
  const versions = await versionsOf(inventory, [...ids, ...capabilities.map(({ id }) => id)]);
  const hasInitiative = inventory.types.has(INITIATIVE);
  return { matcher, capabilities, cards, facts, load, support, versions, hasInitiative };
}

/**
 * Designs a target for a requirement, without a language model: what matches it, the options with their reasons, gaps, and what depends on
 * the best option. Everything is read with the rights of the caller, at one instant.
 */
export async function designFor(
  host: Host,
  ctx: RequestContext,
  requirement: string,
  signal: AbortSignal,
): Promise<Design> {
  const words = requirementTerms(requirement, (text) => host.searchFold(text));
  const found = await host.inventory.read(ctx, {}, async (inventory) => ({
    ...(await read(host, inventory, words, signal)),
    links: connections(inventory),
  }));
  const { matcher, capabilities, cards, support, links, hasInitiative } = found;
  const supports = (card: string, capability: string): boolean =>
    support.some(
      ({ source_id: a, target_id: b }) => (a === card && b === capability) || (a === capability && b === card),
    );
  const applications = cards
    .filter(({ type }) => type === APPLICATION)
    .map((match): Candidate => {
      const facts: CardFacts = found.facts.get(match.id) ?? { id: match.id, phase: null, costs: {} };
      return {
        match,
        facts,
        relations: found.load.get(match.id),
        capabilities: capabilities.filter(({ id }) => supports(match.id, id)).map(({ id }) => id),
      };
    });
  const unknown = new Set(matcher.unknown);
  const suppliers = cards.filter(({ type }) => type === 'Provider').map(({ id }) => id);
  const options = optionsOf({ words, applications, suppliers });
  return {
    capabilities: capabilities.map((match) => shown(match, words)),
    cards: cards.map((match) => shown(match, words)),
    options,
    gaps: {
      terms: [...words].filter(([term]) => unknown.has(term)).map(([, word]) => word),
      capability_ids: capabilities
        .filter(({ id }) => !applications.some((one) => one.capabilities.includes(id)))
        .map(({ id }) => id),
      has_no_capability: capabilities.length === 0,
    },
    dependencies: await dependenciesOf(host, ctx, options[0]?.card_ids ?? []),
    connections: links,
    hasInitiative,
    chosen: options[0]?.id ?? null,
    versions: found.versions,
  };
}

async function dependenciesOf(
  host: Host,
  ctx: RequestContext,
  ids: readonly string[],
): Promise<Design['dependencies']> {
  if (!ctx.permissions.has('relations.view')) return null;
  const none: ImpactReach = { nodes: [], edges: [], truncated: false };
  const reach = ids.length === 0 ? none : await host.cards.impact(ctx, ids, { direction: 'both', depth: 2 });
  return {
    cards: reach.nodes.slice(0, MOST_DEPENDENCIES).map(({ id, depth }) => ({ card_id: id, depth })),
    is_truncated: reach.truncated || reach.nodes.length > MOST_DEPENDENCIES,
  };
}
