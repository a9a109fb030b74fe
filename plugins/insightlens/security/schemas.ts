import { Nullable, OneOf, Page, PageQuery, Strict, Timestamp, Type, Uuid, type Static } from '@lintel/sdk';
import { SEVERITIES } from '../analyses/definition.js';
import { REGULATIONS } from './regulations/index.js';

const ID = '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b';
const Counts = (description: string) => Type.Record(Type.String(), Type.Integer(), { description });

export const RuleView = Type.Object(
  {
    id: Type.String(),
    title: Type.String(),
    severity: OneOf(SEVERITIES),
    is_enabled: Type.Boolean(),
    is_applicable: Type.Boolean({ description: 'Whether the metamodel has what it reads, as the caller sees it.' }),
    condition: Type.Record(Type.String(), Type.Unknown(), {
      description: 'What it looks for, with the types, fields and relation types of the metamodel.',
    }),
    references: Type.Array(Type.String(), { description: 'Requirements for which it gives evidence.' }),
  },
  {
    'x-name': 'InsightRule',
    examples: [
      {
        id: 'owner-missing',
        title: 'An application in use has no owner',
        severity: 'medium',
        is_enabled: true,
        is_applicable: true,
        condition: { kind: 'owner', types: ['Application'] },
        references: ['gdpr Art. 5(2)'],
      },
    ],
  },
);
export type RuleView = Static<typeof RuleView>;
export const RulePage = Page(RuleView);
export const ListQuery = Strict(PageQuery);

const RequirementView = Type.Object({
  id: Type.String(),
  text: Type.String({ description: 'In short; the regulation itself is what counts.' }),
  rules: Type.Array(Type.String()),
  status: OneOf(['findings', 'no_findings', 'not_checked'], {
    description: 'Whether there are findings that are new or in review; `not_checked`: none of its rules is applied.',
  }),
  by_state: Counts('Number of findings by state.'),
});

export const ComplianceView = Type.Object(
  {
    id: Type.String(),
    title: Type.String(),
    reference: Type.String(),
    findings: Type.Integer({ minimum: 0, description: 'Number of findings that the caller sees, each counted once.' }),
    open: Type.Integer({ minimum: 0, description: 'Of these, those that are new or in review.' }),
    by_state: Counts('Number by state.'),
    by_severity: Counts('Number of those that are new or in review by severity.'),
    requirements: Type.Array(RequirementView),
    analysed_at: Nullable(Timestamp()),
  },
  {
    'x-name': 'InsightCompliance',
    examples: [
      {
        id: 'gdpr',
        title: 'GDPR',
        reference: 'https://eur-lex.europa.eu/eli/reg/2016/679/oj',
        findings: 1,
        open: 1,
        by_state: { new: 1 },
        by_severity: { medium: 1 },
        requirements: [
          {
            id: 'Art. 5(2)',
            text: 'Someone answers for the processing of personal data.',
            rules: ['owner-missing'],
            status: 'findings',
            by_state: { new: 1 },
          },
        ],
        analysed_at: '2026-01-15T10:00:00.000Z',
      },
    ],
  },
);
export type ComplianceView = Static<typeof ComplianceView>;
export const CompliancePage = Page(ComplianceView);
export const RegulationParams = Strict({ regulation: OneOf(REGULATIONS.map(({ id }) => id)) });

const Note = Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 2_000, pattern: '\\S' })));
export const MOST_MOVES = 1_000;

export const BulkMoves = Strict(
  {
    mode: Type.Optional(OneOf(['all_or_nothing', 'per_row'], { description: 'Default all_or_nothing.' })),
    operations: Type.Array(
      Strict({
        id: Uuid(),
        to: Type.String({ minLength: 1, maxLength: 40, description: 'One of its `allowed_transitions`.' }),
        note: Note,
        version: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'The version the operation is meant for.' }),
        ),
      }),
      { minItems: 1, maxItems: MOST_MOVES },
    ),
  },
  {
    'x-name': 'InsightBulkTransition',
    examples: [{ mode: 'per_row', operations: [{ id: ID, to: 'in_review' }] }],
  },
);
export type BulkMoves = Static<typeof BulkMoves>;

export const BulkMovesView = Type.Object(
  {
    change_id: Uuid(),
    summary: Counts('How many operations have which outcome.'),
    results: Type.Array(
      Type.Object({
        index: Type.Integer(),
        id: Type.Optional(Uuid()),
        version: Type.Optional(Type.Integer()),
        outcome: OneOf(['transitioned', 'failed']),
        code: Type.Optional(Type.String({ description: 'The error code of a corresponding single request.' })),
        errors: Type.Optional(
          Type.Array(Type.Object({ field: Type.String(), reason: Type.String(), in: Type.String() })),
        ),
      }),
    ),
  },
  {
    'x-name': 'InsightBulkTransitionResult',
    examples: [
      {
        change_id: ID,
        summary: { transitioned: 1 },
        results: [{ index: 0, id: ID, version: 2, outcome: 'transitioned' }],
      },
    ],
  },
);

export const Promotion = Strict(
  {
    to: OneOf(['risk', 'decision'], { description: 'A risk of the register, or a draft decision.' }),
    title: Type.Optional(Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' })),
    note: Note,
  },
  { 'x-name': 'InsightPromotion', examples: [{ to: 'risk', title: 'Unsupported database' }] },
);
export type Promotion = Static<typeof Promotion>;

export const Promoted = Type.Object(
  {
    finding_id: Uuid(),
    state: Type.String(),
    promoted_to: Type.Object({
      kind: OneOf(['risk', 'decision']),
      id: Uuid(),
      reference: Type.String({ description: 'Such as R-000001 or ADR-0001.' }),
    }),
    version: Type.Integer({ minimum: 1 }),
  },
  {
    'x-name': 'InsightPromoted',
    examples: [
      {
        finding_id: ID,
        state: 'risk_tracked',
        promoted_to: { kind: 'risk', id: ID, reference: 'R-000001' },
        version: 2,
      },
    ],
  },
);
export type Promoted = Static<typeof Promoted>;
