import { Nullable, OneOf, Timestamp, Type, Uuid } from '@lintel/sdk';
import type { Cell } from '../rendering/model.js';
import { ID } from '../basics.js';
import { KINDS } from './definition.js';

const One = Type.Unsafe<Cell>({
  description:
    'Text, a number, null, `{date}`, `{money, currency}` with the amount as decimal text, or `{withheld: true}` for an amount that the caller may not see.',
});
export const Cells = Type.Array(One);
export const TableRow = Type.Object({
  card_id: Uuid(),
  key: Nullable(Type.String({ description: 'Tells rows about the same card apart.' })),
  cells: Cells,
});

export const SoawTables = Type.Object(
  {
    frozen: Type.Boolean({
      description: 'Whether they are those that were signed, or that signatures are requested for.',
    }),
    computed_at: Timestamp(),
    currency: Type.String(),
    nonce: Nullable(
      Type.String({
        description:
          'Part of the hashed content, for callers who see all of it: the hash is the SHA-256 of its canonical JSON (RFC 8785).',
      }),
    ),
    tables: Type.Array(
      Type.Object({
        id: Type.String(),
        section: Type.String({ description: 'Key of its section.' }),
        kind: OneOf(KINDS),
        title: Type.String(),
        columns: Type.Array(Type.Object({ title: Type.String(), align: OneOf(['left', 'right'] as const) })),
        rows: Type.Array(TableRow),
        footer: Nullable(Cells),
        note: Nullable(
          OneOf(['module_disabled', 'not_permitted', 'filter_refused', 'truncated'] as const, {
            description: 'Why it has no rows, or not all.',
          }),
        ),
        withheld: Type.Boolean({ description: 'Whether amounts are withheld.' }),
      }),
    ),
  },
  {
    'x-name': 'SoawTables',
    examples: [
      {
        frozen: false,
        computed_at: '2026-01-15T10:00:00.000Z',
        currency: 'EUR',
        nonce: null,
        tables: [
          {
            id: 'costs',
            section: 'overview',
            kind: 'costs',
            title: 'Costs',
            columns: [
              { title: 'Card', align: 'left' },
              { title: 'Type', align: 'left' },
              { title: 'Annual cost', align: 'right' },
            ],
            rows: [{ card_id: ID, key: null, cells: ['Shop', 'Application', { money: '1200', currency: 'EUR' }] }],
            footer: ['Sum', null, { money: '1200', currency: 'EUR' }],
            note: null,
            withheld: false,
          },
        ],
      },
    ],
  },
);
