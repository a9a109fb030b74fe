import { OneOf, Strict, Type, type Static } from '@lintel/sdk';

/** What the rows of a table are. */
export const KINDS = ['cards', 'gaps', 'costs', 'risks', 'decisions', 'roadmap'] as const;
export type Kind = (typeof KINDS)[number];

/** Rows of a table without a limit of its own. */
export const DEFAULT_ROWS = 100;

/** A table that is computed from the inventory while the document is a draft. */
export const TableDefinition = Strict(
  {
    id: Type.String({
      maxLength: 50,
      pattern: '^[a-z][a-z0-9_]*$',
      description: 'Unique in the document.',
      examples: ['applications'],
    }),
    kind: OneOf(KINDS, {
      description:
        'cards: the cards of the filter; gaps: what they lack for the target; costs: their costs and the sums; risks and decisions: those that concern them; roadmap: the dates of their life cycles.',
    }),
    title: Type.String({ minLength: 1, maxLength: 200, pattern: '^(?!\\s*$)[^\\p{Cc}]*$' }),
    filter: Type.Optional(
      Type.Record(Type.String({ pattern: '^[a-z][A-Za-z0-9_.\\[\\]]{0,150}$' }), Type.String({ maxLength: 8_000 }), {
        maxProperties: 30,
        description: 'Parameters of `GET /cards` that filter, except `data_quality`.',
        examples: [{ type: 'Application' }],
      }),
    ),
    columns: Type.Optional(
      Type.Array(Type.String({ maxLength: 130, pattern: '^[A-Za-z][A-Za-z0-9_.]*$' }), {
        maxItems: 10,
        description:
          'Of a table of cards: fields besides name and type, as `subtype`, `lifecycle_phase`, `approval_status` or `attributes.<key>`; of a table of costs: the cost fields. Default: subtype and lifecycle_phase; all cost fields.',
      }),
    ),
    target_date: Type.Optional(
      Type.String({
        format: 'date',
        description:
          'Of a table of gaps: the day for which the target is planned. Default: a year from the day on which it is computed.',
      }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, description: `Rows. Default: ${DEFAULT_ROWS}.` })),
  },
  { 'x-name': 'SoawTableDefinition' },
);
export type TableDefinition = Static<typeof TableDefinition>;
