import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { CardView } from '../cards/index.js';
import type { ExportService } from './service.js';
import { sendStream } from '../../foundation/http/respond.js';
import { XLSX_MEDIA } from '../../foundation/xlsx/index.js';
import { ExportQuery, type ExportFormat } from './schemas.js';

const MEDIA: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson; charset=utf-8',
  json: 'application/json; charset=utf-8',
  xlsx: XLSX_MEDIA,
};

const EXAMPLE =
  'id,type,subtype,name,…,attributes.costTotalAnnual\n0198f3a0-7c1e-7a52-9d3c-5f0f6b3f4e21,Application,microservice,CRM,…,120000\n';

/** Export of cards to files. */
export default (async (app, { services: { exports } }) => {
  app.get(
    '/export',
    {
      config: { access: { permission: 'cards.export' } },
      schema: {
        operationId: 'exportCards',
        summary: 'All matching cards as a file, streamed',
        tags: ['cards'],
        description:
          'The filters of `GET /cards`; ordered by id, from one snapshot. In CSV an apostrophe is added before a cell that a spreadsheet would run as a formula; an import removes it.',
        querystring: ExportQuery,
        response: {
          200: {
            description: 'The cards.',
            content: {
              'text/csv': { schema: Type.String({ examples: [EXAMPLE] }) },
              'application/x-ndjson': { schema: CardView },
              'application/json': { schema: Type.Array(CardView) },
              [XLSX_MEDIA]: { schema: Type.String({ format: 'binary' }) },
            },
          },
        },
      },
    },
    async (request, reply) => {
      const { format: kind = 'ndjson', bom = false, ...filters } = request.query;
      const name = `cards-${new Date().toISOString().slice(0, 10)}.${kind}`;
      // HEAD returns the headers without waiting for a slot and without running the COPY.
      if (request.method === 'HEAD') {
        exports.check(request.ctx, filters);
        return sendStream(reply, MEDIA[kind], name, Readable.from([]));
      }
      return sendStream(reply, MEDIA[kind], name, await exports.export(request.ctx, kind, filters, bom));
    },
  );
}) satisfies FastifyPluginAsyncTypebox<{ services: { exports: ExportService } }>;
