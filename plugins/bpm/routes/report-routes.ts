import { reportQuery, splitReportQuery, Strict, Type, type ModuleRoutes, type TObject } from '@lintel/sdk';
import { READERS } from '../permissions.js';
import { REPORTS } from '../reports/index.js';
import type { BpmServices } from '../services.js';
import type { Settings } from '../settings.js';

const tags = ['bpm'];
const nameOf = (id: string): string => id.replace(/(?:^|-)([a-z])/g, (_match, letter: string) => letter.toUpperCase());

/** The query of a report as JSON: pictures and spreadsheets are served by the catalogue of reports. */
function queryOf(report: (typeof REPORTS)[number]): TObject {
  const { format: _format, ...rest } = reportQuery({ parameters: report.parameters }, Type.Object({})).properties;
  return Strict(rest);
}

/** The reports of the module as JSON, also while the module of reports is disabled. */
export const reportRoutes: ModuleRoutes<BpmServices, Settings> = async (app, { services, host }) => {
  for (const report of REPORTS)
    app.get(
      `/reports/${report.id}`,
      {
        config: { access: READERS, costly: true },
        schema: {
          operationId: `getBpm${nameOf(report.id)}Report`,
          summary: report.title,
          tags,
          description: `${report.description} As a picture or a spreadsheet: \`GET /reports/bpm.${report.id}\`.`,
          querystring: queryOf(report),
          response: { 200: report.answer },
        },
      },
      async (request) => {
        const { parameters, lang, asOf } = splitReportQuery(report, request.query as Record<string, unknown>);
        const [first = 'en'] = host.workspace().locales;
        return report.run(services, { ctx: request.ctx, parameters, filters: {}, lang: lang ?? first, asOf }) as never;
      },
    );
};
