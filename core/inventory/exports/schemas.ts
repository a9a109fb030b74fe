import { Type } from 'typebox';
import { OneOf } from '../../foundation/http/schemas.js';
import { FacetQuery } from '../cards/index.js';

export type ExportFormat = 'csv' | 'ndjson' | 'json' | 'xlsx';

// Attribute filters are not properties but pattern properties.
const { properties: FILTERS, ...rules } = FacetQuery;

/** The filters of the list, and options of the file. */
export const ExportQuery = Type.Object(
  {
    format: Type.Optional(
      OneOf(['csv', 'ndjson', 'json', 'xlsx'], {
        default: 'ndjson',
        description:
          'csv: one column per field; xlsx: a workbook with the same columns, of at most 1,048,575 cards; ndjson: one card per line; json: an array of cards.',
      }),
    ),
    bom: Type.Optional(
      Type.Boolean({
        description: 'Begins the CSV with a byte order mark, which some spreadsheets need to detect UTF-8.',
      }),
    ),
    ...FILTERS,
  },
  rules,
);
