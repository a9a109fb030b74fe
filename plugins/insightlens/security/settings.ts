import { OneOf, Strict, Type } from '@lintel/sdk';
import { SEVERITIES } from '../analyses/definition.js';
import { RULE_IDS } from './rules.js';

/** Settings of the rules: what differs from their definition. */
export const RuleSettings = {
  rules: Type.Array(
    Strict({
      id: OneOf(RULE_IDS),
      is_enabled: Type.Optional(Type.Boolean({ description: 'false: the rule is not applied.' })),
      severity: Type.Optional(OneOf(SEVERITIES)),
      days: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 3_650,
          description: 'Of `end-of-life` and `release-ended`: days before an end from which it is found.',
        }),
      ),
      dependants: Type.Optional(
        Type.Integer({
          minimum: 2,
          maximum: 100,
          description: 'Of `single-point`: the smallest number of dependants.',
        }),
      ),
    }),
    { default: [], maxItems: 100, description: 'Changes of rules, by their ids; the last one of a rule applies.' },
  ),
};
