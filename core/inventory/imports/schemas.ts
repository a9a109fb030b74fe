import { Type, type Static } from 'typebox';
import { Nullable, Page, PageQuery, SortBy, Strict, Timestamp, Uuid, OneOf } from '../../foundation/http/schemas.js';
import { STATES, VERDICTS } from './types.js';

const ID = '0198f3a0-7c1e-7a52-9d3c-5f0f6b3f4e21';
const Counts = Type.Record(Type.String(), Type.Integer(), { description: 'Rows by verdict.' });
const User = Nullable(Type.Object({ id: Uuid(), display_name: Type.String() }));

export const ImportView = Type.Object(
  {
    id: Uuid(),
    state: OneOf(STATES, {
      description:
        'uploaded and parsing: being read; ready: can be reviewed and applied; applying, applied; failed: see `errors`; cancelled: it was stopped, and what it had written remains.',
    }),
    format: Type.String({ description: 'Id of the format: csv, ndjson, archimate, or that of a module.' }),
    file_name: Type.String(),
    size: Type.Integer({ minimum: 0, description: 'Size of the file in bytes.' }),
    counts: Type.Object({ card: Counts, relation: Counts }),
    progress: Type.Object(
      { done: Type.Integer({ minimum: 0 }), total: Type.Integer({ minimum: 0 }) },
      { description: 'Rows of the current step that were processed.' },
    ),
    ignored_columns: Type.Array(Type.String(), { description: 'Columns and keys that were ignored.' }),
    notes: Type.Array(Type.String()),
    errors: Type.Array(Type.Object({ line: Type.Optional(Type.Integer()), reason: Type.String() }), {
      description: 'The reasons why the whole file cannot be imported.',
    }),
    created_by: User,
    applied_by: User,
    created_at: Timestamp(),
    updated_at: Timestamp(),
    applied_at: Nullable(Timestamp()),
    version: Type.Integer({ minimum: 1 }),
  },
  {
    'x-name': 'FileImport',
    examples: [
      {
        id: ID,
        state: 'ready',
        format: 'csv',
        file_name: 'applications.csv',
        size: 20_480,
        counts: { card: { create: 12, update: 3, unchanged: 85 }, relation: {} },
        progress: { done: 0, total: 15 },
        ignored_columns: ['version'],
        notes: [],
        errors: [],
        created_by: { id: ID, display_name: 'Ada' },
        applied_by: null,
        created_at: '2026-01-15T10:00:00.000Z',
        updated_at: '2026-01-15T10:00:01.000Z',
        applied_at: null,
        version: 3,
      },
    ],
  },
);
export type ImportView = Static<typeof ImportView>;
export const ImportPage = Page(ImportView);

export const ImportQuery = Strict({
  ...PageQuery,
  sort_by: SortBy('created_at', 'file_name', 'state'),
  state: Type.Optional(Type.String({ maxLength: 200, description: 'Any of these states, comma separated.' })),
  format: Type.Optional(Type.String({ maxLength: 100, description: 'Any of these formats, comma separated.' })),
});
export type ImportQuery = Static<typeof ImportQuery>;

const Change = Type.Object({
  field: Type.String({ examples: ['attributes.costTotalAnnual'] }),
  old: Type.Unknown(),
  new: Type.Unknown(),
  set_by: Type.Optional(
    Type.String({
      description:
        'Id of the module whose rule sets the value, as decided when the file was read; absent for a value of the file.',
    }),
  ),
});
export const RowView = Type.Object({
  row: Type.Integer({ minimum: 1, description: 'Position in the file.' }),
  kind: OneOf(['card', 'relation']),
  line: Type.Integer({ minimum: 0 }),
  reference: Nullable(Type.String({ description: 'Its identifier in the file, such as an element identifier.' })),
  type: Nullable(Type.String()),
  name: Nullable(Type.String()),
  verdict: OneOf(VERDICTS, {
    description:
      '`create` and `update` will be, or were, written; `invalid` cannot be written; `failed`: writing failed; `conflict`: other users changed the fields in `errors` since the preview, and the row was not written.',
  }),
  id: Nullable(Uuid({ description: 'The matching card or relation.' })),
  source_row: Nullable(Type.Integer()),
  target_row: Nullable(Type.Integer()),
  parent_row: Nullable(Type.Integer()),
  diff: Type.Array(Change, { description: 'The changes; `{row}` refers to the card of another row.' }),
  errors: Type.Array(
    Type.Object({ field: Type.String(), reason: Type.String(), column: Type.Optional(Type.String()) }),
  ),
  applied: Type.Boolean(),
});
export type RowView = Static<typeof RowView>;
export const RowPage = Page(RowView);

