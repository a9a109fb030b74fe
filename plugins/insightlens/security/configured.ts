import type { Settings } from '../settings.js';
import { RULES, type Condition, type Rule } from './rules.js';

/** A rule as the settings change it. */
export interface ConfiguredRule extends Rule {
  isEnabled: boolean;
}

/** All rules as the settings change them. */
export function configuredRules({ rules }: Pick<Settings, 'rules'>): ConfiguredRule[] {
  return RULES.map((rule) => {
    const {
      is_enabled = true,
      severity = rule.severity,
      days,
      dependants,
    } = Object.assign({}, ...rules.filter(({ id }) => id === rule.id)) as Partial<Settings['rules'][number]>;
    return { ...rule, severity, isEnabled: is_enabled, condition: conditionWith(rule.condition, days, dependants) };
  });
}

function conditionWith(condition: Condition, days?: number, dependants?: number): Condition {
  if (days !== undefined && (condition.kind === 'lifecycle' || condition.kind === 'release'))
    return { ...condition, days };
  return dependants !== undefined && condition.kind === 'single_point' ? { ...condition, dependants } : condition;
}

/** The rule with an id. @throws an Error if there is none, since rules are data of the module */
export function ruleOf(rules: readonly ConfiguredRule[], id: string): ConfiguredRule {
  const rule = rules.find((one) => one.id === id);
  if (!rule) throw new Error(`there is no rule ${id}`);
  return rule;
}
