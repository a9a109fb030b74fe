import {
  AnyOf,
  Nullable,
  OneOf,
  Page,
  PageQuery,
  SortBy,
  Strict,
  Timestamp,
  Type,
  Uuid,
  type Static,
} from '@lintel/sdk';

const ID = '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b';
export const ACTIONS = ['create', 'update', 'archive', 'conflict', 'skip', 'error'] as const;
export const STATES = [
  'pending',
  'approved',
  'sent',
  'applied',
  'resolved',
  'failed',
  'superseded',
  'reported',
] as const;

export const DiffView = Type.Object(
  {
    field: Type.String({ description: 'The target of the field map.' }),
    base: Type.Optional(Type.Unknown({ description: 'At the last synchronisation; missing in the first one.' })),
    cmdb: Type.Optional(Type.Unknown()),
    ea: Type.Optional(Type.Unknown()),
    take: OneOf(['cmdb', 'ea', 'value', 'conflict'], {
      description: 'Whose value is written to the other side; `conflict`: both have changed, and a person decides.',
    }),
    value: Type.Optional(Type.Unknown({ description: 'With `take` = `value`: the value that a person has chosen.' })),
    is_withheld: Type.Optional(
      Type.Literal(true, { description: 'The values are costs that the caller may not see.' }),
    ),
  },
  { 'x-name': 'CmdbsyncFieldDiff' },
);

export const RecordView = Type.Object(
  {
    id: Uuid(),
    run_id: Uuid(),
    mapping_id: Uuid(),
    external_id: Nullable(Type.String()),
    card_id: Nullable(Uuid()),
    card_type: Type.String(),
    name: Nullable(Type.String({ description: 'Name of the card, or the one that it gets.' })),
    action: OneOf(ACTIONS),
    side: OneOf(['card', 'cmdb'], { description: 'Where it changes something.' }),
    state: OneOf(STATES, {
      description:
        'pending: waits for a decision; approved: is applied soon; sent: a creation in the other system without an answer yet; reported: nothing is applied, as in a dry run.',
    }),
    diff: Type.Array(DiffView),
    proposals: Type.Array(
      Type.Object({ card_id: Uuid(), name: Type.String(), score: Type.Number() }, { 'x-name': 'CmdbsyncProposal' }),
      { description: 'Cards that may be the same as the record.' },
    ),
    reason: Nullable(Type.String()),
    decided_by: Nullable(Uuid()),
    decided_at: Nullable(Timestamp()),
    applied_at: Nullable(Timestamp()),
  },
  {
    'x-name': 'CmdbsyncRecord',
    examples: [
      {
        id: ID,
        run_id: ID,
        mapping_id: ID,
        external_id: '361',
        card_id: ID,
        card_type: 'ITComponent',
        name: 'vm1',
        action: 'update',
        side: 'card',
        state: 'pending',
        diff: [{ field: 'description', base: 'Old', cmdb: 'New', ea: 'Old', take: 'cmdb' }],
        proposals: [],
        reason: null,
        decided_by: null,
        decided_at: null,
        applied_at: null,
      },
    ],
  },
);
export type RecordView = Static<typeof RecordView>;
export const RecordPage = Page(RecordView);

export const RecordQuery = Strict({
  ...PageQuery,
  sort_by: SortBy('id'),
  action: Type.Optional(AnyOf(ACTIONS)),
  state: Type.Optional(AnyOf(STATES)),
  side: Type.Optional(OneOf(['card', 'cmdb'])),
  external_id: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
  card_id: Type.Optional(Uuid()),
});
export type RecordQuery = Static<typeof RecordQuery>;

const FieldName = Type.String({ minLength: 1, maxLength: 200 });

export const Resolve = Strict(
  {
    take: OneOf(['cmdb', 'ea', 'value', 'link', 'create', 'skip'], {
      description:
        'Of a conflict: the value of the other system, of the card, or the given ones. Of a record without a card: `link` it to one, or `create` one. Of a creation in the other system whose outcome is not known: `create` it again. `skip`: nothing is done in this run.',
    }),
    fields: Type.Optional(
      Type.Array(FieldName, {
        minItems: 1,
        maxItems: 200,
        uniqueItems: true,
        description: 'The fields that are decided; default: all conflicts of the record.',
      }),
    ),
    values: Type.Optional(
      Type.Record(FieldName, Type.Unknown(), { maxProperties: 200, description: 'With `take` = `value`: by field.' }),
    ),
    card_id: Type.Optional(Uuid({ description: 'With `take` = `link`.' })),
  },
  { 'x-name': 'CmdbsyncResolve', examples: [{ take: 'cmdb' }] },
);
export type Resolve = Static<typeof Resolve>;
