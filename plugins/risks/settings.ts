import { OneOf, Strict, Type, type Static } from '@lintel/sdk';
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
      very_high: Step('Very high', 'Expected within a month.'),
      high: Step('High', 'Expected within a year.'),
      medium: Step('Medium', 'Possible within three years.'),
      low: Step('Low', 'Not expected within three years.'),
    },
    { default: {}, description: 'Labels and definitions of the steps of the probability scale.' },
  ),
  impacts: Strict(
    {
      critical: Step('Critical', 'The business as a whole is in danger.'),
      high: Step('High', 'A core process stands still, or the law is broken.'),
      medium: Step('Medium', 'A process is disturbed for days.'),
      low: Step('Low', 'Hardly noticed outside of IT.'),
    },
    { default: {}, description: 'Labels and definitions of the steps of the impact scale.' },
  ),
  levels: Strict(
    {
      critical: LevelStyle('Critical', '#b42318'),
      high: LevelStyle('High', '#e5802d'),
      medium: LevelStyle('Medium', '#f2c94c'),
      low: LevelStyle('Low', '#6fbf73'),
    },
    { default: {}, description: 'Labels of the levels, and their colours in images.' },
  ),
});
export type Settings = Static<typeof Settings>;
