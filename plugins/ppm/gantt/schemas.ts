import { DateOnly, LANGUAGE_TAG, Nullable, OneOf, Strict, Type, Uuid, type Static } from '@lintel/sdk';
import { DEPENDENCY_TYPES } from '../schedule/types.js';

export const GanttQuery = Strict({
  format: Type.Optional(OneOf(['json', 'svg'], { default: 'json' })),
  baseline_id: Type.Optional(Uuid({ description: 'A baseline of the plan, shown below the bars.' })),
  from_row: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 10_000,
      default: 1,
      description: 'The first item, counted in the order of the tree.',
    }),
  ),
  rows: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, description: 'Items; default: all.' })),
  width: Type.Optional(
    Type.Integer({ minimum: 400, maximum: 4_000, default: 1_200, description: 'Pixels, of a picture.' }),
  ),
  theme: Type.Optional(OneOf(['light', 'dark'], { default: 'light' })),
  lang: Type.Optional(
    Type.String({
      pattern: LANGUAGE_TAG,
      maxLength: 35,
      description: 'Language of a picture, BCP 47; default: the first one of the workspace.',
      examples: ['en'],
    }),
  ),
});
export type GanttQuery = Static<typeof GanttQuery>;

const Row = Type.Object({
  id: Uuid(),
  outline: Type.String({ examples: ['1.2.3'] }),
  depth: Type.Integer({ minimum: 0 }),
  title: Type.String(),
  kind: OneOf(['task', 'milestone', 'summary']),
  start_date: DateOnly(),
  finish_date: DateOnly(),
  completion: Type.Number({
    minimum: 0,
    maximum: 100,
    description: 'Percent; of a summary by the durations of what is below it.',
  }),
  critical: Type.Boolean(),
  total_float: Type.Integer({ description: 'Working days.' }),
  baseline: Nullable(Type.Object({ start_date: DateOnly(), finish_date: DateOnly() })),
});
const Link = Type.Object({
  predecessor_id: Uuid(),
  successor_id: Uuid(),
  type: OneOf(DEPENDENCY_TYPES),
  critical: Type.Boolean(),
});

export const GanttView = Type.Object({
  card_id: Uuid(),
  title: Type.String(),
  start_date: Nullable(Type.String({ format: 'date', description: 'Of all rows; null without rows.' })),
  finish_date: Nullable(Type.String({ format: 'date' })),
  today: DateOnly(),
  from_row: Type.Integer({ minimum: 1 }),
  total_rows: Type.Integer(),
  rows: Type.Array(Row),
  dependencies: Type.Array(Link, { description: 'Between items that are among the rows.' }),
  non_working: Type.Array(DateOnly(), {
    description: 'Days between the start and the finish that are not worked; none for plans of more than ten years.',
  }),
  baseline: Nullable(Type.Object({ id: Uuid(), name: Type.String() })),
});
export type GanttView = Static<typeof GanttView>;
