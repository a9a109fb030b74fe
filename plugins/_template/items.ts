import { Nullable, Type, Uuid, resource } from '@lintel/sdk';

/** A task for a card. */
export const items = resource({
  kind: 'starter_item',
  table: 'starter_items',
  tag: 'starter',
  operation: 'StarterItem',
  label: 'an item',
  labels: 'items',
  permissions: { view: 'starter.view', manage: 'starter.manage' },
  card: { field: 'card_id', permission: 'card.starter_manage' },
  fields: {
    card_id: Uuid({ description: 'The card it is about.' }),
    title: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' }),
    note: Nullable(Type.String({ maxLength: 2_000 })),
    done: Type.Boolean({ default: false }),
  },
  references: { card_id: 'card' },
  computed: { title_key: (row, host) => host.nameKey(row.title) },
  search: ['title', 'note'],
  filters: { card_id: 'any', done: 'any' },
  sorts: { title: { column: 'title_key', type: 'text' }, done: true },
  example: { card_id: '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b', title: 'Renew the contract', note: null },
});
