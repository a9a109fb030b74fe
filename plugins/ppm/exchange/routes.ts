import { FileResponse, type ModuleRoutes } from '@lintel/sdk';
import type { FastifyInstance } from 'fastify';
import type { Host } from '../basics.js';
import { MANAGERS, READERS } from '../permissions.js';
import { CardParams } from '../schedule/schemas.js';
import type { PpmServices } from '../services.js';
import type { Settings } from '../settings.js';
import { MAX_BYTES } from './file-plan.js';
import { CSV_TYPE, ImportBody, ImportQuery, ImportView, XML_TYPES } from './schemas.js';

const tags = ['ppm'];
const PATH = '/initiatives/:card_id';
/** Opened as a document, the file cannot load or run anything; browsers save it. */
const FILE_HEADERS = { 'content-security-policy': "default-src 'none'; sandbox", 'x-content-type-options': 'nosniff' };
const FORMATS = {
  csv: { type: `${CSV_TYPE}; charset=utf-8`, media: CSV_TYPE, operation: 'getPpmPlanCsv', summary: 'A plan as CSV' },
  xml: {
    type: 'application/xml',
    media: 'application/xml',
    operation: 'getPpmPlanXml',
    summary: 'A plan as Microsoft Project XML',
  },
} as const;

/** The name of a saved file, for Content-Disposition. */
const attachment = (name: string): string =>
  `attachment; filename*=UTF-8''${encodeURIComponent(name.toWellFormed()).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)}`;

/** Makes the routes of a scope accept files of plans as bodies. */
function takePlans(app: FastifyInstance, host: Host): void {
  app.addContentTypeParser(
    [CSV_TYPE, ...XML_TYPES],
    { parseAs: 'buffer', bodyLimit: MAX_BYTES },
    (request, body, done) => {
      const isPlain = ['', 'identity'].includes(request.headers['content-encoding'] ?? '');
      done(isPlain ? null : host.invalid({ field: '', reason: 'must not be compressed' }), body);
    },
  );
  const { validatorCompiler } = app;
  app.setValidatorCompiler((route) => {
    const check = validatorCompiler!(route);
    return route.httpPart === 'body' ? (value) => Buffer.isBuffer(value) || check(value) : check;
  });
}

/** Export and import of plans. */
export const exchangeRoutes: ModuleRoutes<PpmServices, Settings> = async (app, { services, host }) => {
  const { exports, imports } = services.schedules;
  const { http } = host;
  takePlans(app, host);

  for (const format of ['csv', 'xml'] as const) {
    const { type, media, operation, summary } = FORMATS[format];
    app.get(
      `${PATH}/plan.${format}`,
      {
        config: { access: READERS, costly: 'memory' },
        schema: {
          operationId: operation,
          summary,
          tags,
          params: CardParams,
          response: { 200: FileResponse(media, 'The file.') },
          description:
            'Items, dependencies and, as XML, the calendar of the plan; amounts for callers who may see the costs of the initiative. The same file can be imported again without changing anything.',
        },
      },
      async (request, reply) => {
        const { card_id } = request.params as { card_id: string };
        const { name, ...file } = await exports.file(request.ctx, card_id, format === 'xml' ? 'mspdi' : 'csv');
        reply.headers({ ...FILE_HEADERS, 'content-disposition': attachment(name) });
        return http.sendBytes(request, reply, { ...file, type });
      },
    );
  }

  app.post(
    `${PATH}/plan/import`,
    {
      config: { access: MANAGERS, idempotent: true, conditional: true, costly: true },
      bodyLimit: MAX_BYTES,
      schema: {
        operationId: 'importPpmPlan',
        summary: 'Import a plan from CSV or Microsoft Project XML',
        tags,
        params: CardParams,
        querystring: ImportQuery,
        body: ImportBody as never,
        response: { 200: ImportView },
        description:
          'Items are found by their id, otherwise by `external_id`, in Microsoft Project XML the UID; others are created. Everything is imported in one transaction, or nothing. `If-Match` is about the plan. What a file of Microsoft Project has and a plan has not, such as deadlines, is in `notes`, with its count; tasks that are scheduled by hand are read with planned dates, lags in elapsed time as working days.',
      },
    },
    async (request) => {
      const body: unknown = request.body;
      if (!Buffer.isBuffer(body) || body.length === 0)
        throw host.invalid({ field: '', reason: `must be a file of the type ${[CSV_TYPE, ...XML_TYPES].join(', ')}` });
      const isCsv = (request.headers['content-type'] ?? '').trim().toLowerCase().startsWith(CSV_TYPE);
      return imports.run(request.ctx, request.params.card_id, body, isCsv ? 'csv' : 'mspdi', request.query);
    },
  );
};
