import { IdParams, Type, type ModuleRoutes } from '@lintel/sdk';
import { VIEW } from '../permissions.js';
import {
  MatrixQuery,
  MatrixView,
  MetricsQuery,
  MetricsView,
  PropagationQuery,
  PropagationView,
} from '../reports/schemas.js';
import type { ReportService } from '../reports/service.js';
import type { Settings } from '../settings.js';

const tags = ['risks'];
/** Opened as a document, the image cannot load or run anything. */
const PICTURE = {
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  'content-disposition': 'inline; filename="risk-matrix.svg"',
};

/** Reports on the register, and the propagation of a risk. */
export const reportRoutes: ModuleRoutes<ReportService, Settings> = async (
  app,
  { services: reports, host: { http } },
) => {
  app.get(
    '/metrics',
    {
      config: { access: { permission: VIEW } },
      schema: {
        operationId: 'getRiskMetrics',
        summary: 'Metrics of the register',
        tags,
        querystring: MetricsQuery,
        response: { 200: MetricsView },
      },
    },
    async (request) => reports.metrics(request.ctx, request.query),
  );

  app.get(
    '/matrix',
    {
      config: { access: { permission: VIEW } },
      schema: {
        operationId: 'getRiskMatrix',
        summary: 'Risks by probability and impact, as data or as an image',
        tags,
        querystring: MatrixQuery,
        response: {
          200: {
            description: 'The matrix.',
            content: {
              'application/json': { schema: MatrixView },
              'image/svg+xml': { schema: Type.String({ examples: ['<svg xmlns="http://www.w3.org/2000/svg"/>'] }) },
            },
          },
        },
      },
    },
    async (request, reply) => {
      if (request.query.format !== 'svg') return await reports.matrix(request.ctx, request.query);
      const picture = await reports.matrixPicture(request.ctx, request.query);
      return http.sendBytes(request, reply.headers(PICTURE), {
        version: 1,
        derived: picture,
        type: 'image/svg+xml; charset=utf-8',
        bytes: Buffer.from(picture),
      });
    },
  );

  app.get(
    '/:id/propagation',
    {
      config: { access: { permission: VIEW }, costly: true },
      schema: {
        operationId: 'getRiskPropagation',
        summary: 'The cards that a risk reaches over relations, with paths',
        tags,
        params: IdParams,
        querystring: PropagationQuery,
        response: { 200: PropagationView },
        description:
          'From the cards it affects and those that contribute to it, over relations between active cards, as `GET /cards/{id}/impact` follows them. Needs `relations.view` as well.',
      },
    },
    async (request) => reports.propagation(request.ctx, request.params.id, request.query),
  );
};
