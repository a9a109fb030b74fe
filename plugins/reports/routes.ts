import {
  FileResponse,
  formatsOf,
  OneOf,
  PageQuery,
  Page,
  REPORT_FORMATS,
  SortBy,
  reportQuery,
  Strict,
  Type,
  type ModuleRoutes,
  type OwnedReport,
} from '@lintel/sdk';
import { entries } from './catalogue.js';
import { VIEW } from './permissions.js';
import { REPORTS } from './reports/index.js';
import { MEDIA, reportId, ReportServer } from './serve.js';
import { saved } from './saved/resource.js';
import { resultRoutes } from './saved/routes.js';
import type { ReportsServices } from './services.js';
import type { Settings } from './settings.js';

const tags = ['reports'];
const access = { permission: VIEW };

const Entry = Type.Object(
  {
    id: Type.String({ description: 'The last part of its path.' }),
    module: Type.String(),
    title: Type.String(),
    description: Type.String(),
    href: Type.String(),
    formats: Type.Array(OneOf(REPORT_FORMATS)),
    parameters: Type.Record(Type.String(), Type.Unknown(), {
      description: 'JSON Schema of the query, with the filters of cards if the report takes them.',
    }),
    permission: Type.String(),
  },
  {
    examples: [
      {
        id: 'portfolio',
        module: 'reports',
        title: 'Portfolio',
        description: 'Cards of a type by two fields, with counts and sums.',
        href: '/api/v1/reports/portfolio',
        formats: ['json', 'csv', 'xlsx', 'svg', 'png'],
        parameters: { type: 'object', properties: { type: { type: 'string' } }, required: ['type'] },
        permission: 'reports.view',
      },
    ],
  },
);

/** The 200 response of a report. */
const responses = (report: Pick<OwnedReport['report'], 'answer' | 'picture'>) => ({
  200: {
    description: 'The report.',
    content: Object.fromEntries(
      formatsOf(report).map((format) => {
        const type = MEDIA[format].split(';')[0]!;
        return format === 'json'
          ? [type, { schema: report.answer }]
          : [type, FileResponse(type, 'The report.').content[type]!];
      }),
    ),
  },
});

const operation = (id: string): string =>
  `get${id.replace(/(^|-)([a-z])/g, (_all, _dash, letter: string) => letter.toUpperCase())}Report`;

/** The catalogue and the reports. */
export const routes: ModuleRoutes<ReportsServices, Settings> = async (app, { host, services }) => {
  const server = new ReportServer(services);

  app.get(
    '',
    {
      config: { access },
      schema: {
        operationId: 'listReports',
        summary: 'The catalogue of reports',
        description: 'The reports of all enabled modules that the caller may see.',
        tags,
        querystring: Strict({ ...PageQuery, sort_by: SortBy('id', 'title') }),
        response: { 200: Page(Entry) },
      },
    },
    async (request, reply) =>
      host.http.sendPage(
        request,
        reply,
        host.http.pageOf(entries(request, host), 'id', 'id', request.query, 'reports'),
      ),
  );

  // Each report of this module has its own operation in the OpenAPI document.
  for (const report of REPORTS) {
    app.get(
      `/${report.id}`,
      {
        config: { access, costly: true },
        schema: {
          operationId: operation(report.id),
          summary: report.title,
          description: report.description,
          tags,
          querystring: reportQuery(report, host.inventory.filters),
          response: responses(report),
        },
      },
      async (request, reply) => {
        const owned = host.reports.all().find((one) => one.module === 'reports' && one.report.id === report.id)!;
        return await server.send(request, reply, owned, owned.parse(request.query));
      },
    );
  }

  await app.register(
    async (scope) => {
      await scope.register(resultRoutes, { services: { reports: services.saved, server }, host });
      await scope.register(saved.routes, { services: services.saved as never, host: host as never });
    },
    { prefix: '/saved' },
  );

  app.get(
    '/:report',
    {
      config: { access, costly: true },
      schema: {
        operationId: 'getModuleReport',
        summary: 'A report of another module',
        description: 'Its parameters, and what it answers, are those of its module; see the catalogue.',
        tags,
        params: Strict({ report: Type.String({ maxLength: 100, examples: ['risks.heat-map'] }) }),
        querystring: Type.Object(
          { format: Type.Optional(OneOf(REPORT_FORMATS, { default: 'json' })) },
          { additionalProperties: true },
        ),
        response: responses({
          answer: Type.Record(Type.String(), Type.Unknown(), { examples: [{ total: 3 }] }),
          picture: REPORTS[0]!.picture!,
        }),
      },
    },
    async (request, reply) => {
      const owned = host.reports.all().find((one) => reportId(one) === request.params.report);
      if (!owned || !request.ctx.permissions.has(owned.report.permission)) throw host.problem('not_found');
      return await server.send(request, reply, owned, owned.parse(request.query));
    },
  );
};
