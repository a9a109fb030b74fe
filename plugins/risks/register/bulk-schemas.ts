import { FieldErrorView, Strict, Type, Uuid, type Static } from '@lintel/sdk';
import { OneOf } from '../scales.js';
import { RISK_EXAMPLE, RiskPatch, TransitionBody } from './schemas.js';

const OPERATIONS = ['create', 'update', 'transition', 'delete'] as const;
const MODES = ['all_or_nothing', 'per_row'] as const;
const { to, comment, rationale, expires_on } = TransitionBody.properties;

const Operation = Strict({
  op: OneOf(OPERATIONS),
  ref: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Names what is created here; later operations of the call say `ref` in place of `id`.',
    }),
  ),
  id: Type.Optional(Uuid()),
  version: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'The version the operation is meant for.' }),
  ),
  risk: Type.Optional(Strict(RiskPatch.properties, { description: 'Of create and update.' })),
  to: Type.Optional(to),
  comment,
  rationale,
  expires_on,
});
export const BulkBody = Strict(
  {
    mode: Type.Optional(OneOf(MODES, { description: 'Default all_or_nothing.' })),
    operations: Type.Array(Operation, { minItems: 1, maxItems: 10_000 }),
  },
  {
    examples: [
      {
        mode: 'all_or_nothing',
        operations: [
          { op: 'create', ref: 'db', risk: RISK_EXAMPLE },
          { op: 'transition', ref: 'db', to: 'analysed' },
        ],
      },
    ],
  },
);
export type BulkBody = Static<typeof BulkBody>;
export type BulkOperation = BulkBody['operations'][number];
export type BulkMode = (typeof MODES)[number];

export const BulkQuery = Strict({
  dry_run: Type.Optional(Type.Boolean({ description: 'All checks and the full result; nothing is stored.' })),
});

export const BulkView = Type.Object(
  {
    change_id: Uuid(),
    summary: Type.Record(Type.String(), Type.Integer()),
    results: Type.Array(
      Type.Object(
        {
          index: Type.Integer(),
          ref: Type.Optional(Type.String()),
          id: Type.Optional(Uuid()),
          reference: Type.Optional(Type.String()),
          version: Type.Optional(Type.Integer()),
          outcome: Type.String({ enum: ['created', 'updated', 'unchanged', 'transitioned', 'deleted', 'failed'] }),
          code: Type.Optional(Type.String({ description: 'What a lone request of the kind would be refused with.' })),
          errors: Type.Optional(Type.Array(FieldErrorView)),
        },
        { 'x-name': 'RiskBulkRow' },
      ),
    ),
  },
  {
    examples: [
      {
        change_id: '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3d',
        summary: { created: 1, transitioned: 1 },
        results: [
          {
            index: 0,
            ref: 'db',
            id: '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b',
            reference: 'R-000001',
            version: 1,
            outcome: 'created',
          },
          {
            index: 1,
            ref: 'db',
            id: '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b',
            reference: 'R-000001',
            version: 2,
            outcome: 'transitioned',
          },
        ],
      },
    ],
  },
);
export type BulkView = Static<typeof BulkView>;
export type BulkResult = BulkView['results'][number];
