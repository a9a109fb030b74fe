import { Nullable, Strict, Type, Uuid, type Static } from '@lintel/sdk';
import { CardTypeKey, FieldKey } from '../parameters.js';
import { Figure, FIGURE } from './shapes.js';

export const parameters = Strict({
  type: CardTypeKey('The card type of the cards that are nested. Filters of cards narrow these.'),
  parent_type: Type.String({
    minLength: 1,
    maxLength: 63,
    description: 'The card type of the boxes, nested by its hierarchy.',
    examples: ['BusinessCapability'],
  }),
  relation_type: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 127,
      description:
        'The relation type that connects them, in either direction. Default: the only one made for these types.',
      examples: ['applicationToBusinessCapability'],
    }),
  ),
  color_by: Type.Optional(FieldKey('A field of the cards with one value, by which they are coloured.')),
  level: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 10,
      description: 'Boxes below this level are omitted; their cards are in the box above them at this level.',
    }),
  ),
});
export type Query = Static<typeof parameters>;

const Named = Type.Object({ key: Type.String(), label: Type.String(), color: Type.Optional(Type.String()) });

const CardView = Type.Object({
  id: Uuid(),
  name: Type.String(),
  color_key: Nullable(Type.String({ description: 'Key of the legend.' })),
  href: Type.String(),
});

/** A box with the boxes below it. */
export interface Box {
  id: string;
  name: string;
  level: number;
  count: number;
  href: string | null;
  cards: Static<typeof CardView>[];
  children: Box[];
}

const BoxView = Type.Object({
  id: Uuid(),
  name: Type.String(),
  level: Type.Integer({ description: 'In the hierarchy of the type, from 1.' }),
  ...FIGURE,
  cards: Type.Array(CardView, { description: 'The cards of the box itself, the first ones by name.' }),
  children: Type.Array(Type.Unsafe<Box>({ type: 'object' }), { description: 'Boxes of the same shape.' }),
});

export const answer = Type.Object({
  type: Named,
  parent_type: Named,
  relation_type: Named,
  color_by: Type.Optional(Type.Object({ field: Type.String(), label: Type.String() })),
  boxes: Type.Array(BoxView, {
    description: 'The highest ones. `count` is the number of distinct cards in the box and below.',
  }),
  unassigned: Figure({ description: 'Cards that are in no box.' }),
  legend: Type.Array(
    Type.Object({ key: Nullable(Type.String()), label: Type.String(), color: Type.String(), ...FIGURE }),
  ),
  total: Type.Integer({ description: 'Number of cards, those in no box included.' }),
  href: FIGURE.href,
  truncated: Type.Boolean({
    description: 'Whether there are more than 2,000 boxes, or more than 5,000 cards in boxes.',
  }),
});
export type Answer = Static<typeof answer>;
