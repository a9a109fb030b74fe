import { Nullable, OneOf, Strict, Type, Uuid, type Static } from '@lintel/sdk';
import { ITEM_FIELDS } from './compare.js';

export const ImportQuery = Strict({
  dry_run: Type.Optional(
    Type.Boolean({ default: false, description: 'Preview: everything is checked, nothing is stored.' }),
  ),
  remove_missing: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Whether items and dependencies that the file does not have are deleted.',
    }),
  ),
  most: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 10_000, default: 1_000, description: 'Maximum number of items listed.' }),
  ),
});
export type ImportQuery = Static<typeof ImportQuery>;

/** Media types of plans. */
export const CSV_TYPE = 'text/csv';
export const XML_TYPES = ['application/xml', 'text/xml'];

export const ImportBody = {
  description: 'A plan of up to 20 MB.',
  content: {
    [CSV_TYPE]: {
      schema: Type.String({
        examples: ['outline,title,duration_days,predecessors\r\n1,Design,5,\r\n2,Build,10,1FS+2d'],
      }),
    },
    'application/xml': {
      schema: Type.String({ examples: ['<Project xmlns="http://schemas.microsoft.com/project"/>'] }),
    },
  },
};

const Counts = (description: string) =>
  Type.Object(
    {
      created: Type.Integer(),
      updated: Type.Integer(),
      unchanged: Type.Integer(),
      removed: Type.Integer(),
      kept: Type.Integer({ description: 'Not in the file, and left as they are.' }),
    },
    { description },
  );

export const ImportView = Type.Object({
  dry_run: Type.Boolean(),
  format: OneOf(['csv', 'mspdi']),
  items: Counts('Items of the work breakdown.'),
  dependencies: Counts('Dependencies.'),
  calendar_changed: Type.Boolean({ description: 'Whether the calendar of the plan becomes different.' }),
  start_date_changed: Type.Boolean(),
  notes: Type.Array(Type.String(), {
    description:
      'What the file has and was not read, was rounded or was read as something else: a sentence for each kind, with its count.',
  }),
  truncated: Type.Boolean(),
  changes: Type.Array(
    Type.Object({
      line: Nullable(Type.Integer({ description: 'Of the file; null for removed items.' })),
      outcome: OneOf(['created', 'updated', 'removed']),
      id: Nullable(Uuid({ description: 'Null for an item that a preview would create.' })),
      title: Type.String(),
      changed: Type.Array(OneOf([...ITEM_FIELDS, 'order']), { description: 'Of an updated item.' }),
    }),
  ),
});
export type ImportView = Static<typeof ImportView>;
