import { Type } from 'typebox';
import { OneOf } from '../../foundation/http/schemas.js';
import { FacetQuery } from '../cards/index.js';

export type ExportFormat = 'csv' | 'ndjson' | 'json';

// Attribute filters are not properties but pattern properties.
const { properties: FILTERS, ...rules } = FacetQuery;

/** The filters of the list, and options of the file. */
export const ExportQuery = Type.Object(
  {
    format: Type.Optional(
      OneOf(['csv', 'ndjson', 'json'], {
        default: 'ndjson',
        description: 'csv: a column per field; ndjson: a card a line; json: an array of cards.',
      }),
    ),
    bom: Type.Optional(
      Type.Boolean({ description: 'CSV begins with a byte order mark, which some spreadsheets need to see UTF-8.' }),
    ),
    ...FILTERS,
  },
  rules,
);
