import { Nullable, OneOf, Strict, Type, Uuid, type Static } from '@lintel/sdk';
import { CardTypeKey } from '../parameters.js';
import { FIGURE } from './shapes.js';

const Level = (which: string) =>
  Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 10,
      description: `Cards of the ${which} below this level are added up in the card above them at this level.`,
    }),
  );

export const parameters = Strict({
  row_type: CardTypeKey('The card type of the rows. Filters of cards narrow the rows.'),
  col_type: Type.String({
    minLength: 1,
    maxLength: 63,
    description: 'The card type of the columns.',
    examples: ['BusinessCapability'],
  }),
  relation_type: Type.String({
    minLength: 1,
    maxLength: 127,
    description: 'The relation type that connects them, in either direction.',
    examples: ['applicationToBusinessCapability'],
  }),
  direction: Type.Optional(
    OneOf(['outgoing', 'incoming'], {
      description:
        'As seen from the rows; only relations of this direction count. Default: the one in which the type connects rows and columns; outgoing, if both do.',
    }),
  ),
  measure: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 80,
      default: 'count',
      description: '`count`, or an attribute of the relations: numbers are summed, values of a list are counted.',
      examples: ['supportType'],
    }),
  ),
  row_level: Level('rows'),
  col_level: Level('columns'),
  empty: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Whether cards without such a relation have a row or column as well.',
    }),
  ),
});
export type Query = Static<typeof parameters>;

const Named = Type.Object({ key: Type.String(), label: Type.String(), color: Type.Optional(Type.String()) });
const Sum = Type.Optional(Nullable(Type.Number({ description: 'The sum, if a number is measured.' })));

const Header = Type.Object({
  id: Uuid(),
  name: Type.String(),
  level: Type.Integer({ description: 'In the hierarchy of the type, from 1.' }),
  parent_id: Nullable(Uuid({ description: 'The nearest card above that has a row or column itself.' })),
  total: Type.Integer({ description: 'Number of relations, those of columns or rows that are not shown included.' }),
  sum: Sum,
  href: FIGURE.href,
});

const Cell = Type.Object({
  row_id: Uuid(),
  col_id: Uuid(),
  ...FIGURE,
  value: Type.Optional(
    Nullable(
      Type.Union([Type.Number(), Type.String()], {
        description: 'The sum of the measured attribute, or the label of its value where the cell is one relation.',
      }),
    ),
  ),
  values: Type.Optional(
    Type.Array(
      Type.Object({
        key: Nullable(Type.String()),
        label: Type.String(),
        color: Type.Optional(Type.String()),
        ...FIGURE,
      }),
      {
        description: 'Relations by value of the measured attribute; one with several values counts in each.',
      },
    ),
  ),
});

export const answer = Type.Object({
  row_type: Named,
  col_type: Named,
  relation_type: Named,
  direction: OneOf(['outgoing', 'incoming']),
  measure: Type.Object({ key: Type.String(), label: Type.String(), unit: Type.Optional(Type.String()) }),
  rows: Type.Array(Header, { description: 'In the order of the hierarchy: each card before those below it.' }),
  cols: Type.Array(Header),
  cells: Type.Array(Cell, { description: 'Only those with relations.' }),
  total: Type.Integer({ description: 'Number of relations.' }),
  sum: Sum,
  href: FIGURE.href,
  truncated: Type.Boolean({
    description:
      'Whether there are more than 200 rows or columns, or 20,000 cells or values of cells: those with most are shown.',
  }),
});
export type Answer = Static<typeof answer>;