export const RowQuery = Strict({
  ...PageQuery,
  sort_by: SortBy('row'),
  verdict: Type.Optional(Type.String({ maxLength: 200, description: 'Any of these verdicts, comma separated.' })),
  kind: Type.Optional(OneOf(['card', 'relation'])),
});
export type RowQuery = Static<typeof RowQuery>;

export const FormatPage = Page(
  Type.Object(
    {
      id: Type.String({ description: 'The value for `format`.' }),
      title: Type.String(),
      extensions: Type.Array(Type.String(), { description: 'File name extensions, with the dot.' }),
      content_types: Type.Array(Type.String()),
      module: Nullable(Type.String({ description: 'Id of the module that provides it; null for the core.' })),
    },
    {
      examples: [
        {
          id: 'csv',
          title: 'Table (CSV)',
          extensions: ['.csv', '.tsv'],
          content_types: ['text/csv', 'text/tab-separated-values'],
          module: null,
        },
      ],
    },
  ),
);
export const FormatQuery = Strict({ ...PageQuery, sort_by: SortBy('id', 'title') });

const OPTIONS = {
  type: Type.Optional(Type.String({ minLength: 1, maxLength: 63, description: 'Card type of rows without one.' })),
  delimiter: Type.Optional(
    Type.Union([Type.Literal(','), Type.Literal(';'), Type.Literal('tab')], {
      description: 'Delimiter of a table; detected when absent.',
    }),
  ),
  empty: Type.Optional(
    Type.Union([Type.Literal('keep'), Type.Literal('clear')], {
      description:
        'The effect of an empty cell on an existing card: none (keep, the default), or removing the value (clear).',
    }),
  ),
  ignore_unknown: Type.Optional(Type.Boolean({ description: 'Ignores unknown columns and keys instead of failing.' })),
};
export const Options = Strict(OPTIONS);

/** The same as query parameters, for a file that is the body itself. */
export const UploadQuery = Strict({
  ...OPTIONS,
  format: Type.Optional(
    Type.String({
      maxLength: 63,
      description:
        'Format of the file: csv, ndjson, archimate, or that of a module; detected from its content type or name when absent.',
    }),
  ),
  file_name: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
});
export type UploadQuery = Static<typeof UploadQuery>;

const Table = Type.String({
  description: 'A table with headings.',
  examples: ['type,name,lifecycle.active\nApplication,Billing,2024-01-01\n'],
});
const Lines = Type.String({
  description: 'One JSON object per line.',
  examples: ['{"type":"Application","name":"Billing"}\n'],
});
const Xml = Type.String({
  description: 'An ArchiMate Model Exchange File, version 3.',
  examples: ['<model xmlns="http://www.opengroup.org/xsd/archimate/3.0/" identifier="id-1"><name>Empty</name></model>'],
});

/** The file as part of a form, or as the body itself. */
export const UploadBody = {
  content: {
    'multipart/form-data': {
      schema: Type.Object(
        {
          file: Type.Unsafe<string>({
            type: 'string',
            contentMediaType: 'application/octet-stream',
            description: 'CSV, NDJSON or ArchiMate exchange XML in UTF-8, or a format of a module.',
          }),
          format: Type.Optional(Type.String({ description: 'As the query parameter.' })),
          options: Type.Optional(Type.String({ description: 'JSON object: type, delimiter, empty, ignore_unknown.' })),
        },
        { examples: [{ file: 'type,name\nApplication,Billing\n', format: 'csv', options: '{"empty":"keep"}' }] },
      ),
    },
    'text/csv': { schema: Table },
    'application/x-ndjson': { schema: Lines },
    'application/xml': { schema: Xml },
  },
};
