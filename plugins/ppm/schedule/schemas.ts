import { DateOnly, Nullable, OneOf, Strict, Type, Uuid, type Static } from '@lintel/sdk';
import { CONSTRAINTS, DEPENDENCY_TYPES } from './types.js';

export const CardParams = Strict({ card_id: Uuid() });

export const ScheduleQuery = Strict({
  finish_by: Type.Optional(
    Type.String({
      format: 'date',
      description:
        'The day by which the plan is to be finished; latest dates and floats refer to it. Default: the computed finish.',
    }),
  ),
  critical: Type.Optional(Type.Boolean({ description: 'Only critical items, or only others.' })),
});
export type ScheduleQuery = Static<typeof ScheduleQuery>;

const Days = (description: string) => Type.Integer({ description: `Working days. ${description}` });

const ScheduledItem = Type.Object({
  id: Uuid(),
  outline: Type.String({ examples: ['1.2.3'] }),
  depth: Type.Integer({ minimum: 0 }),
  title: Type.String(),
  is_summary: Type.Boolean(),
  is_milestone: Type.Boolean(),
  duration_days: Days('Of a summary: from its start to its finish.'),
  duration_assumed: Type.Boolean({ description: 'Neither a duration nor both dates are planned: one day is assumed.' }),
  start_date: DateOnly(),
  finish_date: Type.String({
    format: 'date',
    description: 'The last day of the item. A milestone is on the day at whose end it falls.',
    examples: ['2026-01-15'],
  }),
  early_start: DateOnly(),
  early_finish: DateOnly(),
  late_start: DateOnly(),
  late_finish: DateOnly(),
  total_float: Days('By which the item can be late without making the plan late; negative if it is late already.'),
  free_float: Days('By which the item can be late without moving another item.'),
  critical: Type.Boolean({ description: 'Without total float.' }),
});

const Conflict = Type.Object({
  item_id: Uuid(),
  title: Type.String(),
  constraint_type: OneOf(CONSTRAINTS),
  wanted: Type.String({ format: 'date', description: 'The date of the constraint.', examples: ['2026-01-15'] }),
  computed: Type.String({ format: 'date', description: 'The start or finish as scheduled.', examples: ['2026-01-19'] }),
  driven_by: Nullable(
    Type.Object(
      {
        dependency_id: Uuid(),
        predecessor_id: Uuid(),
        title: Type.String({ description: 'Of the predecessor.' }),
        type: OneOf(DEPENDENCY_TYPES),
      },
      { description: 'The dependency that determines the date; null for the start of the plan.' },
    ),
  ),
});

export const ScheduleView = Type.Object({
  card_id: Uuid(),
  start_date: Type.String({
    format: 'date',
    description: 'The first working day of the plan.',
    examples: ['2026-01-15'],
  }),
  finish_date: Nullable(Type.String({ format: 'date', description: 'The last day of the plan; null without items.' })),
  finish_by: Nullable(Type.String({ format: 'date' })),
  duration_days: Days('From the start to the finish.'),
  items: Type.Array(ScheduledItem, {
    description: 'All items, or those that were asked for, in the order of the tree; at most 10,000.',
  }),
  conflicts: Type.Array(Conflict, { description: 'Constraints that predecessors do not allow to be met.' }),
});
export type ScheduleView = Static<typeof ScheduleView>;
