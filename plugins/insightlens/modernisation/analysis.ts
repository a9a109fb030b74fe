import type { Analysis, AnalysisWork, Need, NewFinding, Phase } from '../analyses/definition.js';
import type { RulePosition } from '../security/evaluate.js';
import { evaluate } from '../security/evaluate.js';
import { readExpensive, readLowQuality, type Figure } from './figures-repository.js';
import { HIGH_COST, LOW_QUALITY, REASONS } from './reasons.js';

const PAGE = 1_000;
/** The most expensive tenth of the cards of a type. */
const COST_SHARE = 0.9;

const fieldPhase: Phase = {
  key: 'fields',
  async run(work) {
    const position = work.position as RulePosition | null;
    const first = position ? REASONS.findIndex(({ id }) => id === position.rule) : 0;
    for (const [i, rule] of REASONS.entries())
      if (i >= first)
        await evaluate(work, rule, position?.rule === rule.id ? position.after : null, i / REASONS.length);
  },
};

/** A phase that stores what is read page by page, by id. */
function figurePhase(
  rule: string,
  needs: readonly Need[],
  read: (work: AnalysisWork, after: string | null) => Promise<Figure[]>,
): Phase {
  return {
    key: rule,
    async run(work) {
      for (let after = work.position as string | null; ; ) {
        const rows = await read(work, after);
        const last = rows.at(-1);
        if (!last) return;
        after = last.id;
        const findings = rows.map(
          ({ id, ...evidence }): NewFinding => ({
            key: `${rule}:${id}`,
            rule,
            severity: 'low',
            score: null,
            cards: [{ id, role: 'subject' }],
            needs,
            evidence,
          }),
        );
        await work.store(findings, { position: after });
      }
    },
  };
}

/** What should be modernised, and why. */
export const modernisation: Analysis = {
  kind: 'modernisation',
  title: 'Modernisation',
  states: {
    initial: 'proposed',
    moves: {
      proposed: ['planned', 'declined'],
      planned: ['proposed', 'done', 'declined'],
      done: ['proposed'],
      declined: ['proposed'],
    },
    withNote: ['declined'],
  },
  phases: [
    fieldPhase,
    // Whether a card has relations and stakeholders is part of its quality.
    figurePhase(LOW_QUALITY, ['relations', 'stakeholders'], (work, after) =>
      work.read((inventory) => readLowQuality(inventory, work.host.settings().modernisation_quality, after, PAGE)),
    ),
    figurePhase(HIGH_COST, ['costs'], (work, after) =>
      work.read((inventory) => readExpensive(inventory, COST_SHARE, after, PAGE)),
    ),
  ],
};
