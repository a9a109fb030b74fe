import { DocumentStatusField, Nullable, OneOf, Strict, Type, Uuid } from '@lintel/sdk';
import { ID } from '../basics.js';
import { Cells, TableRow } from '../tables/schemas.js';

export const DiffQuery = Strict({
  with: Uuid({ description: 'The document that is compared, usually an earlier revision.' }),
});

const Head = Type.Object({
  id: Uuid(),
  revision: Type.Integer({ minimum: 1 }),
  status: DocumentStatusField(),
  content_hash: Nullable(Type.String()),
});
const Keys = Type.Array(Type.String());
const Entries = Type.Array(Type.Unsafe<object>({ type: 'object', additionalProperties: true }));
const Line = Type.Object({ op: OneOf(['equal', 'removed', 'added'] as const), lines: Type.Array(Type.String()) });

export const SoawDiff = Type.Object(
  {
    before: Head,
    after: Head,
    title: Nullable(Type.Object({ before: Type.String(), after: Type.String() })),
    sections: Type.Array(
      Type.Object({
        key: Type.String(),
        change: OneOf(['added', 'removed', 'changed', 'moved'] as const),
        title: Type.Object({ before: Nullable(Type.String()), after: Nullable(Type.String()) }),
        lines: Type.Array(Line, { description: 'Of the text: the changed lines with three equal ones around them.' }),
        entries: Type.Object({ added: Entries, removed: Entries }),
        tables: Type.Object({ added: Keys, removed: Keys, changed: Keys }),
      }),
      { description: 'Sections that are different.' },
    ),
    tables: Nullable(
      Type.Array(
        Type.Object({
          id: Type.String(),
          title: Type.String(),
          change: OneOf(['added', 'removed', 'changed'] as const),
          columns: Keys,
          rows: Type.Object({
            added: Type.Array(TableRow),
            removed: Type.Array(TableRow),
            changed: Type.Array(
              Type.Object({ card_id: Uuid(), key: Nullable(Type.String()), before: Cells, after: Cells }),
            ),
          }),
          truncated: Type.Boolean({
            description: 'Whether a list is cut: at 500 rows, or at 5,000 rows of all tables.',
          }),
        }),
        { description: 'Live tables that are different; null unless both revisions have frozen ones.' },
      ),
    ),
  },
  {
    'x-name': 'SoawDiff',
    examples: [
      {
        before: { id: ID, revision: 1, status: 'superseded', content_hash: 'a'.repeat(64) },
        after: { id: ID, revision: 2, status: 'draft', content_hash: null },
        title: null,
        sections: [
          {
            key: 'overview',
            change: 'changed',
            title: { before: 'Overview', after: 'Overview' },
            lines: [
              { op: 'removed', lines: ['By March.'] },
              { op: 'added', lines: ['By May.'] },
            ],
            entries: { added: [], removed: [] },
            tables: { added: [], removed: [], changed: [] },
          },
        ],
        tables: null,
      },
    ],
  },
);
