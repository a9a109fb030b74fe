import {
  AnyOf,
  Nullable,
  OneOf,
  Page,
  PageQuery,
  SortBy,
  Strict,
  Timestamp,
  Type,
  Uuid,
  type Static,
} from '@lintel/sdk';

const ID = '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b';
export const RUN_STATES = ['queued', 'reading', 'applying', 'review', 'done', 'failed', 'cancelled'] as const;
const Direction = (options: Record<string, unknown> = {}) => OneOf(['pull', 'push', 'both'], options);

export const RunView = Type.Object(
  {
    id: Uuid(),
    mapping_id: Uuid(),
    mapping: Type.String({ description: 'Name of the mapping.' }),
    state: OneOf(RUN_STATES, {
      description:
        'queued, reading and applying are active; review: records wait for a decision; done, failed and cancelled have ended.',
    }),
    direction: Direction(),
    is_full: Type.Boolean({ description: 'Whether all records are read, not only those changed since the last run.' }),
    dry_run: Type.Boolean({ description: 'Whether it only reports what would be done.' }),
    auto_apply: Type.Boolean({ description: 'Whether records that need no decision are applied at once.' }),
    started_by: Nullable(Uuid({ description: 'The user; null for a run by schedule.' })),
    slot: Nullable(Timestamp()),
    pages: Type.Integer({ minimum: 0, description: 'Pages read.' }),
    total: Nullable(Type.Integer({ description: 'Number of records, as the other system told it.' })),
    guard_tripped: Type.Boolean({
      description:
        'Whether more cards would be archived than the ratio of the mapping allows; these wait for a decision.',
    }),
    counts: Type.Record(Type.String(), Type.Integer(), {
      description:
        'Numbers of records: read, unchanged, create, update, archive, conflict, skip, error; remote_create and remote_update: to be written to the other system; applied, pushed and failed: written to cards, to the other system, and neither; of references: linked, unlinked, unresolved.',
    }),
    error: Nullable(Type.Object({ code: Type.String(), detail: Type.String() })),
    created_at: Timestamp(),
    started_at: Nullable(Timestamp()),
    finished_at: Nullable(Timestamp()),
    version: Type.Integer({ minimum: 1 }),
  },
  {
    'x-name': 'CmdbsyncRun',
    examples: [
      {
        id: ID,
        mapping_id: ID,
        mapping: 'Virtual machines',
        state: 'done',
        direction: 'pull',
        is_full: true,
        dry_run: false,
        auto_apply: true,
        started_by: ID,
        slot: null,
        pages: 3,
        total: 2400,
        guard_tripped: false,
        counts: { read: 2400, unchanged: 2390, update: 10 },
        error: null,
        created_at: '2026-01-15T10:00:00.000Z',
        started_at: '2026-01-15T10:00:00.100Z',
        finished_at: '2026-01-15T10:00:03.000Z',
        version: 5,
      },
    ],
  },
);
export type RunView = Static<typeof RunView>;
export const RunPage = Page(RunView);

export const RunQuery = Strict({
  ...PageQuery,
  sort_by: SortBy('created_at'),
  mapping_id: Type.Optional(Uuid()),
  state: Type.Optional(AnyOf(RUN_STATES)),
});
export type RunQuery = Static<typeof RunQuery>;

export const RunStart = Strict(
  {
    direction: Type.Optional(Direction({ description: 'One that the mapping has; default: its direction.' })),
    full: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Reads all records, or with the direction push those of all linked cards. The first run of a mapping that reads always does.',
      }),
    ),
    dry_run: Type.Optional(Type.Boolean({ default: false })),
    auto_apply: Type.Optional(Type.Boolean({ description: 'Default: as the mapping says.' })),
  },
  { 'x-name': 'CmdbsyncRunStart', examples: [{ direction: 'pull', full: true, dry_run: true }] },
);
export type RunStart = Static<typeof RunStart>;

export const RunApply = Type.Union(
  [
    Strict({ record_ids: Type.Array(Uuid(), { minItems: 1, maxItems: 1_000, uniqueItems: true }) }),
    Strict({ all: Type.Literal(true, { description: 'All records that wait and are no conflicts.' }) }),
  ],
  { 'x-name': 'CmdbsyncRunApply', examples: [{ all: true }] },
);
export type RunApply = { record_ids: string[] } | { all: true };

export const ReportQuery = Strict({ format: Type.Optional(OneOf(['json', 'csv'], { default: 'json' })) });
export const RunReport = Type.Object(
  {
    run: RunView,
    connection: Type.String({ description: 'Name of the connection.' }),
    card_type: Type.String(),
    table: Type.String(),
    records: Type.Array(
      Type.Object({ action: Type.String(), side: Type.String(), state: Type.String(), count: Type.Integer() }),
      { description: 'Numbers of records by what was to be done, where, and what became of it.' },
    ),
    reasons: Type.Array(Type.Object({ reason: Type.String(), count: Type.Integer() }), {
      description: 'The most frequent reasons why records were skipped, failed or wait; at most 50.',
    }),
  },
  { 'x-name': 'CmdbsyncRunReport' },
);
export type RunReport = Static<typeof RunReport>;
