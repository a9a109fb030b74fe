import {
  AnyOf,
  DateOnly,
  Nullable,
  OneOf,
  Page,
  PageQuery,
  SortBy,
  Strict,
  Timestamp,
  Type,
  Uuid,
  resource,
  type Static,
} from '@lintel/sdk';
import { Owner, Title, UUID, ownersOf } from '../fields.js';
import { MANAGE, VIEW } from '../permissions.js';
import { FREQUENCIES } from './recurrence.js';
import { findRisks, openOccurrences } from './repository.js';

const STATUSES = ['planned', 'in_progress', 'done', 'cancelled'] as const;
const OUTCOMES = ['done', 'skipped'] as const;
const OCCURRENCE_STATUSES = ['open', 'done', 'skipped', 'cancelled'] as const;

const FIELDS = {
  title: Title,
  description: Nullable(Type.String({ maxLength: 20_000, description: 'Markdown.' })),
  owner_id: Nullable(Uuid()),
  due_date: Nullable(DateOnly()),
  recurrence: OneOf(FREQUENCIES, { default: 'none' }),
  recurrence_interval: Type.Integer({
    minimum: 1,
    maximum: 100,
    default: 1,
    description: 'Every so many weeks, months, quarters or years.',
  }),
  ends_on: Nullable(Type.String({ format: 'date', description: 'The last day of a series.' })),
  status: OneOf(STATUSES, {
    default: 'planned',
    description: 'Done and cancelled ones have no open occurrence; they can be taken up again.',
  }),
};
const OpenOccurrence = Nullable(Type.Object({ id: Uuid(), number: Type.Integer(), due_date: Nullable(DateOnly()) }));
const EXAMPLE = {
  title: 'Test the restore',
  description: null,
  owner_id: null,
  due_date: '2026-03-31',
  recurrence: 'quarterly',
  recurrence_interval: 1,
  ends_on: null,
  status: 'planned',
} as const;
const ID = '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3e';

/** A mitigation of a risk: a single or recurring task. */
export const mitigations = resource({
  kind: 'risks_mitigation',
  table: 'risks_mitigations',
  tag: 'risks',
  operation: 'RiskMitigation',
  label: 'a mitigation',
  labels: 'mitigations',
  permissions: { view: VIEW, manage: MANAGE },
  fields: { risk_id: Uuid(), ...FIELDS },
  fixed: ['risk_id'],
  bounds: [{ per: ['risk_id'], most: 500 }],
  assigned: {
    series_start: Nullable(
      Type.String({
        format: 'date',
        description:
          'The date the series is counted from: what falls on the 31st falls on the last day of shorter months.',
        examples: ['2026-03-31'],
      }),
    ),
  },
  shown: {
    owner: Owner,
    open_occurrence: OpenOccurrence,
    is_overdue: Type.Boolean({
      description: 'The due date of the open occurrence has passed (UTC).',
      examples: [false],
    }),
  },
  computed: { title_key: ({ title }, host) => host.nameKey(title) },
  search: ['title', 'description'],
  references: { risk_id: (host, _ctx, ids) => findRisks(host.db, ids) },
  filters: { status: 'any', owner_id: 'any', due_date: 'range' },
  sorts: { title: { column: 'title_key', type: 'text' }, status: true, due_date: true },
  defaultSort: 'created_at',
  example: { risk_id: ID, ...EXAMPLE },
  async present(rows, _ctx, host) {
    const open = await openOccurrences(
      host.db,
      rows.map(({ id }) => id),
    );
    const owners = await ownersOf(host, rows);
    return rows.map(({ id }, i) => {
      const { is_overdue = false, ...occurrence } = open.get(id) ?? {};
      return {
        owner: owners[i]!,
        open_occurrence: 'id' in occurrence ? (occurrence as Static<typeof OpenOccurrence>) : null,
        is_overdue,
      };
    });
  },
});

const { title, ...rest } = FIELDS;
export const MitigationCreate = Strict(
  { title, ...Type.Partial(Type.Object(rest)).properties },
  { examples: [EXAMPLE] },
);
export type MitigationCreate = Static<typeof MitigationCreate>;
export const MitigationPatch = Strict(
  { ...Type.Partial(Type.Object(FIELDS)).properties },
  { minProperties: 1, examples: [{ status: 'in_progress', due_date: '2026-04-30' }] },
);
export type MitigationPatch = Static<typeof MitigationPatch>;
export const MitigationPage = Page(mitigations.view);

export const MitigationQuery = Strict({
  ...PageQuery,
  sort_by: SortBy('title', 'status', 'due_date', 'created_at', 'updated_at'),
  status: Type.Optional(AnyOf(STATUSES)),
  owner_id: Type.Optional(
    Type.String({ maxLength: 4_000, pattern: `^${UUID}(,${UUID})*$`, description: 'Ids of users by comma.' }),
  ),
  due_date_from: Type.Optional(DateOnly()),
  due_date_to: Type.Optional(DateOnly()),
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Every word must occur in the title or the description.',
    }),
  ),
});
export const MitigationParams = Strict({ id: Uuid(), mitigation_id: Uuid() });

export const OccurrenceParams = Strict({ id: Uuid(), mitigation_id: Uuid(), occurrence_id: Uuid() });
export const OccurrenceQuery = Strict({
  ...PageQuery,
  sort_by: SortBy('number'),
  status: Type.Optional(AnyOf(OCCURRENCE_STATUSES)),
});
export type OccurrenceQuery = Static<typeof OccurrenceQuery>;
export const OccurrenceView = Type.Object(
  {
    id: Uuid(),
    mitigation_id: Uuid(),
    number: Type.Integer({ minimum: 1 }),
    due_date: Nullable(DateOnly()),
    status: OneOf(OCCURRENCE_STATUSES),
    comment: Nullable(Type.String()),
    ended_by: Nullable(Uuid()),
    ended_at: Nullable(Timestamp()),
    created_at: Timestamp(),
  },
  {
    examples: [
      {
        id: ID,
        mitigation_id: ID,
        number: 1,
        due_date: '2026-03-31',
        status: 'open',
        comment: null,
        ended_by: null,
        ended_at: null,
        created_at: '2026-01-15T10:00:00.000Z',
      },
    ],
  },
);
export type OccurrenceView = Static<typeof OccurrenceView>;
export const OccurrencePage = Page(OccurrenceView);
export const CompleteBody = Nullable(
  Strict(
    {
      outcome: Type.Optional(OneOf(OUTCOMES, { description: 'Default done.' })),
      comment: Type.Optional(Type.String({ maxLength: 5_000 })),
    },
    { examples: [{ outcome: 'done', comment: 'Restored in 40 minutes.' }] },
  ),
);
export type CompleteBody = Static<typeof CompleteBody>;
