import type { ModuleRoutes } from '@lintel/sdk';
import { ElementPage, ElementParams, ElementQuery, ElementView, LinksBody } from '../elements/schemas.js';
import { EDITORS, READERS } from '../permissions.js';
import type { BpmServices } from '../services.js';
import type { Settings } from '../settings.js';
import { ProcessParams } from '../versions/schemas.js';

const tags = ['bpm'];
const PATH = '/processes/:card_id/elements';

/** The elements of flows, and their links with cards. */
export const elementRoutes: ModuleRoutes<BpmServices, Settings> = async (
  app,
  { services: { elements }, host: { http } },
) => {
  app.get(
    PATH,
    {
      config: { access: READERS },
      schema: {
        operationId: 'listBpmElements',
        summary: 'The elements of a flow in order of sequence flow, with their links',
        tags,
        params: ProcessParams,
        querystring: ElementQuery,
        response: { 200: ElementPage },
      },
    },
    async (request, reply) =>
      http.sendPage(request, reply, await elements.list(request.ctx, request.params.card_id, request.query)),
  );

  app.get(
    `${PATH}/:element_id`,
    {
      config: { access: READERS },
      schema: {
        operationId: 'getBpmElement',
        summary: 'An element of a flow',
        tags,
        params: ElementParams,
        response: { 200: ElementView },
      },
    },
    async (request, reply) => {
      const { card_id, element_id } = request.params;
      return http.sendResource(request, reply, await elements.resource(request.ctx, card_id, element_id));
    },
  );

  app.put(
    `${PATH}/:element_id/links`,
    {
      config: { access: EDITORS, conditional: true },
      schema: {
        operationId: 'setBpmElementLinks',
        summary: 'Link an element with cards',
        tags,
        params: ElementParams,
        body: LinksBody,
        response: { 200: ElementView },
        description:
          'With applications, data objects, IT components and organizations; a call activity also with the called process. Links of a draft make relations when it is published; those of the published version at once, with the rights of the caller. If-Match is the version of the element.',
      },
    },
    async (request, reply) => {
      const { card_id, element_id } = request.params;
      const element = await elements.setLinks(request.ctx, card_id, element_id, request.body);
      return http.sendResource(request, reply, element);
    },
  );
};
