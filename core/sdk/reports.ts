import { Type, type Static, type TObject, type TSchema } from 'typebox';
import type { RequestContext } from './context.js';
import type { InventoryFilters } from './inventory.js';
import type { Picture } from './pictures.js';
import { OneOf } from './schemas.js';

/** What a report is computed for. */
export interface ReportRequest<Parameters = Record<string, unknown>> {
  readonly ctx: RequestContext;
  /** The parameters of the report, with their defaults. */
  readonly parameters: Parameters;
  /** The filters of cards in the request, if the report takes them. */
  readonly filters: InventoryFilters;
  /** BCP 47 tag of the language of labels. */
  readonly lang: string;
  /** The instant of the past that is asked for; pass it on to `inventory.read`. */
  readonly asOf: string | undefined;
  /** For pictures: the filters in words, in the language of labels, by their names. */
  readonly filterTexts?: Readonly<Record<string, string>> | undefined;
}

/** A value of a cell; dates are YYYY-MM-DD. */
export type ReportCell = string | number | boolean | null;

/** A table of a report, for CSV and XLSX. */
export interface ReportTable {
  /** Name of the sheet, at most 31 characters. */
  name: string;
  columns: readonly { title: string; kind: 'text' | 'number' | 'date' | 'boolean' }[];
  rows: readonly (readonly ReportCell[])[];
}

/**
 * A report that a module adds to `GET /reports`. It is available as JSON, CSV and XLSX, and with `picture` as SVG and PNG.
 * A report of another module than `reports` is at `/reports/<module>.<id>`, while both modules are enabled.
 */
export interface ReportDeclaration<S = unknown, P extends TObject = TObject, A extends TSchema = TSchema> {
  /** Unique within the module: lower-case letters, digits and hyphens. */
  id: string;
  title: string;
  description: string;
  /** The permission to see it, besides `reports.view`. */
  permission: string;
  /** Its parameters, as the query of a route. Not `format`, `width`, `theme`, `lang`, `as_of`, and no filter of cards if it takes these. */
  parameters: P;
  /** Whether it takes the filters of `GET /cards` as well. */
  cardFilters?: boolean;
  /** Schema of its answer. */
  answer: A;
  /**
   * Computes the report as JSON. Its time is limited to 20 s.
   * @throws a Problem for invalid parameters
   */
  run(services: S, request: ReportRequest<Static<P>>): Promise<Static<A>>;
  /** The answer as tables; CSV is the first one, XLSX has a sheet for each. */
  tables(answer: Static<A>, request: ReportRequest<Static<P>>): readonly ReportTable[];
  /** The answer as a picture. */
  picture?(answer: Static<A>, request: ReportRequest<Static<P>>): Picture;
}

/** Declares a report with the types of its parameters and its answer. */
export const defineReport = <S, P extends TObject, A extends TSchema>(
  report: ReportDeclaration<S, P, A>,
): ReportDeclaration<S> => report as unknown as ReportDeclaration<S>;

/** The formats of reports; `svg` and `png` are those of reports with a picture. */
export const REPORT_FORMATS = ['json', 'csv', 'xlsx', 'svg', 'png'] as const;
/** A format of reports. */
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** The formats of a report. */
export const formatsOf = ({ picture }: Pick<ReportDeclaration, 'picture'>): readonly ReportFormat[] =>
  picture ? REPORT_FORMATS : REPORT_FORMATS.slice(0, 3);

/**
 * Language tags of BCP 47 with language, script and region. `Intl` accepts them all; for other texts it would throw where a
 * number is formatted.
 */
export const LANGUAGE_TAG = '^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-[A-Za-z]{2}|-[0-9]{3})?$';

/** Parameters that every report has. */
const common = (report: Pick<ReportDeclaration, 'picture'>) => ({
  format: Type.Optional(OneOf(formatsOf(report), { default: 'json' })),
  ...(report.picture && {
    width: Type.Optional(
      Type.Integer({ minimum: 400, maximum: 4_000, default: 1_200, description: 'Width of the picture in pixels.' }),
    ),
    theme: Type.Optional(OneOf(['light', 'dark'], { default: 'light', description: 'Colours of the picture.' })),
  }),
  lang: Type.Optional(
    Type.String({
      pattern: LANGUAGE_TAG,
      maxLength: 35,
      description: 'Language of labels and numbers, BCP 47; default: the first one of the workspace.',
      examples: ['en'],
    }),
  ),
  as_of: Type.Optional(
    Type.String({ format: 'date-time', description: 'An instant of the past. Not supported yet: 422.' }),
  ),
});

/**
 * The query of the route of a report: its parameters, those that all have, and the filters of cards if it takes them.
 * @param filters the parameters of `GET /cards` that filter
 */
export function reportQuery(
  report: Pick<ReportDeclaration, 'parameters' | 'cardFilters' | 'picture'>,
  filters: TObject,
): TObject {
  const { properties, ...rules } =
    report.cardFilters === true ? filters : { properties: {}, additionalProperties: false };
  return Type.Object(
    { ...common(report), ...properties, ...report.parameters.properties },
    rules,
  ) as unknown as TObject;
}

/** A query of the route of a report, by what its parts are for. */
export interface ReportQuery {
  format: ReportFormat;
  /** Pixels. */
  width: number;
  theme: 'light' | 'dark';
  lang: string | undefined;
  asOf: string | undefined;
  parameters: Record<string, unknown>;
  filters: InventoryFilters;
}

const COMMON = ['format', 'width', 'theme', 'lang', 'as_of'] as const;

/** Splits a valid query. */
export function splitReportQuery(
  report: Pick<ReportDeclaration, 'parameters'>,
  query: Readonly<Record<string, unknown>>,
): ReportQuery {
  const {
    format = 'json',
    width = 1_200,
    theme = 'light',
    lang,
    as_of: asOf,
  } = query as Record<(typeof COMMON)[number], never>;
  const own = Object.keys(report.parameters.properties);
  const rest = Object.entries(query).filter(([name]) => !(COMMON as readonly string[]).includes(name));
  return {
    format,
    width,
    theme,
    lang,
    asOf,
    parameters: Object.fromEntries(rest.filter(([name]) => own.includes(name))),
    filters: Object.fromEntries(rest.filter(([name]) => !own.includes(name))) as InventoryFilters,
  };
}

/** A report of an enabled module. */
export interface OwnedReport {
  /** Id of the module. */
  module: string;
  report: Omit<ReportDeclaration, 'run'>;
  /** @throws validation_failed with all invalid parameters */
  parse(query: unknown): ReportQuery;
  /** @throws if its answer does not match its schema */
  run(request: ReportRequest): Promise<unknown>;
}

/** Files of spreadsheets. */
export interface SpreadsheetPort {
  /** A table as CSV (RFC 4180, UTF-8). An apostrophe precedes a text that a spreadsheet would run as a formula. */
  csv(table: ReportTable): Buffer;
  /** A workbook with a sheet for each table. */
  xlsx(tables: readonly ReportTable[]): Promise<Buffer>;
}

/** The reports that enabled modules declare. */
export interface ReportPort {
  /** Ordered by module. */
  all(): readonly OwnedReport[];
}
