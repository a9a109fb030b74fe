import { FileResponse, IdParams, type ModuleRoutes } from '@lintel/sdk';
import { MAX_BYTES } from '../basics.js';
import { EDIT, READERS } from '../permissions.js';
import type { BpmServices } from '../services.js';
import type { Settings } from '../settings.js';
import { templates } from '../templates/resource.js';
import { FileBody, TemplateFileQuery } from '../versions/schemas.js';
import { FILE_HEADERS, attachment, fileOf, takeFiles } from './file-routes.js';

const tags = ['bpm'];

/** The files of templates. */
export const templateRoutes: ModuleRoutes<BpmServices, Settings> = async (app, { services, host }) => {
  const { http } = host;
  takeFiles(app, host);

  app.get(
    '/templates/:id.bpmn',
    {
      config: { access: READERS },
      schema: {
        operationId: 'getBpmTemplateFile',
        summary: 'The file of a template',
        tags,
        params: IdParams,
        querystring: TemplateFileQuery,
        response: { 200: FileResponse('application/xml', 'The bytes of the file, unchanged.') },
      },
    },
    async (request, reply) => {
      const { name, ...file } = await services.templateContent.get(
        (request.params as { id: string }).id,
        request.query.lang,
      );
      reply.headers({ ...FILE_HEADERS, 'content-disposition': attachment(`${name}.bpmn`) });
      return http.sendBytes(request, reply, { ...file, type: 'application/xml' });
    },
  );

  app.put(
    '/templates/:id.bpmn',
    {
      config: { access: { permission: EDIT }, conditional: true, costly: true },
      bodyLimit: MAX_BYTES,
      schema: {
        operationId: 'setBpmTemplateFile',
        summary: 'Set the file of a template',
        tags,
        params: IdParams,
        body: FileBody as never,
        response: { 200: templates.view },
      },
    },
    async (request, reply) => {
      const { id } = request.params as { id: string };
      const { resource } = await services.templateContent.put(request.ctx, id, fileOf(host, request));
      return http.sendResource(request, reply, resource) as never;
    },
  );
};
