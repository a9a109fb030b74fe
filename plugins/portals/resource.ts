import { Nullable, OneOf, resource, Type, withHiddenCards, withoutHiddenCards } from '@lintel/sdk';
import { faultsOf } from './checks.js';
import { publicationOf, type PortalDefinition } from './definition.js';
import { MOST_PORTALS } from './errors.js';
import { MANAGE } from './permissions.js';
import { countPortals } from './repository.js';

const KEY = '^[a-z_]{1,40}$|^attributes\\.[A-Za-z][A-Za-z0-9_]{0,62}$';
const Keys = (maxItems: number, description: string, keys?: readonly string[]) =>
  Type.Array(Type.String({ pattern: KEY, maxLength: 80 }), {
    maxItems,
    description,
    ...(keys && { default: [...keys] }),
  });

/** Where visitors find a portal. */
export const pathOf = (slug: string): string => `/api/v1/portals/public/${slug}`;

/** Portals: the only way to read and write them, besides what visitors see. */
export const portals = resource({
  kind: 'portals',
  table: 'portals_portals',
  tag: 'portals',
  operation: 'Portal',
  label: 'a portal',
  labels: 'portals',
  permissions: { view: MANAGE, manage: MANAGE },
  fields: {
    slug: Type.String({
      pattern: '^[a-z0-9][a-z0-9-]{1,62}$',
      maxLength: 63,
      description: 'Its name in the address of the portal.',
    }),
    title: Type.String({ minLength: 1, maxLength: 200, pattern: '^(?!\\s*$)[^\\p{Cc}]*$' }),
    description: Nullable(Type.String({ maxLength: 2_000, description: 'Shown above the cards.' })),
    type: Type.String({
      minLength: 1,
      maxLength: 63,
      description: 'Key of the card type whose active cards it shows.',
    }),
    fields: Keys(
      50,
      'What is shown of a card besides its name, in this order: `description`, `external_id`, `subtype`, `approval_status`, `lifecycle_phase` or `attributes.<key>`. Anything else does not exist for visitors.',
      [],
    ),
    costs: Keys(
      50,
      'Those of `fields` that are published although they are costs; requires the permission to see the costs of the type. A field that becomes a cost later disappears until it is named here.',
      [],
    ),
    filters: Type.Unsafe<Record<string, string | number | boolean>>({
      type: 'object',
      properties: {},
      additionalProperties: Type.Union([
        Type.String({ maxLength: 2_000 }),
        Type.Number(),
        Type.Boolean(),
        // Removes a filter in a merge patch.
        Type.Null(),
      ]),
      maxProperties: 20,
      default: {},
      description:
        'Which cards it shows, by the filters of `GET /cards`: `subtype`, `approval_status`, `lifecycle_phase`, `external_id`, `tag` and `attributes.<key>[<operator>]`, but no costs. The fields need not be shown.',
    }),
    visitor_filters: Keys(20, 'Those of `fields` by which visitors can filter: options, numbers, dates, booleans.', []),
    search_fields: Keys(20, '`name`, and those of `fields` with text, in which visitors can search.', ['name']),
    sort_by: Type.String({
      pattern: KEY,
      maxLength: 80,
      default: 'name',
      description: '`name`, or one of `fields`: the order of the cards.',
    }),
    sort_dir: OneOf(['asc', 'desc'], { default: 'asc' }),
    page_size: Type.Integer({ minimum: 1, maximum: 100, default: 25, description: 'Cards of a page, by default.' }),
    is_published: Type.Boolean({ default: false, description: 'Whether everyone can read it without logging in.' }),
  },
  shown: {
    page_url: Type.String({
      description: 'The page for visitors: a path, or the whole address if the operator has set `PUBLIC_URL`.',
    }),
    problems: Type.Array(
      Type.Object({
        field: Type.String({ description: 'JSON pointer in the portal.', examples: ['/fields/2'] }),
        reason: Type.String(),
      }),
      {
        description:
          'What is not published, because the metamodel has changed. With a problem of `/type` or `/filters` the portal is closed.',
      },
    ),
  },
  computed: { title_key: ({ title }, host) => host.nameKey(title) },
  search: ['title', 'slug', 'description'],
  filters: { slug: 'any', type: 'any', is_published: 'any' },
  sorts: { title: { column: 'title_key', type: 'text' }, slug: true, is_published: true },
  defaultSort: 'title',
  name: 'title',
  example: {
    slug: 'applications',
    title: 'Our applications',
    description: 'What we run, for all of our partners.',
    type: 'Application',
    fields: ['description', 'subtype', 'lifecycle_phase', 'attributes.businessCriticality'],
    costs: [],
    filters: { approval_status: 'APPROVED' },
    visitor_filters: ['subtype', 'lifecycle_phase'],
    search_fields: ['name', 'description'],
    sort_by: 'name',
    sort_dir: 'asc',
    page_size: 25,
    is_published: false,
  },
  async prepare({ host, uow, ctx, before, next: sent }) {
    const filters = withHiddenCards(before?.filters, sent.filters);
    const next = { ...sent, filters };
    const faults = faultsOf(host, ctx, next as Checked, before as Checked | undefined);
    if (faults.length > 0) throw host.invalid(...faults);
    if (before) return { filters };
    await host.lock(uow, 'number of portals');
    if ((await countPortals(uow)) >= MOST_PORTALS) throw host.problem('portals_too_many');
    return { filters };
  },
  async present(rows, ctx, host) {
    const filters = await withoutHiddenCards(
      host.cards,
      ctx,
      rows.map((row) => row.filters),
    );
    return rows.map((row, i) => ({
      filters: filters[i]!,
      page_url: `${host.workspace().publicUrl ?? ''}${pathOf(row.slug)}/page`,
      problems: host.inventory.publications.faults(publicationOf(row as Checked)),
    }));
  },
});

type Checked = PortalDefinition & { is_published: boolean };
export type Portals = ReturnType<typeof portals.service>;
