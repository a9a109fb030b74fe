import { Problem, type FieldError, type OwnedReport, type ReportQuery, type RequestContext } from '@lintel/sdk';
import type { ReportsHost } from '../host.js';
import { mayRun, reportId } from '../serve.js';

/** Parameters that are chosen when the result is read, and are not saved. */
const OF_RESULT = ['format', 'width', 'theme'];

/** The report with an id of the catalogue, of an enabled module. */
export const findReport = (host: Pick<ReportsHost, 'reports'>, id: string): OwnedReport | undefined =>
  host.reports.all().find((owned) => reportId(owned) === id);

/**
 * The errors of parameters that are to be saved.
 * @returns fields are JSON pointers into a saved report
 */
export function faultsOf(
  host: Pick<ReportsHost, 'reports'>,
  ctx: RequestContext,
  report: string,
  parameters: Readonly<Record<string, unknown>>,
): Omit<FieldError, 'in'>[] {
  const owned = findReport(host, report);
  if (!owned || !mayRun({ ctx }, owned)) return [{ field: '/report', reason: 'is no report of the catalogue' }];
  const chosen = OF_RESULT.filter((name) => Object.hasOwn(parameters, name));
  const of = (name: string): string => `/parameters/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const faults = chosen.map((name) => ({ field: of(name), reason: 'is chosen when the result is read' }));
  const rest = Object.fromEntries(Object.entries(parameters).filter(([name]) => !chosen.includes(name)));
  try {
    owned.parse(rest);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'validation_failed') throw error;
    for (const { field, reason } of error.errors ?? []) faults.push({ field: of(field), reason });
  }
  return faults;
}

/** Parameters of the request for a result, which take precedence over saved ones. */
export type ResultQuery = Partial<Record<'format' | 'width' | 'theme' | 'lang', unknown>>;

/**
 * The query of a saved report.
 * @throws reports_saved_invalid if its module is disabled, or its parameters are no longer valid; validation_failed for a format that
 *   the report does not have
 */
export function queryOf(
  host: ReportsHost,
  saved: { report: string; parameters: Readonly<Record<string, unknown>> },
  asked: ResultQuery,
): { owned: OwnedReport; query: ReportQuery } {
  const owned = findReport(host, saved.report);
  if (!owned)
    throw host.problem('reports_saved_invalid', {
      detail: `The report ${saved.report} is no longer there: its module is disabled or was removed.`,
    });
  try {
    owned.parse(saved.parameters);
  } catch (error) {
    throw invalidSaved(host, error);
  }
  return { owned, query: owned.parse({ ...saved.parameters, ...asked }) };
}

/** The problem of a report that refuses saved parameters; other errors are returned unchanged. */
export function invalidSaved(host: ReportsHost, error: unknown): unknown {
  if (!(error instanceof Problem) || error.code !== 'validation_failed') return error;
  return host.problem('reports_saved_invalid', {
    detail: 'The saved parameters are no longer valid.',
    errors: (error.errors ?? []).map((fault) => ({ ...fault, field: `parameters.${fault.field}` })),
  });
}
