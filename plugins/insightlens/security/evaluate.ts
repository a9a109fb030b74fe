import type { Inventory } from '@lintel/sdk';
import { SEVERITIES, type AnalysisWork, type Need, type NewFinding, type Severity } from '../analyses/definition.js';
import {
  canTest,
  readCards,
  readEnding,
  readRelated,
  readSinglePoints,
  readWithoutOwner,
  type After,
  type Hit,
} from './conditions-repository.js';
import type { CardTest, Condition, Rule } from './rules.js';
import { applicableLinks, applicableTypes } from './metamodel.js';

const PAGE = 1_000;
const DAY_MS = 86_400_000;

/** A day some days after another. @param day YYYY-MM-DD */
export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

/** One level below, for what will only hold later. */
export const milder = (severity: Severity): Severity => SEVERITIES[Math.max(0, SEVERITIES.indexOf(severity) - 1)]!;

/** How the cards of one kind of condition are read and told. */
interface Evaluation {
  /** undefined: the metamodel has not what it reads. */
  read: (inventory: Inventory, after: After) => Promise<Hit[]> | undefined;
  needs: readonly Need[];
  /** Of the cards, in their order. */
  roles: readonly string[];
  /** The number of ids in the key and in the position. */
  keyed: number;
  finding?: (hit: Hit) => { severity?: Severity; evidence: Record<string, unknown> };
}

function evaluationOf({ severity, condition }: Rule, work: AnalysisWork): Evaluation | undefined {
  switch (condition.kind) {
    case 'card':
      return {
        read: (inventory, after) =>
          canTest(inventory, condition.card) ? readCards(inventory, condition.card, after, PAGE) : undefined,
        needs: [],
        roles: ['subject'],
        keyed: 1,
        finding: () => ({ evidence: { tests: condition.card.where } }),
      };
    case 'related':
      return {
        read: (inventory, after) => relatedRead(inventory, condition, work.day, after),
        needs: ['relations'],
        roles: ['subject', 'related'],
        keyed: 2,
        finding: () => ({
          evidence: {
            relation: condition.relation,
            tests: condition.source.where,
            related_tests: condition.target.where,
          },
        }),
      };
    case 'owner': {
      const roles = work.host.settings().owner_roles;
      return {
        read: (inventory, after) => {
          const types = applicableTypes(inventory, condition.types);
          return types.length === 0 ? undefined : readWithoutOwner(inventory, types, roles, after, PAGE);
        },
        needs: ['stakeholders'],
        roles: ['subject'],
        keyed: 1,
      };
    }
    case 'lifecycle': {
      const until = dayAfter(work.day, condition.days);
      return {
        read: (inventory, after) => {
          const types = applicableTypes(inventory, condition.types);
          return types.length === 0 ? undefined : readEnding(inventory, types, until, after, PAGE);
        },
        needs: [],
        roles: ['subject'],
        keyed: 1,
        finding: ({ ends_on }) => ({
          severity: ends_on! <= work.day ? severity : milder(severity),
          evidence: { ends_on, is_past: ends_on! <= work.day },
        }),
      };
    }
    case 'single_point':
      return {
        read: (inventory, after) => {
          const links = applicableLinks(inventory, condition.links);
          return links.length === 0
            ? undefined
            : readSinglePoints(inventory, links, condition.dependants, work.day, after, PAGE);
        },
        needs: ['relations'],
        roles: ['subject', 'dependant'],
        keyed: 1,
        finding: () => ({ evidence: { at_least: condition.dependants } }),
      };
    case 'release':
    case 'patch':
    case 'exploited':
      // Found together, by the products of cards.
      return undefined;
  }
}

function relatedRead(
  inventory: Inventory,
  condition: Extract<Condition, { kind: 'related' }>,
  day: string,
  after: After,
): Promise<Hit[]> | undefined {
  const isReadable =
    inventory.relationTypes.has(condition.relation) &&
    [condition.source, condition.target].every((test: CardTest) => canTest(inventory, test));
  return isReadable ? readRelated(inventory, condition, day, after, PAGE) : undefined;
}

/** Where the phase of the rules continues: a rule, and its last card or pair. */
export interface RulePosition {
  rule: string;
  after: After;
}

/**
 * Finds what meets the condition of a rule, page by page.
 * @param from where it continues; null at its begin
 * @param share of the phase that is complete
 */
export async function evaluate(work: AnalysisWork, rule: Rule, from: After, share: number): Promise<void> {
  const evaluation = evaluationOf(rule, work);
  if (!evaluation) return;
  const { read, needs, roles, keyed, finding } = evaluation;
  for (let after = from; ; ) {
    const position = after;
    const hits = await work.read(async (inventory) => await read(inventory, position));
    const last = hits?.at(-1);
    if (!hits || !last) return;
    const findings = hits.map((hit): NewFinding => {
      const { severity = rule.severity, evidence } = finding?.(hit) ?? { evidence: {} };
      return {
        key: [rule.id, ...hit.ids.slice(0, keyed)].join(':'),
        rule: rule.id,
        severity,
        score: null,
        cards: hit.ids.map((id, i) => ({ id, role: roles[Math.min(i, roles.length - 1)]! })),
        needs,
        evidence,
      };
    });
    after = last.ids.slice(0, keyed);
    const reached: RulePosition = { rule: rule.id, after };
    await work.store(findings, { position: reached, share });
  }
}
