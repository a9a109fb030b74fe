import { DateOnly, Nullable, Strict, Timestamp, Type, Uuid, type Static } from '@lintel/sdk';

const CalendarException = Strict({
  date: DateOnly(),
  working: Type.Boolean({ description: 'Whether the day is worked, also if it is a holiday of the organisation.' }),
  name: Type.Optional(Type.String({ maxLength: 200 })),
});

/** Working days of one plan. */
export const PlanCalendar = Strict({
  working_days: Type.Optional(
    Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), {
      minItems: 1,
      maxItems: 7,
      uniqueItems: true,
      description: 'By ISO 8601, 1 is Monday. Absent: those of the settings.',
    }),
  ),
  exceptions: Type.Optional(Type.Array(CalendarException, { maxItems: 2_000 })),
});
export type PlanCalendar = Static<typeof PlanCalendar>;

const FIELDS = {
  start_date: Nullable(
    Type.String({
      format: 'date',
      description: 'The first day of the schedule; null: the earliest planned date, otherwise that of the card.',
    }),
  ),
  calendar: Nullable(PlanCalendar),
};
export const PlanPatch = Strict(
  { start_date: Type.Optional(FIELDS.start_date), calendar: Type.Optional(FIELDS.calendar) },
  {
    minProperties: 1,
    examples: [
      {
        start_date: '2026-03-02',
        calendar: { exceptions: [{ date: '2026-04-03', working: false, name: 'Good Friday' }] },
      },
    ],
  },
);
export type PlanPatch = Static<typeof PlanPatch>;

export const PlanView = Type.Object({
  card_id: Uuid(),
  ...FIELDS,
  effective_calendar: Type.Object({
    working_days: Type.Array(Type.Integer()),
    holidays: Type.Array(Type.Object({ date: DateOnly(), name: Type.String() }), {
      description: 'Days that are not worked although their weekday is, from a year ago to five years ahead.',
    }),
  }),
  wbs_count: Type.Integer(),
  task_count: Type.Integer(),
  dependency_count: Type.Integer(),
  rolled_up_fields: Type.Array(Type.String(), { description: 'Fields of the card whose values come from the plan.' }),
  version: Type.Integer({ minimum: 1 }),
  updated_at: Nullable(Timestamp()),
});
export type PlanView = Static<typeof PlanView>;
export const PlanParams = Strict({ card_id: Uuid() });
