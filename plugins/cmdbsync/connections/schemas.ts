import { Nullable, OneOf, Page, PageQuery, SortBy, Strict, Timestamp, Type, Uuid, type Static } from '@lintel/sdk';

const Search = Type.Optional(Type.String({ maxLength: 200, description: 'Words in the key or the label.' }));
const FIELD_TYPES = [
  'text',
  'number',
  'boolean',
  'date',
  'datetime',
  'reference',
  'references',
  'list',
  'object',
] as const;

const ConnectorItem = Type.Object(
  {
    key: Type.String({ examples: ['netbox'] }),
    title: Type.String(),
    description: Type.String(),
    module: Type.String({ description: 'Id of the module that provides it.' }),
    config: Type.Unsafe<object>(
      Type.Object(
        {},
        { additionalProperties: true, description: 'JSON Schema of the settings.', examples: [{ type: 'object' }] },
      ),
    ),
    secrets: Type.Array(Type.Object({ name: Type.String(), description: Type.String(), is_required: Type.Boolean() })),
  },
  { 'x-name': 'CmdbsyncConnector' },
);
export const Connectors = Type.Object({ items: Type.Array(ConnectorItem) });

export const TestView = Type.Object({
  tested_at: Timestamp(),
  ok: Type.Boolean(),
  detail: Type.String({ examples: ['NetBox 4.1'] }),
});
export type TestView = Static<typeof TestView>;

const TableItem = Type.Object(
  {
    key: Type.String({ examples: ['cmdb_ci_server'] }),
    label: Type.String(),
    records: Nullable(Type.Integer({ description: 'Null if the other system does not tell it.' })),
    mapped_by: Type.Array(Uuid(), { description: 'Ids of the mappings that read it; none: it is not mapped.' }),
  },
  { 'x-name': 'CmdbsyncTable' },
);
export type TableItem = Static<typeof TableItem>;
export const TablePage = Page(TableItem);
export const TableQuery = Strict({ ...PageQuery, sort_by: SortBy('key', 'label'), search: Search });

const FieldItem = Type.Object(
  {
    key: Type.String({ examples: ['serial_number'] }),
    label: Type.String(),
    type: OneOf(FIELD_TYPES),
    references: Nullable(Type.String({ description: 'Of a reference: key of the table, if it is known.' })),
    is_writable: Type.Boolean(),
    mapped_to: Type.Array(Type.String(), { description: 'Targets and relation types of the mapping in the query.' }),
  },
  { 'x-name': 'CmdbsyncField' },
);
export type FieldItem = Static<typeof FieldItem>;
export const FieldPage = Page(FieldItem);
export const FieldQuery = Strict({
  ...PageQuery,
  sort_by: SortBy('key', 'label'),
  search: Search,
  mapping_id: Type.Optional(Uuid()),
});
export const TableParams = Strict({ id: Uuid(), table: Type.String({ minLength: 1, maxLength: 200 }) });
