import { DateOnly, Nullable, Strict, Type, Uuid, resource, type ResourceService, type Static } from '@lintel/sdk';
import { PROCESS_TYPE } from '../basics.js';
import { ASSESS, CARD_ASSESS, VIEW } from '../permissions.js';

/** What is assessed, besides the overall score. */
export const ASPECTS = ['efficiency', 'effectiveness', 'compliance', 'automation'] as const;
export const SCORES = [...ASPECTS, 'overall'] as const;
export type Score = (typeof SCORES)[number];

const ScoreField = (description: string) => Type.Integer({ minimum: 1, maximum: 5, description });
const ActionItem = Strict({
  title: Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' }),
  due_date: Type.Optional(Nullable(Type.String({ format: 'date' }))),
  done: Type.Optional(Type.Boolean({ default: false })),
});
const ID = '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b';

/** An assessment of a process at a date; scores from 1 (poor) to 5 (very good). */
export const assessments = resource({
  kind: 'bpm_assessment',
  table: 'bpm_assessments',
  tag: 'bpm',
  operation: 'BpmAssessment',
  label: 'an assessment of a process',
  labels: 'assessments of a process',
  permissions: { view: VIEW, manage: ASSESS },
  card: { field: 'card_id', permission: CARD_ASSESS },
  fixed: ['card_id'],
  bounds: [{ per: ['card_id'], most: 5_000 }],
  fields: {
    card_id: Uuid({ description: 'The process.' }),
    assessed_on: DateOnly(),
    efficiency: Nullable(ScoreField('Use of time and money.')),
    effectiveness: Nullable(ScoreField('Whether the process reaches its purpose.')),
    compliance: Nullable(ScoreField('Whether rules are obeyed.')),
    automation: Nullable(ScoreField('Share of the work that systems do.')),
    overall: ScoreField('The judgement as a whole.'),
    notes: Nullable(Type.String({ maxLength: 20_000, description: 'Markdown.' })),
    action_items: Type.Array(ActionItem, { maxItems: 100, default: [] }),
  },
  references: {
    card_id: async (host, ctx, ids) => {
      const found = await host.cards.find(ctx, ids);
      return new Set([...found.values()].filter(({ type }) => type === PROCESS_TYPE).map(({ id }) => id));
    },
  },
  filters: { assessed_on: 'range', overall: 'range' },
  sorts: { assessed_on: true, overall: true },
  defaultSort: 'assessed_on',
  defaultDir: 'desc',
  example: {
    card_id: ID,
    assessed_on: '2026-01-15',
    efficiency: 3,
    effectiveness: 4,
    compliance: 5,
    automation: 2,
    overall: 3,
    notes: 'Much is typed twice.',
    action_items: [{ title: 'Connect the shop with the ledger', due_date: '2026-06-30', done: false }],
  },
});
export type Assessments = ReturnType<typeof assessments.service>;
export type AnyAssessments = ResourceService;

const PointScore = Nullable(Type.Integer({ minimum: 1, maximum: 5 }));
const Point = Type.Object({
  assessed_on: DateOnly(),
  efficiency: PointScore,
  effectiveness: PointScore,
  compliance: PointScore,
  automation: PointScore,
  overall: Type.Integer({ minimum: 1, maximum: 5 }),
});
const Difference = Nullable(Type.Integer());
export const TrendView = Type.Object({
  points: Type.Array(Point, { description: 'The latest 100 assessments, oldest first; the last of each day.' }),
  change: Type.Object(
    {
      efficiency: Difference,
      effectiveness: Difference,
      compliance: Difference,
      automation: Difference,
      overall: Difference,
    },
    { description: 'The last score less the one before; null with fewer than two.' },
  ),
});
export type TrendPoint = Static<typeof Point>;
export type Trend = Static<typeof TrendView>;
