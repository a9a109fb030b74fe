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
import { SEVERITIES } from '../analyses/definition.js';
import { KINDS } from '../analyses/index.js';

const ID = '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b';
const State = (options: Record<string, unknown> = {}) => Type.String({ minLength: 1, maxLength: 40, ...options });

export const FindingView = Type.Object(
  {
    id: Uuid(),
    kind: Type.String({ description: 'The analysis that has found it.' }),
    rule: Type.String({ description: 'The rule of the analysis.' }),
    severity: OneOf(SEVERITIES),
    score: Nullable(
      Type.Number({ description: '0 to 100, such as a similarity; null if the rule holds or does not.' }),
    ),
    evidence: Type.Record(Type.String(), Type.Unknown(), { description: 'The reasons, by the rule.' }),
    cards: Type.Array(Type.Object({ id: Uuid(), name: Type.String(), type: Type.String(), role: Type.String() }), {
      description: 'All cards from which it was concluded.',
    }),
    state: State({ description: 'What people have decided; it is kept when the analysis runs again.' }),
    allowed_transitions: Type.Array(Type.String()),
    note: Nullable(Type.String()),
    promoted_to: Nullable(
      Type.Object(
        { kind: OneOf(['risk', 'decision']), id: Uuid(), reference: Type.String() },
        { description: 'The risk or decision that was made of it.' },
      ),
    ),
    state_by: Nullable(Uuid()),
    state_at: Nullable(Timestamp()),
    run_id: Uuid({ description: 'The run whose result this is.' }),
    is_current: Type.Boolean({ description: 'Whether the current run of the analysis has found it.' }),
    found_at: Timestamp(),
    version: Type.Integer({ minimum: 1 }),
  },
  {
    'x-name': 'InsightFinding',
    examples: [
      {
        id: ID,
        kind: 'security',
        rule: 'owner-missing',
        severity: 'medium',
        score: null,
        evidence: {},
        cards: [{ id: ID, name: 'Shop', type: 'Application', role: 'subject' }],
        state: 'new',
        allowed_transitions: ['in_review', 'accepted', 'not_applicable', 'risk_tracked'],
        note: null,
        promoted_to: null,
        state_by: null,
        state_at: null,
        run_id: ID,
        is_current: true,
        found_at: '2026-01-15T10:00:02.000Z',
        version: 1,
      },
    ],
  },
);
export type FindingView = Static<typeof FindingView>;
export const FindingPage = Page(FindingView);

export const FindingQuery = Strict({
  ...PageQuery,
  total: Type.Optional(
    OneOf(['exact', 'none'], {
      description:
        '`exact` counts all hits, `none` no hits: `total` is then null. Otherwise they are counted up to 10,000.',
    }),
  ),
  sort_by: SortBy('severity', 'score', 'found_at'),
  kind: Type.Optional(AnyOf(KINDS)),
  rule: Type.Optional(Type.String({ maxLength: 200, description: 'Keys of rules, by comma.' })),
  severity: Type.Optional(AnyOf(SEVERITIES)),
  state: Type.Optional(Type.String({ maxLength: 200, description: 'States, by comma.' })),
  card_id: Type.Optional(Uuid()),
  run_id: Type.Optional(Uuid({ description: 'A completed run; default: the current run of each analysis.' })),
});
export type FindingQuery = Static<typeof FindingQuery>;

export const FindingMove = Strict(
  {
    to: State({ description: 'One of `allowed_transitions`.' }),
    note: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 2_000, pattern: '\\S' }))),
  },
  { 'x-name': 'InsightFindingTransition', examples: [{ to: 'accepted', note: 'It is retired in March.' }] },
);
export type FindingMove = Static<typeof FindingMove>;
