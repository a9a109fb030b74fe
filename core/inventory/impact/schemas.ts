import { Type } from 'typebox';
import { Strict, Uuid, OneOf } from '../../foundation/http/schemas.js';
import { DEFAULT_DEPTH, MAX_DEPTH } from './request.js';

export const ImpactQuery = Strict({
  direction: Type.Optional(
    OneOf(['downstream', 'upstream', 'both'], {
      default: 'downstream',
      description: 'downstream follows relations from source to target, upstream from target to source.',
    }),
  ),
  depth: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_DEPTH,
      default: DEFAULT_DEPTH,
      description: 'Maximum distance from the card, in relations.',
    }),
  ),
  relation_type: Type.Optional(
    Type.String({
      maxLength: 2_000,
      description: 'Relation types to follow, comma-separated; default: all.',
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
      depth: Type.Integer({ minimum: 1, maximum: MAX_DEPTH, description: 'Distance from the card, in relations.' }),
      path: Type.Array(Uuid(), { description: 'Ids of the relations on a shortest path, starting at the card.' }),
    }),
    { description: 'The cards reached, nearest first, without the card itself.' },
  ),
  edges: Type.Array(Type.Object({ id: Uuid(), type: Type.String(), source_id: Uuid(), target_id: Uuid() }), {
    description: 'All relations followed, including those that lead back.',
  }),
  truncated: Type.Boolean({ description: 'There are more than 5,000 cards or 20,000 relations.' }),
});
