import type { Analysis, Phase } from '../analyses/definition.js';
import { configuredRules, ruleOf } from './configured.js';
import { evaluate, type RulePosition } from './evaluate.js';
import { productPhase } from './product-phase.js';
import { RULES } from './rules.js';

const PRODUCT_KINDS = ['release', 'patch', 'exploited'];

const ORDER = RULES.filter(({ condition }) => !PRODUCT_KINDS.includes(condition.kind)).map(({ id }) => id);

/** The rules that read the landscape alone, one after the other. */
const rulePhase: Phase = {
  key: 'rules',
  async run(work) {
    const rules = configuredRules(work.host.settings());
    const position = work.position as RulePosition | null;
    const first = position ? ORDER.indexOf(position.rule) : 0;
    for (const [i, id] of ORDER.entries()) {
      const rule = ruleOf(rules, id);
      if (i < first || !rule.isEnabled) continue;
      await evaluate(work, rule, position?.rule === id ? position.after : null, i / ORDER.length);
    }
  },
};

/** Rules over the landscape. */
export const security: Analysis = {
  kind: 'security',
  title: 'Security and compliance',
  states: {
    initial: 'new',
    moves: {
      new: ['in_review', 'accepted', 'not_applicable', 'risk_tracked'],
      in_review: ['new', 'mitigated', 'accepted', 'not_applicable', 'risk_tracked'],
      mitigated: ['in_review', 'verified'],
      verified: ['in_review'],
      accepted: ['in_review'],
      not_applicable: ['in_review'],
      risk_tracked: ['in_review', 'mitigated'],
    },
    withNote: ['accepted', 'not_applicable'],
  },
  phases: [rulePhase, productPhase],
};
