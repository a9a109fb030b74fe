import { OneOf, Strict, Type, type Static } from '@lintel/sdk';

/** A path of a member of an answer, such as `meta.total`; keys may contain dots. */
const path = (description: string, options: object = {}) => Type.String({ maxLength: 300, description, ...options });
const parameter = (description: string, fallback?: string) =>
  Type.String({
    pattern: '^[A-Za-z0-9_.$\\[\\]-]{0,100}$',
    description,
    ...(fallback !== undefined && { default: fallback }),
  });
/** A path below the address of the connection; the address that results is checked again where it is used. */
const location = (description: string) => Type.String({ pattern: '^/[^?#\\s\\\\]*$', maxLength: 500, description });
const Key = Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$', description: 'Key of the table in mappings.' });

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

const Field = Strict({
  key: path('Name in the records; of a member of an object its path, such as `site.name`.', { minLength: 1 }),
  label: Type.Optional(Type.String({ maxLength: 200, description: 'Default: the key.' })),
  type: OneOf(FIELD_TYPES, { default: 'text', description: 'Type of its values.' }),
  table: Type.Optional(Type.String({ maxLength: 100, description: 'Of a reference: key of the table it names.' })),
  writable: Type.Boolean({ default: false, description: 'Whether it may be written.' }),
});

const Paging = Strict({
  kind: OneOf(['none', 'page', 'offset', 'cursor', 'link'], {
    default: 'none',
    description:
      'How the list is divided: `page` by a page number, `offset` by the number of records before, `cursor` by a value of the page before, `link` by an address in the page before.',
  }),
  param: Type.Optional(
    parameter('Parameter with the page number, offset or cursor; default: `page`, `offset`, `cursor`.'),
  ),
  size_param: parameter('Parameter with the number of records of a page; empty if there is none.', 'limit'),
  size: Type.Integer({ default: 100, minimum: 20, maximum: 10_000, description: 'Most records of a page.' }),
  first: Type.Integer({ default: 1, minimum: 0, maximum: 1, description: 'Number of the first page.' }),
  next: path('Path of the next cursor or link in the answer; a link without it is that of the header `Link`.', {
    default: '',
  }),
});

const Since = Strict({
  param: parameter('Parameter that restricts the list to records changed since a time.'),
  field: path('Path of the time, or of another mark, in the answer; empty: the header `Date`.', { default: '' }),
  format: OneOf(['iso', 'epoch_seconds', 'epoch_milliseconds', 'opaque'], {
    default: 'iso',
    description: 'How the time is written; `opaque` is returned as it came.',
  }),
  margin_seconds: Type.Integer({
    default: 60,
    minimum: 0,
    maximum: 86_400,
    description: 'What is subtracted from the time, for changes that become visible late.',
  }),
});

const Update = Strict({
  method: OneOf(['PATCH', 'PUT'], {
    default: 'PATCH',
    description: '`PATCH` sends the changed fields; `PUT` reads the record and sends it whole, and needs `record`.',
  }),
  path: location('Path of the request, with `{id}`.'),
});

const Create = Strict({
  path: location('Path of the request.'),
  id: path('Path of the id in the answer; empty: that of the records.', { default: '' }),
  correlation: path('Field that carries the correlation id of a new record.', { minLength: 1 }),
  find_param: parameter(
    'Parameter of the list that finds records by this field; empty if there is none: then creations without an answer are left to a person.',
    '',
  ),
});

const Table = Strict({
  key: Key,
  label: Type.Optional(Type.String({ maxLength: 200, description: 'Default: the key.' })),
  path: location('Path of the list, below the address.'),
  query: Type.String({
    default: '',
    maxLength: 1_000,
    description: 'Parameters of each list as a query string, such as `sort=id`.',
  }),
  list: path('Path of the list in the answer; empty: the answer is the list.', { default: '' }),
  id: path('Path of the id in a record.', { default: 'id', minLength: 1 }),
  total: path('Path of the number of all records in the answer; empty if it is not told.', { default: '' }),
  fields: Type.Array(Field, {
    default: [],
    maxItems: 500,
    description: 'The fields; empty: those of a sample of records.',
  }),
  omits_empty: Type.Boolean({
    default: false,
    description:
      'Whether records lack members that are empty: declared fields that a record lacks are then empty, otherwise unknown.',
  }),
  paging: Type.Optional(Paging),
  since: Type.Optional(Since),
  record: Type.Optional(location('Path of one record, with `{id}`.')),
  item: path('Path of the record in the answer of `record`, `update` and `create`; empty: the answer is the record.', {
    default: '',
  }),
  update: Type.Optional(Update),
  create: Type.Optional(Create),
});

export const RestSettings = Strict({
  url: Type.String({
    pattern: '^https?://[^\\s/?#@\\\\]+(/[^\\s?#\\\\]*)?$',
    maxLength: 500,
    description: 'Address below which all paths are, such as https://cmdb.example.org/api.',
  }),
  auth: OneOf(['none', 'bearer', 'basic', 'header', 'oauth2'], {
    default: 'none',
    description:
      '`bearer` sends the secret `token`, `basic` the user name and `password`, `header` the `token` in a header of its own, `oauth2` a token for client credentials.',
  }),
  username: Type.Optional(Type.String({ maxLength: 200, pattern: '^[^:]*$', description: 'User name of `basic`.' })),
  header: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9-]{1,100}$',
      description: 'Name of the header of `header`, such as X-Api-Key.',
    }),
  ),
  token_url: Type.Optional(
    Type.String({
      pattern: '^https?://[^\\s/?#@\\\\]+(/[^\\s#\\\\]*)?$',
      maxLength: 500,
      description: 'Address of the token endpoint of `oauth2`.',
    }),
  ),
  client_id: Type.Optional(Type.String({ maxLength: 300, description: 'Client id of `oauth2`.' })),
  scope: Type.Optional(Type.String({ maxLength: 1_000, description: 'Scope of `oauth2`.' })),
  tables: Type.Array(Table, { minItems: 1, maxItems: 200, description: 'The lists that can be mapped.' }),
});
export type RestSettings = Static<typeof RestSettings>;
export type RestTable = RestSettings['tables'][number];
export type RestPaging = Static<typeof Paging>;
