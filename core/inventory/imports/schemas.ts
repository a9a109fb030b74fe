import { Type, type Static } from 'typebox';
import { Nullable, Page, PageQuery, SortBy, Strict, Timestamp, Uuid } from '../../foundation/http/schemas.js';
import { STATES, VERDICTS } from './types.js';

const ID = '0198f3a0-7c1e-7a52-9d3c-5f0f6b3f4e21';
const Counts = Type.Record(Type.String(), Type.Integer(), { description: 'Rows by verdict.' });
const User = Nullable(Type.Object({ id: Uuid(), display_name: Type.String() }));

export const ImportView = Type.Object(
  {
    id: Uuid(),
    state: Type.String({
      enum: [...STATES],
      description:
        'uploaded and parsing: being read; ready: to be looked at and applied; applying, applied; failed: `errors` say why; cancelled: it was stopped, what it had applied stays.',
    }),
    format: Type.String({ description: 'Id of the format: csv, ndjson, archimate, or that of a module.' }),
    file_name: Type.String(),
    size: Type.Integer({ minimum: 0, description: 'Bytes of the file.' }),
    counts: Type.Object({ card: Counts, relation: Counts }),
    progress: Type.Object(
      { done: Type.Integer({ minimum: 0 }), total: Type.Integer({ minimum: 0 }) },
      { description: 'Rows of the step in progress: looked at, or applied.' },
    ),
    ignored_columns: Type.Array(Type.String(), { description: 'Columns and keys that were left out.' }),
    notes: Type.Array(Type.String()),
    errors: Type.Array(Type.Object({ line: Type.Optional(Type.Integer()), reason: Type.String() }), {
      description: 'Why the file as a whole cannot be imported.',
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
  state: Type.Optional(Type.String({ maxLength: 200, description: 'Any of these states, by comma.' })),
  format: Type.Optional(Type.String({ maxLength: 100, description: 'Any of these formats, by comma.' })),
});
export type ImportQuery = Static<typeof ImportQuery>;

const Change = Type.Object({
  field: Type.String({ examples: ['attributes.costTotalAnnual'] }),
  old: Type.Unknown(),
  new: Type.Unknown(),
});
export const RowView = Type.Object({
  row: Type.Integer({ minimum: 1, description: 'Place in the file.' }),
  kind: Type.String({ enum: ['card', 'relation'] }),
  line: Type.Integer({ minimum: 0 }),
  reference: Nullable(Type.String({ description: 'What the file calls it, such as an element identifier.' })),
  type: Nullable(Type.String()),
  name: Nullable(Type.String()),
  verdict: Type.String({
    enum: [...VERDICTS],
    description:
      '`create` and `update` are written, or were; `invalid` cannot be; `failed` could not be; `conflict`: others changed the fields in `errors` since the preview, and the row was left alone.',
  }),
  id: Nullable(Uuid({ description: 'The card or relation it is.' })),
  source_row: Nullable(Type.Integer()),
  target_row: Nullable(Type.Integer()),
  parent_row: Nullable(Type.Integer()),
  diff: Type.Array(Change, { description: 'What it changes; `{row}` stands for the card of another row.' }),
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
  verdict: Type.Optional(Type.String({ maxLength: 200, description: 'Any of these verdicts, by comma.' })),
  kind: Type.Optional(Type.String({ enum: ['card', 'relation'] })),
});
export type RowQuery = Static<typeof RowQuery>;

export const FormatPage = Page(
  Type.Object(
    {
      id: Type.String({ description: 'As `format` takes it.' }),
      title: Type.String(),
      extensions: Type.Array(Type.String(), { description: 'Of file names, with the dot.' }),
      content_types: Type.Array(Type.String()),
      module: Nullable(Type.String({ description: 'Id of the module that reads it; null for what the core reads.' })),
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
  type: Type.Optional(Type.String({ minLength: 1, maxLength: 63, description: 'Card type of rows that name none.' })),
  delimiter: Type.Optional(
    Type.Union([Type.Literal(','), Type.Literal(';'), Type.Literal('tab')], {
      description: 'Of a table; found out when absent.',
    }),
  ),
  empty: Type.Optional(
    Type.Union([Type.Literal('keep'), Type.Literal('clear')], {
      description:
        'What an empty cell says of a card that is there: nothing (keep, the default), or that the value goes.',
    }),
  ),
  ignore_unknown: Type.Optional(
    Type.Boolean({ description: 'Leaves columns and keys out that are no field, in place of failing.' }),
  ),
};
export const Options = Strict(OPTIONS);

/** The same by query, for a file that is the body itself. */
export const UploadQuery = Strict({
  ...OPTIONS,
  format: Type.Optional(
    Type.String({
      maxLength: 63,
      description:
        'Of the file: csv, ndjson, archimate, or that of a module; from its content type or name when absent.',
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
  description: 'One JSON object a line.',
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
            description: 'CSV, NDJSON or ArchiMate exchange XML in UTF-8, or what a module reads.',
          }),
          format: Type.Optional(Type.String({ description: 'As in the query.' })),
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
