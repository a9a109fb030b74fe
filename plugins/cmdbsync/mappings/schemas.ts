import { Nullable, OneOf, Strict, Type, Uuid } from '@lintel/sdk';
import { DATE_FORMATS } from '../transforms/dates.js';
import { MOST_EXPRESSION } from '../transforms/expression.js';
import type { FieldMap, IdentityKey, RelationMap } from './definition.js';

const Target = Type.String({
  minLength: 1,
  maxLength: 200,
  description: '`name`, `description`, `alias`, `external_id`, `subtype`, `lifecycle.<phase>` or `attributes.<key>`.',
});
const Source = {
  maxLength: 300,
  description: 'Key of a field of the other system, or path of a member, such as `site.name`.',
};
const Single = Type.Union([Type.String({ maxLength: 1_000 }), Type.Number(), Type.Boolean(), Type.Null()]);

const TransformIn = Strict(
  {
    kind: OneOf(['direct', 'value_map', 'date', 'boolean', 'number', 'template', 'expression']),
    values: Type.Optional(
      Type.Record(Type.String({ maxLength: 1_000 }), Single, {
        maxProperties: 1_000,
        description: 'Of value_map: values of the card by the text of the value in the other system.',
      }),
    ),
    otherwise: Type.Optional(Single),
    format: Type.Optional(OneOf(DATE_FORMATS, { description: 'Of date. Default: iso.' })),
    true_values: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        minItems: 1,
        maxItems: 50,
        description: 'Of boolean.',
      }),
    ),
    factor: Type.Optional(Type.Number({ description: 'Of number. Not 0.' })),
    decimals: Type.Optional(Type.Integer({ minimum: 0, maximum: 10, description: 'Of number.' })),
    template: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2_000,
        description: 'Of template: a text with fields in braces, such as `{name} ({serial})`.',
      }),
    ),
    expression: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MOST_EXPRESSION,
        description: 'Of expression: CEL over `record`, `value` and the `id` of the record.',
      }),
    ),
  },
  {
    description:
      'The members that belong to its kind. `otherwise` is the value of a value_map for all other values; without it these stay as they are.',
  },
);

const FieldMapIn = Strict({
  source: Type.String({
    ...Source,
    description: `${Source.description} May be empty for a template or an expression.`,
  }),
  target: Target,
  owner: OneOf(['cmdb', 'ea'], { description: 'Whose value counts where the two differ.' }),
  transform: TransformIn,
});

const RelationMapIn = Strict({
  key: Type.String({ pattern: '^[a-z][a-z0-9_]{0,49}$' }),
  source: Type.String({ ...Source, minLength: 1 }),
  target_table: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'The table whose records the reference names.',
  }),
  relation_type: Type.String({ minLength: 1, maxLength: 100, description: 'Key of a relation type, or `parent`.' }),
  card_end: OneOf(['source', 'target'], {
    description: 'The end of the relation at which the card of this mapping is; of a parent `source`.',
  }),
});

const list = <T>(schema: ReturnType<typeof Strict>, maxItems: number, options: Record<string, unknown> = {}) =>
  Type.Unsafe<T[]>(Type.Array(schema, { maxItems, ...options }));

const ID = '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3c';

/** The fields of a mapping. */
export const MAPPING_FIELDS = {
  name: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' }),
  connection_id: Uuid(),
  card_type: Type.String({ minLength: 1, maxLength: 100 }),
  table: Type.String({ minLength: 1, maxLength: 200, description: 'Key of a table of the connection.' }),
  filter: Nullable(Type.String({ maxLength: 4_000, description: 'In the language of the other system.' })),
  direction: OneOf(['pull', 'push', 'both'], { default: 'pull' }),
  fields: list<FieldMap>(FieldMapIn, 200, { minItems: 1 }),
  identity: list<IdentityKey>(Strict({ target: Target }), 10, {
    default: [],
    description:
      'Tried in order for a record that has no card yet: a card with the same value of the target is the same.',
  }),
  relations: list<RelationMap>(RelationMapIn, 50, { default: [] }),
  creates_remote: Type.Boolean({
    default: false,
    description: 'Whether cards without a record create one in the other system.',
  }),
  delete_policy: OneOf(['ignore', 'archive'], { default: 'ignore' }),
  delete_ratio: Type.Number({
    minimum: 0,
    maximum: 1,
    'x-scale': 3,
    default: 0.1,
    description: 'Largest share of the linked cards that one run archives without review.',
  }),
  proposes_matches: Type.Boolean({
    default: false,
    description: 'Whether cards with similar names are proposed for review.',
  }),
  auto_apply: Type.Boolean({ default: false, description: 'Whether scheduled runs apply what needs no decision.' }),
  schedule: Nullable(
    Type.String({ maxLength: 100, description: 'A cron expression of five fields, in the time zone.' }),
  ),
  time_zone: Type.String({ minLength: 1, maxLength: 100, default: 'UTC', description: 'Of IANA.' }),
  is_enabled: Type.Boolean({ default: true, description: 'Whether the schedule is followed.' }),
  owner_id: Nullable(Uuid({ description: 'The user who is notified.' })),
  runs_as: Nullable(Uuid({ description: 'The service account whose rights the runs have.' })),
};

/** Body of a mapping, for OpenAPI. */
export const MAPPING_EXAMPLE = {
  name: 'Servers',
  connection_id: ID,
  card_type: 'ITComponent',
  table: 'cmdb_ci_server',
  fields: [
    { source: 'name', target: 'name', owner: 'cmdb', transform: { kind: 'direct' } },
    { source: 'serial_number', target: 'external_id', owner: 'cmdb', transform: { kind: 'direct' } },
  ],
  identity: [{ target: 'external_id' }],
  relations: [],
  schedule: '0 2 * * *',
  time_zone: 'Europe/Berlin',
  owner_id: null,
  runs_as: null,
};
