import { Type } from 'typebox';
import { Strict, Uuid, OneOf } from '../../foundation/http/schemas.js';

export const ImpactQuery = Strict({
  direction: Type.Optional(
    OneOf(['downstream', 'upstream', 'both'], {
      default: 'downstream',
      description: 'downstream follows relations from source to target, upstream from target to source.',
    }),
  ),
  depth: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 6, default: 3, description: 'Relations from the card to the farthest ones.' }),
  ),
  relation_type: Type.Optional(
    Type.String({
      maxLength: 2_000,
      description: 'Relation types to follow, comma separated; all where absent.',
      examples: ['applicationToITComponent'],
    }),
  ),
});

export const ImpactView = Type.Object({
  nodes: Type.Array(
    Type.Object({
      id: Uuid(),
      type: Type.String(),
      name: Type.String(),
      depth: Type.Integer({ minimum: 1, maximum: 6, description: 'Relations on the shortest way from the card.' }),
      path: Type.Array(Uuid(), { description: 'Ids of the relations on that way, from the card on.' }),
    }),
    { description: 'The cards reached, nearest first; the card itself is none of them.' },
  ),
  edges: Type.Array(Type.Object({ id: Uuid(), type: Type.String(), source_id: Uuid(), target_id: Uuid() }), {
    description: 'Every relation followed, those that lead back included.',
  }),
  truncated: Type.Boolean({ description: 'There is more than 5,000 cards or 20,000 relations.' }),
});
