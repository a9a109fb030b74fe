import { DateOnly, Strict, Type, Uuid, type Static } from '@lintel/sdk';

/** Weeks of one answer. */
const MOST_WEEKS = 104;

export const loadParameters = {
  from: Type.Optional(Type.String({ format: 'date', description: 'A day of the first week; default: today (UTC).' })),
  weeks: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_WEEKS, default: 13 })),
  done: Type.Optional(Type.Boolean({ default: false, description: 'Whether completed tasks count too.' })),
  most: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 500,
      default: 100,
      description: 'Maximum number of persons, those with the most work first.',
    }),
  ),
};
export const LoadQuery = Strict(loadParameters);
export type LoadQuery = Static<typeof LoadQuery>;

const Hours = (description?: string) => Type.Number({ minimum: 0, ...(description !== undefined && { description }) });

export const LoadView = Type.Object({
  from: DateOnly(),
  to: DateOnly(),
  hours_per_day: Hours('Of the settings.'),
  weeks: Type.Array(
    Type.Object({
      week: Type.String({ description: 'By ISO 8601.', examples: ['2026-W03'] }),
      from: DateOnly(),
      capacity_hours: Hours('Of one person: the working days of the organisation times the hours of a day.'),
    }),
  ),
  people: Type.Array(
    Type.Object({
      user_id: Uuid(),
      display_name: Type.String(),
      total_hours: Hours('In these weeks.'),
      undated_hours: Hours('Of tasks without dates.'),
      tasks_without_effort: Type.Integer({
        description: 'Tasks in these weeks, or without dates, that have no effort and so no hours here.',
      }),
      overloaded_weeks: Type.Integer(),
      hours: Type.Array(Hours(), { description: 'By week.' }),
      overload: Type.Array(Hours(), { description: 'By week, the hours above the capacity.' }),
    }),
  ),
  truncated: Type.Boolean({ description: 'Whether there are more persons.' }),
});
export type LoadView = Static<typeof LoadView>;
