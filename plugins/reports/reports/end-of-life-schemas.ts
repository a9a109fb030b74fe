import { Nullable, OneOf, Strict, Type, type Static } from '@lintel/sdk';
import { CARD, Figure, FIGURE, TYPE } from './shapes.js';

export const parameters = Strict({
  horizon_days: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 3_650,
      default: 365,
      description: 'The end of life is soon if it is within so many days after today.',
    }),
  ),
  dependent_type: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2_000,
      description: 'Card types that count as dependents, comma-separated; default: all.',
      examples: ['Application'],
    }),
  ),
});
export type Query = Static<typeof parameters>;

const Day = (description?: string) =>
  Type.String({ format: 'date', ...(description !== undefined && { description }) });
const SPLIT = { past: Figure(), soon: Figure() };

export const answer = Type.Object({
  today: Day('The day of the report, UTC.'),
  until: Day('The last day that is soon.'),
  past: Figure({ description: 'Cards whose end of life is today or was before.' }),
  soon: Figure({ description: 'Cards whose end of life is after today, and not after `until`.' }),
  by_type: Type.Array(Type.Object({ ...TYPE, ...SPLIT })),
  by_period: Type.Array(
    Type.Object({
      from: Nullable(Day()),
      to: Day('The last day.'),
      label: Type.String(),
      ...FIGURE,
      types: Type.Array(Type.Object({ type: Type.String(), ...FIGURE })),
    }),
    {
      description:
        'What is past, then what is soon by month, quarter or year of its end, by the length of the horizon.',
    },
  ),
  items: Type.Array(
    Type.Object({
      ...CARD,
      end_of_life: Day(),
      days: Type.Integer({ description: 'From today; negative where it is past.' }),
      state: OneOf(['past', 'soon']),
      dependents: Figure({ description: 'Distinct cards with a relation to it, in either direction.' }),
    }),
    { description: 'By date: those nearest to today.' },
  ),
  affected: Type.Array(
    Type.Object({
      ...CARD,
      components: Figure({ description: 'Distinct cards of the report with a relation to it.' }),
    }),
    { description: 'The 50 cards with relations to the most of them.' },
  ),
  truncated: Type.Boolean({ description: 'Whether there are more than 500 such cards.' }),
});
export type Answer = Static<typeof answer>;
