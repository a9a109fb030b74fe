import { Nullable, OneOf, Strict, Type, Uuid, type Static } from '@lintel/sdk';

export const PreviewBody = Strict(
  { limit: Type.Integer({ minimum: 1, maximum: 20, default: 5, description: 'Number of records at most.' }) },
  { examples: [{ limit: 5 }] },
);

const Anything = Type.Unsafe<Record<string, unknown>>(
  Type.Object({}, { additionalProperties: true, examples: [{ name: 'srv-01' }] }),
);

const PreviewRecord = Type.Object(
  {
    external_id: Type.String({ examples: ['42'] }),
    raw: Anything,
    values: Anything,
    references: Type.Record(Type.String(), Type.Array(Type.String()), { examples: [{ site: ['3'] }] }),
    errors: Type.Array(Type.Object({ field: Type.String(), reason: Type.String() })),
    card: Nullable(
      Type.Object({
        id: Uuid(),
        name: Type.String(),
        matched_by: OneOf(['identity', 'external_id', 'name'], {
          description: 'identity: the record was synchronised before; otherwise the target of the identity key.',
        }),
      }),
    ),
  },
  { 'x-name': 'CmdbsyncPreviewRecord' },
);

export const PreviewView = Type.Object({
  items: Type.Array(PreviewRecord),
  withheld: Type.Array(Type.String(), { description: 'Targets that are costs which the caller may not see.' }),
});
export type PreviewView = Static<typeof PreviewView>;
export type PreviewRecord = PreviewView['items'][number];
