import { FileResponse, Type, type ModuleRoutes } from '@lintel/sdk';
import { READERS } from '../permissions.js';
import type { BpmServices } from '../services.js';
import type { Settings } from '../settings.js';
import { DiffQuery, DiffView, PictureQuery, VersionParams } from '../versions/schemas.js';

const tags = ['bpm'];
const PATH = '/processes/:card_id/flow/versions';
/** Opened as a document, the image cannot load or run anything. */
const SVG_HEADERS = { 'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox" };
const TYPES = { svg: 'image/svg+xml; charset=utf-8', png: 'image/png' } as const;

/** Drawings of versions, and how they differ. */
export const pictureRoutes: ModuleRoutes<BpmServices, Settings> = async (
  app,
  { services: { pictures }, host: { http } },
) => {
  for (const format of ['svg', 'png'] as const)
    app.get(
      `${PATH}/:version_id.${format}`,
      {
        config: { access: READERS, costly: true },
        schema: {
          operationId: format === 'svg' ? 'getBpmSvg' : 'getBpmPng',
          summary: `A diagram of a version as ${format.toUpperCase()}`,
          tags,
          params: VersionParams,
          querystring: PictureQuery,
          response: { 200: FileResponse(format === 'svg' ? 'image/svg+xml' : 'image/png', 'The drawing.') },
          description:
            'Drawn from the diagram interchange of the file; laid out where the file has none. 404 for a diagram that the file does not have.',
        },
      },
      async (request, reply) => {
        const { card_id, version_id } = request.params as { card_id: string; version_id: string };
        const picture = await pictures.draw(request.ctx, card_id, version_id, { ...request.query, format });
        return http.sendBytes(request, reply.headers(SVG_HEADERS), { ...picture, type: TYPES[format] });
      },
    );

  app.get(
    `${PATH}/:version_id/diff`,
    {
      config: { access: READERS, costly: true },
      schema: {
        operationId: 'getBpmDiff',
        summary: 'What has changed since another version, in terms of elements',
        tags,
        params: VersionParams,
        querystring: DiffQuery,
        response: {
          200: {
            description: 'The changes, or the version with its changes marked.',
            content: {
              'application/json': { schema: DiffView },
              'image/svg+xml': { schema: Type.String({ examples: ['<svg xmlns="http://www.w3.org/2000/svg"/>'] }) },
            },
          },
        },
      },
    },
    async (request, reply) => {
      const { card_id, version_id } = request.params;
      const { with: before, format = 'json', ...options } = request.query;
      if (format === 'json') return await pictures.diff(request.ctx, card_id, version_id, before);
      const picture = await pictures.drawDiff(request.ctx, card_id, version_id, before, { ...options, format: 'svg' });
      return http.sendBytes(request, reply.headers(SVG_HEADERS), { ...picture, type: TYPES.svg });
    },
  );
};
