import { Nullable, OneOf, Page, PageQuery, SortBy, Strict, Type, Uuid, type Static } from '@lintel/sdk';
import { SEVERITIES } from '../analyses/definition.js';

const ID = '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b';

export const CandidateView = Type.Object(
  {
    id: Uuid({ description: 'Of the card.' }),
    name: Type.String(),
    type: Type.String(),
    order: Type.Integer({ minimum: 1, description: 'Its place by waves, groups and score.' }),
    wave: Nullable(
      Type.Integer({
        minimum: 1,
        description:
          'The first in which all candidates it depends on are in earlier ones; null without relations.view.',
      }),
    ),
    cycle: Type.Array(Uuid(), {
      description:
        'The candidates that depend on one another in a circle with it, itself included: to be done together.',
    }),
    score: Type.Number({ description: 'Sum of the points of its reasons × the factor of its criticality.' }),
    effort: Nullable(
      Type.Number({
        description:
          '(1 + dependants + dependencies ÷ 2) × the factor of its criticality; null without relations.view.',
      }),
    ),
    dependants: Nullable(Type.Integer({ minimum: 0, description: 'Cards that depend on it.' })),
    dependencies: Nullable(Type.Integer({ minimum: 0, description: 'Cards on which it depends.' })),
    criticality: Nullable(Type.String()),
    annual_cost: Nullable(Type.Number({ description: 'Null for a caller who may not see the costs of the card.' })),
    reasons: Type.Array(
      Type.Object({
        finding_id: Uuid(),
        kind: Type.String(),
        rule: Type.String(),
        severity: OneOf(SEVERITIES),
        state: Type.String(),
        points: Type.Integer(),
      }),
      { description: 'Findings that the caller sees, with their points; of several of one rule the most severe.' },
    ),
  },
  {
    'x-name': 'InsightCandidate',
    examples: [
      {
        id: ID,
        name: 'Shop',
        type: 'Application',
        order: 1,
        wave: 1,
        cycle: [],
        score: 37.5,
        effort: 6,
        dependants: 2,
        dependencies: 2,
        criticality: 'missionCritical',
        annual_cost: null,
        reasons: [
          {
            finding_id: ID,
            kind: 'modernisation',
            rule: 'technical-fit',
            severity: 'medium',
            state: 'proposed',
            points: 25,
          },
        ],
      },
    ],
  },
);
export type CandidateView = Static<typeof CandidateView>;
export const CandidatePage = Page(CandidateView);
export const CandidateQuery = Strict({ ...PageQuery, sort_by: SortBy('order', 'score', 'effort', 'name') });
export type CandidateQuery = Static<typeof CandidateQuery>;
