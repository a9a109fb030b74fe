import { OneOf, Strict, Type, type Static } from '@lintel/sdk';
import { IMPACT_LABELS, LEVEL_LABELS, PROBABILITY_LABELS } from './reports/words.js';
import { DEFAULT_MATRIX, IMPACTS, LEVELS, type Impact, type Level, type Probability } from './scales.js';

const Label = (initial: string) =>
  Type.String({ minLength: 1, maxLength: 40, pattern: '^\\S[^\\p{Cc}]*$', default: initial });
const Definition = (initial: string) => Type.String({ maxLength: 300, pattern: '^[^\\p{Cc}]*$', default: initial });
const Step = (label: string, definition: string) =>
  Strict({ label: Label(label), definition: Definition(definition) }, { default: {} });
const LevelStyle = (label: string, color: string) =>
  Strict(
    { label: Label(label), color: Type.String({ pattern: '^#[0-9a-fA-F]{6}$', default: color }) },
    { default: {} },
  );

/** Everything has defaults at every depth, so that a merge patch may contain a single cell. */
const Row = (probability: Probability) =>
  Strict(
    Object.fromEntries(
      IMPACTS.map((impact) => [impact, OneOf(LEVELS, { default: DEFAULT_MATRIX[probability][impact] })]),
    ) as Record<Impact, ReturnType<typeof OneOf<Level>>>,
    { default: {} },
  );

export const Settings = Type.Object({
  matrix: Strict(
    { very_high: Row('very_high'), high: Row('high'), medium: Row('medium'), low: Row('low') },
    {
      default: {},
      description:
        'The level of each pair of probability (rows) and impact (columns). A change recomputes the levels of all risks.',
    },
  ),
  probabilities: Strict(
    {
      very_high: Step(PROBABILITY_LABELS.very_high, 'Expected within a month.'),
      high: Step(PROBABILITY_LABELS.high, 'Expected within a year.'),
      medium: Step(PROBABILITY_LABELS.medium, 'Possible within three years.'),
      low: Step(PROBABILITY_LABELS.low, 'Not expected within three years.'),
    },
    { default: {}, description: 'Labels and definitions of the steps of the probability scale.' },
  ),
  impacts: Strict(
    {
      critical: Step(IMPACT_LABELS.critical, 'The business as a whole is in danger.'),
      high: Step(IMPACT_LABELS.high, 'A core process stands still, or the law is broken.'),
      medium: Step(IMPACT_LABELS.medium, 'A process is disturbed for days.'),
      low: Step(IMPACT_LABELS.low, 'Hardly noticed outside of IT.'),
    },
    { default: {}, description: 'Labels and definitions of the steps of the impact scale.' },
  ),
  levels: Strict(
    {
      critical: LevelStyle(LEVEL_LABELS.critical, '#b42318'),
      high: LevelStyle(LEVEL_LABELS.high, '#e5802d'),
      medium: LevelStyle(LEVEL_LABELS.medium, '#f2c94c'),
      low: LevelStyle(LEVEL_LABELS.low, '#6fbf73'),
    },
    { default: {}, description: 'Labels of the levels, and their colours in images.' },
  ),
});
export type Settings = Static<typeof Settings>;
