import { Nullable, Page, PageQuery, SortBy, Strict, Timestamp, Type, Uuid, type Static } from '@lintel/sdk';

const ID = '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b';

export const IdentityView = Type.Object(
  {
    id: Uuid(),
    mapping_id: Uuid(),
    external_id: Type.String(),
    card: Type.Object({ id: Uuid(), name: Type.String() }),
    linked_at: Nullable(Timestamp()),
  },
  {
    'x-name': 'CmdbsyncIdentity',
    examples: [
      {
        id: ID,
        mapping_id: ID,
        external_id: '361',
        card: { id: ID, name: 'vm1' },
        linked_at: '2026-01-15T10:00:00.000Z',
      },
    ],
  },
);
export type IdentityView = Static<typeof IdentityView>;
export const IdentityPage = Page(IdentityView);
export const IdentityQuery = Strict({
  ...PageQuery,
  sort_by: SortBy('linked_at'),
  mapping_id: Type.Optional(Uuid()),
  card_id: Type.Optional(Uuid()),
  external_id: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
});
export type IdentityQuery = Static<typeof IdentityQuery>;
