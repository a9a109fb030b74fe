import type { Regulation } from './definition.js';
import { DORA } from './dora.js';
import { EU_AI_ACT } from './eu-ai-act.js';
import { GDPR } from './gdpr.js';
import { ISO27001 } from './iso27001.js';
import { NIS2 } from './nis2.js';
import { SOC2 } from './soc2.js';

/** All regulations. A new one is a line here. */
export const REGULATIONS: readonly Regulation[] = [EU_AI_ACT, GDPR, NIS2, DORA, SOC2, ISO27001];

/** By rule, where findings of it are evidence: `gdpr Art. 32`. */
export const REFERENCES: ReadonlyMap<string, readonly string[]> = new Map(
  [...new Set(REGULATIONS.flatMap(({ requirements }) => requirements.flatMap(({ rules }) => rules)))].map((rule) => [
    rule,
    REGULATIONS.flatMap(({ id, requirements }) =>
      requirements.filter(({ rules }) => rules.includes(rule)).map((requirement) => `${id} ${requirement.id}`),
    ),
  ]),
);
