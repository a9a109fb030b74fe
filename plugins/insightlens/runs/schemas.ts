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
import { KINDS } from '../analyses/index.js';
import { RUN_STATES } from './definition.js';

const ID = '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b';

export const RunView = Type.Object(
  {
    id: Uuid(),
    kind: Type.String({ description: 'The analysis.' }),
    state: OneOf(RUN_STATES, {
      description: 'queued and running are active; done, failed and cancelled have ended.',
    }),
    is_current: Type.Boolean({ description: 'Whether its findings are those that are shown.' }),
    phase: Nullable(Type.String({ description: 'The phase under way.' })),
    phases: Type.Array(Type.String(), { description: 'All phases, in their order.' }),
    percent: Type.Integer({ minimum: 0, maximum: 100, description: 'How much of it is complete.' }),
    started_by: Nullable(Uuid({ description: 'The user; null for a run by schedule.' })),
    error: Nullable(Type.Object({ code: Type.String(), detail: Type.String() })),
    created_at: Timestamp(),
    started_at: Nullable(Timestamp()),
    finished_at: Nullable(Timestamp()),
    version: Type.Integer({ minimum: 1 }),
  },
  {
    'x-name': 'InsightRun',
    examples: [
      {
        id: ID,
        kind: 'security',
        state: 'done',
        is_current: true,
        phase: null,
        phases: ['owner-missing'],
        percent: 100,
        started_by: ID,
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
  kind: Type.Optional(AnyOf(KINDS)),
  state: Type.Optional(AnyOf(RUN_STATES)),
  is_current: Type.Optional(Type.Boolean()),
});
export type RunQuery = Static<typeof RunQuery>;
