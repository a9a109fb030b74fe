import { Nullable, OneOf, Type, Uuid, resource } from '@lintel/sdk';
import { initiativesAmong } from '../basics.js';
import { CARD_MANAGE, MANAGE, VIEW } from '../permissions.js';

export const RISK_STATUSES = ['open', 'mitigating', 'mitigated', 'closed', 'accepted'] as const;
const Text = (description: string) => Nullable(Type.String({ maxLength: 20_000, description }));
const Rating = (description: string) => Type.Integer({ minimum: 1, maximum: 5, description });

/** Risks of initiatives, apart from the register of the module of risks. */
export const risks = resource({
  kind: 'ppm_risk',
  table: 'ppm_risks',
  tag: 'ppm',
  operation: 'PpmRisk',
  label: 'a risk of an initiative',
  labels: 'risks of an initiative',
  permissions: { view: VIEW, manage: MANAGE },
  card: { field: 'card_id', permission: CARD_MANAGE },
  fixed: ['card_id'],
  bounds: [{ per: ['card_id'], most: 2_500 }],
  fields: {
    card_id: Uuid({ description: 'The initiative.' }),
    title: Type.String({ minLength: 1, maxLength: 300, pattern: '^(?!\\s*$)[^\\p{Cc}]*$' }),
    description: Text('Markdown.'),
    probability: Rating('From 1, very unlikely, to 5, almost certain.'),
    impact: Rating('From 1, negligible, to 5, very severe.'),
    mitigation: Text('What is done about it; Markdown.'),
    owner_id: Nullable(Uuid()),
    status: OneOf(RISK_STATUSES, { default: 'open' }),
  },
  references: { card_id: initiativesAmong, owner_id: 'user' },
  assigned: {
    promoted_risk_id: Nullable(Uuid({ description: 'The risk of the register that was made from it.' })),
    promoted_reference: Nullable(Type.String({ examples: ['R-000001'] })),
  },
  shown: {
    score: Type.Integer({ minimum: 1, maximum: 25, description: 'Probability × impact.', examples: [12] }),
  },
  reads: { score: 'r.score' },
  filters: { status: 'any', owner_id: 'any', score: 'range' },
  sorts: { score: { column: 'score', type: 'integer' }, title: true, status: true },
  defaultSort: 'score',
  defaultDir: 'desc',
  search: ['title', 'description'],
  example: {
    card_id: '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b',
    title: 'The supplier delivers late',
    description: null,
    probability: 3,
    impact: 4,
    mitigation: 'A second supplier is asked for an offer.',
    owner_id: null,
    status: 'open',
  },
  prepare: ({ next }) => ({ title: next.title.trim() }),
});
export type PlanRisks = ReturnType<typeof risks.service>;
