import { Nullable, OneOf, Page, PageQuery, Strict, Type, Uuid, type InventoryField } from '@lintel/sdk';
import type { VisitorCard } from './published/cards-repository.js';
import type { OpenPortal } from './published/service.js';

const Slug = Type.String({ minLength: 1, maxLength: 63, examples: ['applications'] });
export const SlugParams = Strict({ slug: Slug });
export const CardParams = Strict({ slug: Slug, id: Uuid() });

export const CardsQuery = Type.Object(
  {
    ...PageQuery,
    page_size: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, description: 'Items per page; default: as the portal says.' }),
    ),
    sort_by: Type.Optional(Type.String({ maxLength: 80, description: 'One of `sorts` of the portal.' })),
    search: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'Every word must be a part of one of the texts in which the portal searches; at most 10 words.',
      }),
    ),
  },
  {
    additionalProperties: Type.String({ maxLength: 500 }),
    maxProperties: 50,
    description:
      'And the filters of the portal: `<key>`, for several values separated by commas; for numbers and dates `<key>[gte]` and `<key>[lte]`.',
  },
);

const FieldView = Type.Object({
  key: Type.String(),
  label: Type.String(),
  kind: OneOf(['option', 'options', 'text', 'number', 'date', 'boolean']),
  unit: Nullable(Type.String()),
  options: Type.Array(Type.Object({ key: Type.String(), label: Type.String(), color: Nullable(Type.String()) })),
});

export const PortalView = Type.Object(
  {
    slug: Type.String(),
    title: Type.String(),
    description: Nullable(Type.String()),
    type: Type.Object({ key: Type.String(), label: Type.String() }),
    fields: Type.Array(FieldView, { description: 'What is shown of a card besides its name.' }),
    filters: Type.Array(Type.String(), { description: 'Keys of the fields by which cards can be filtered.' }),
    sorts: Type.Array(Type.String(), { description: 'Values of `sort_by`.' }),
    has_search: Type.Boolean(),
    page_size: Type.Integer(),
    currency: Nullable(Type.String({ description: 'ISO 4217 code of costs, if any are shown.' })),
  },
  { 'x-name': 'PublicPortal' },
);

export const CardView = Type.Object(
  {
    id: Uuid(),
    name: Type.String(),
    fields: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'Values by the keys of the fields of the portal; null where a card has none.',
      examples: [{ subtype: 'Business Application', 'attributes.businessCriticality': 'high' }],
    }),
  },
  { 'x-name': 'PublicPortalCard' },
);
export const CardsPage = Page(CardView);

/** A unit; for costs it is the currency. */
export const unitOf = ({ isCost, unit }: InventoryField, currency: string): string | undefined =>
  isCost ? currency : unit;

/** The representation of a portal for visitors. */
export function portalView({ portal, type, fields, filters, sorts }: OpenPortal, currency: string) {
  return {
    slug: portal.slug,
    title: portal.title,
    description: portal.description,
    type: { key: type.key, label: type.label },
    fields: fields.map((field) => ({
      key: field.key,
      label: field.label,
      kind: field.kind as Exclude<InventoryField['kind'], 'id'>,
      unit: unitOf(field, currency) ?? null,
      options: field.options.map(({ key, label, color }) => ({ key, label, color: color ?? null })),
    })),
    filters: filters.map(({ key }) => key),
    sorts: [...sorts],
    has_search: portal.search_fields.length > 0,
    page_size: portal.page_size,
    currency: fields.some(({ isCost }) => isCost) ? currency : null,
  };
}

export type { VisitorCard };
