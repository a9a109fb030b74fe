import { reportQuery, splitReportQuery, Type, type ModuleRoutes, type TObject } from '@lintel/sdk';
import { READERS } from '../permissions.js';
import type { PpmServices } from '../services.js';
import type { Settings } from '../settings.js';
import { REPORTS } from './index.js';

const nameOf = (id: string): string => id.replace(/(?:^|-)([a-z])/g, (_match, letter: string) => letter.toUpperCase());

/** The query of a report as JSON: pictures and spreadsheets are served by the catalogue of reports. */
function queryOf(report: (typeof REPORTS)[number], filters: TObject): TObject {
  const { properties, ...rules } = reportQuery(
    { parameters: report.parameters, cardFilters: report.cardFilters === true },
    filters,
  );
  const { format: _format, ...rest } = properties;
  return Type.Object(rest, rules) as unknown as TObject;
}

/** The reports of the module as JSON, also while the module of reports is disabled. */
export const reportRoutes: ModuleRoutes<PpmServices, Settings> = async (app, { services, host }) => {
  for (const report of REPORTS)
    app.get(
      `/reports/${report.id}`,
      {
        config: { access: READERS, costly: true },
        schema: {
          operationId: `getPpm${nameOf(report.id)}Report`,
          summary: report.title,
          tags: ['ppm'],
          description: `${report.description} As a picture or a spreadsheet: \`GET /reports/ppm.${report.id}\`.`,
          querystring: queryOf(report, host.inventory.filters),
          response: { 200: report.answer },
        },
      },
      async (request) => {
        const { parameters, filters, lang, asOf } = splitReportQuery(report, request.query as Record<string, unknown>);
        const [first = 'en'] = host.workspace().locales;
        return report.run(services, { ctx: request.ctx, parameters, filters, lang: lang ?? first, asOf }) as never;
      },
    );
};
