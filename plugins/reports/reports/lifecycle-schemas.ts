import { Nullable, OneOf, Strict, Type, Uuid, type Static } from '@lintel/sdk';
import { CardTypeKey, FieldKey } from '../parameters.js';
import { PHASES } from './phases.js';
import { Figure, FIGURE } from './shapes.js';

const Bound = (description: string) =>
  Type.Optional(
    Type.String({ minLength: 4, maxLength: 10, description: `${description}, or a year.`, examples: ['2026'] }),
  );

export const parameters = Strict({
  type: CardTypeKey('The card type.'),
  group_by: Type.Optional(FieldKey('A field with one value, by which the cards are grouped.')),
  from: Bound('The first day of the axis'),
  to: Bound('The last day of the axis'),
});
export type Query = Static<typeof parameters>;

const Day = (description: string) => Type.String({ format: 'date', description });

export const answer = Type.Object({
  type: Type.Object({ key: Type.String(), label: Type.String() }),
  group_by: Type.Optional(Type.Object({ field: Type.String(), label: Type.String() })),
  today: Day('The day of the report, UTC.'),
  from: Day('The first day of the axis.'),
  to: Day('The last day of the axis.'),
  phases: Type.Array(Type.Object({ phase: OneOf(PHASES), label: Type.String(), color: Type.String() })),
  groups: Type.Array(
    Type.Object({
      key: Nullable(Type.String()),
      label: Type.String(),
      color: Type.Optional(Type.String()),
      ...FIGURE,
    }),
    { description: 'In their order; without `group_by` there are none.' },
  ),
  items: Type.Array(
    Type.Object({
      id: Uuid(),
      name: Type.String(),
      group: Nullable(Type.String({ description: 'Key of the group.' })),
      href: Type.String(),
      phases: Type.Array(
        Type.Object({
          phase: OneOf(PHASES),
          from: Day('First day.'),
          to: Nullable(Day('The first day of the next phase; null for the last phase.')),
        }),
        { description: 'Those with a day on the axis, with their whole range.' },
      ),
    }),
    { description: 'Cards with dates, by group and name.' },
  ),
  total: Type.Integer({ description: 'Number of cards with dates.' }),
  href: FIGURE.href,
  without: Figure({ description: 'Cards without any date.' }),
  truncated: Type.Boolean({ description: 'Whether there are more than 500 cards with dates.' }),
});
export type Answer = Static<typeof answer>;
