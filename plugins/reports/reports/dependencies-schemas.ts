import { Nullable, OneOf, Strict, Type, Uuid, type Static } from '@lintel/sdk';
import { FIGURE, LOOK } from './shapes.js';

export const parameters = Strict({
  card_id: Type.Optional(Uuid({ description: 'The card around which the graph is; or `type`.' })),
  type: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 63,
      description: 'The card type of the graph, which the filters of cards narrow; or `card_id`.',
      examples: ['Application'],
    }),
  ),
  depth: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 6,
      default: 3,
      description:
        'Maximum distance from the card, in relations. With `type`: 1 for the relations among its cards only; more for the cards at the other ends of their relations as well.',
    }),
  ),
  relation_type: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2_000,
      description: 'Relation types to follow, comma-separated; default: all.',
      examples: ['applicationToITComponent'],
    }),
  ),
  direction: Type.Optional(
    OneOf(['downstream', 'upstream', 'both'], {
      default: 'downstream',
      description: 'downstream follows relations from source to target, upstream from target to source.',
    }),
  ),
});
export type Query = Static<typeof parameters>;

export const answer = Type.Object({
  card_id: Nullable(Uuid()),
  type: Nullable(Type.String()),
  depth: Type.Integer(),
  direction: OneOf(['downstream', 'upstream', 'both']),
  nodes: Type.Array(
    Type.Object({
      id: Uuid(),
      name: Type.String(),
      type: Type.String(),
      depth: Type.Integer({ minimum: 0, description: 'Distance in relations; 0 for the card, or those of the type.' }),
      layer: Type.Integer({ minimum: 0, description: 'Below all cards with a relation to it, by the longest path.' }),
      href: Type.String(),
    }),
    { description: 'Nearest first.' },
  ),
  edges: Type.Array(
    Type.Object({
      id: Uuid(),
      type: Type.String(),
      source_id: Uuid(),
      target_id: Uuid(),
      label: Type.String({ description: 'Of the relation type, as seen from the source.' }),
      href: Type.String(),
    }),
  ),
  layers: Type.Array(
    Type.Object({ layer: Type.Integer(), types: Type.Array(Type.String()), ids: Type.Array(Uuid()) }),
    { description: 'The nodes from the first layer to the last one. A relation that closes a cycle has no influence.' },
  ),
  types: Type.Array(
    Type.Object({
      key: Type.String(),
      label: Type.String(),
      color: Type.String(),
      icon: LOOK.icon,
      count: Type.Integer({ description: 'Number of nodes.' }),
    }),
  ),
  total: Nullable(Type.Integer({ description: 'Number of cards of the type; null with `card_id`.' })),
  href: FIGURE.href,
  truncated: Type.Boolean({ description: 'There are more than 500 cards or 2,000 relations: the nearest are shown.' }),
});
export type Answer = Static<typeof answer>;
