import { OneOf, Strict, Type, type Static } from '@lintel/sdk';

const SEPARATORS = ['auto', 'comma', 'semicolon', 'tab', 'pipe'] as const;
const ENCODINGS = ['utf-8', 'windows-1252'] as const;
const id = (description: string) => Type.String({ minLength: 1, maxLength: 300, description });

export const FileSettings = Strict({
  folder: Type.String({
    default: '',
    maxLength: 500,
    pattern: '^[^\\\\\\x00]*$',
    description: 'Folder below IMPORT_DIR, such as `cmdb/export`; empty: IMPORT_DIR itself.',
  }),
  id: Type.String({
    default: 'id',
    minLength: 1,
    maxLength: 300,
    description: 'Column or field with the id of a record.',
  }),
  separator: OneOf(SEPARATORS, {
    default: 'auto',
    description: 'What separates cells of CSV; `auto`: as in the first line.',
  }),
  encoding: OneOf(ENCODINGS, { default: 'utf-8', description: 'Encoding of CSV; NDJSON is UTF-8.' }),
  settle_seconds: Type.Integer({
    default: 5,
    minimum: 0,
    maximum: 3_600,
    description: 'Seconds for which a file must not have changed to count as complete.',
  }),
  tables: Type.Array(
    Strict({
      key: Type.String({ minLength: 1, maxLength: 200, description: 'Key of the table.' }),
      id: Type.Optional(id('Column or field with the id.')),
      separator: Type.Optional(OneOf(SEPARATORS, { description: 'Separator of its files.' })),
      encoding: Type.Optional(OneOf(ENCODINGS, { description: 'Encoding of its files.' })),
    }),
    { default: [], maxItems: 500, description: 'Settings of tables that differ from those of the connection.' },
  ),
});
export type FileSettings = Static<typeof FileSettings>;
export type Separator = (typeof SEPARATORS)[number];

/** How the files of a table are read. */
export interface FileFormat {
  id: string;
  separator: Separator;
  encoding: (typeof ENCODINGS)[number];
}

export function formatOf(settings: FileSettings, table: string): FileFormat {
  const own = settings.tables.find(({ key }) => key === table);
  return {
    id: own?.id ?? settings.id,
    separator: own?.separator ?? settings.separator,
    encoding: own?.encoding ?? settings.encoding,
  };
}
