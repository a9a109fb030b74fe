import { Type, type TProperties, type TSchema } from 'typebox';
import { FieldErrorView, OneOf, Strict, Uuid } from '../schemas.js';
import type { AnySpec } from './spec.js';
import { transitionMembers } from './transition-schemas.js';

const MOST_OPERATIONS = 10_000;
const ID = '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b';

/** Schemas of `POST {prefix}/bulk`. */
export interface BulkSchemas {
  body: TSchema;
  query: TSchema;
  view: TSchema;
}

/**
 * @param properties members of an operation that creates or changes, as of a merge patch
 * @param example of the fields
 */
export function bulkSchemas(spec: AnySpec, properties: TProperties, example: Record<string, unknown>): BulkSchemas {
  const { transitions } = spec;
  const { member } = spec.bulk!;
  const kinds = ['create', 'update', ...(transitions ? ['transition'] : []), 'delete'];
  const { to, ...said } = transitions ? transitionMembers(transitions) : ({} as TProperties);
  const Operation = Strict({
    op: Type.String({ enum: kinds }),
    ref: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Identifies the created resource; later operations of the request use `ref` instead of `id`.',
      }),
    ),
    id: Type.Optional(Uuid()),
    version: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'The version the operation is meant for.' }),
    ),
    [member]: Type.Optional(Strict(properties, { description: 'Of create and update.' })),
    ...(to && { to: Type.Optional(to) }),
    ...said,
  });
  const next = transitions?.moves[transitions.initial]?.[0];
  const outcomes = ['created', 'updated', 'unchanged', ...(transitions ? ['transitioned'] : []), 'deleted', 'failed'];
  const row = { index: 0, ref: 'new', id: ID, ...(spec.reference && { reference: '1' }), version: 1 };
  return {
    query: Strict({
      dry_run: Type.Optional(Type.Boolean({ description: 'All checks and the full result; nothing is stored.' })),
    }),
    body: Strict(
      {
        mode: Type.Optional(
          Type.String({ enum: ['all_or_nothing', 'per_row'], description: 'Default all_or_nothing.' }),
        ),
        operations: Type.Array(Operation, { minItems: 1, maxItems: MOST_OPERATIONS }),
      },
      {
        examples: [
          {
            mode: 'all_or_nothing',
            operations: [
              { op: 'create', ref: 'new', [member]: example },
              ...(next === undefined ? [] : [{ op: 'transition', ref: 'new', to: next }]),
            ],
          },
        ],
      },
    ),
    view: Type.Object(
      {
        change_id: Uuid(),
        summary: Type.Record(Type.String(), Type.Integer(), { description: 'How many operations have which outcome.' }),
        results: Type.Array(
          Type.Object(
            {
              index: Type.Integer(),
              ref: Type.Optional(Type.String()),
              id: Type.Optional(Uuid()),
              ...(spec.reference && { reference: Type.Optional(Type.String()) }),
              version: Type.Optional(Type.Integer()),
              outcome: OneOf(outcomes),
              code: Type.Optional(Type.String({ description: 'The error code of a corresponding single request.' })),
              errors: Type.Optional(Type.Array(FieldErrorView)),
            },
            { 'x-name': `${spec.operation}BulkRow` },
          ),
        ),
      },
      {
        examples: [
          {
            change_id: '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3d',
            summary: { created: 1 },
            results: [{ ...row, outcome: 'created' }],
          },
        ],
      },
    ),
  };
}
