import { FileResponse, LANGUAGE_TAG, OneOf, REPORT_FORMATS, Strict, Type, Uuid, type ModuleRoutes } from '@lintel/sdk';
import type { ReportsHost } from '../host.js';
import { VIEW } from '../permissions.js';
import { MEDIA, type ReportServer } from '../serve.js';
import type { Settings } from '../settings.js';
import { invalidSaved, queryOf, type ResultQuery } from './parameters.js';
import type { SavedReports } from './resource.js';

interface Services {
  reports: Pick<SavedReports, 'get'>;
  server: ReportServer;
}

const content = Object.fromEntries(
  REPORT_FORMATS.map((format) => {
    const type = MEDIA[format].split(';')[0]!;
    return format === 'json'
      ? [type, { schema: Type.Record(Type.String(), Type.Unknown(), { examples: [{ total: 3 }] }) }]
      : [type, FileResponse(type, 'The report.').content[type]!];
  }),
);

/** The result of a saved report. */
export const resultRoutes: ModuleRoutes<Services, Settings> = async (app, { services: { reports, server }, host }) => {
  app.get(
    '/:id/result',
    {
      config: { access: { permission: VIEW }, costly: true },
      schema: {
        operationId: 'getSavedReportResult',
        summary: 'The result of a saved report',
        description:
          'Computed now, with the permissions of the caller. 409 `reports_saved_invalid` if the report or one of its parameters no longer exists.',
        tags: ['reports'],
        params: Strict({ id: Uuid() }),
        querystring: Strict({
          format: Type.Optional(OneOf(REPORT_FORMATS, { default: 'json' })),
          width: Type.Optional(Type.Integer({ minimum: 400, maximum: 4_000, description: 'Pixels, of a picture.' })),
          theme: Type.Optional(OneOf(['light', 'dark'], { description: 'Colours of a picture.' })),
          lang: Type.Optional(
            Type.String({
              pattern: LANGUAGE_TAG,
              maxLength: 35,
              description: 'Language of labels and numbers, BCP 47, instead of a saved one.',
            }),
          ),
        }),
        response: { 200: { description: 'The report.', content } },
      },
    },
    async (request, reply) => {
      const row = await reports.get(request.ctx, request.params.id);
      const { owned, query } = queryOf(host as ReportsHost, row, request.query as ResultQuery);
      return await server
        .send(request, reply, owned, query)
        .catch((error: unknown) => Promise.reject(invalidSaved(host as ReportsHost, error) as Error));
    },
  );
};
