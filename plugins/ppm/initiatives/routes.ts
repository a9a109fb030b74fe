import { Strict, Uuid, type ModuleRoutes } from '@lintel/sdk';
import { READERS } from '../permissions.js';
import type { PpmServices } from '../services.js';
import type { Settings } from '../settings.js';
import { InitiativePage, initiativeQuery, InitiativeView, type InitiativeQuery } from './schemas.js';

const tags = ['ppm'];

/** Initiatives with their roll-ups. */
export const initiativeRoutes: ModuleRoutes<PpmServices, Settings> = async (app, { services, host }) => {
  app.get(
    '/initiatives',
    {
      config: { access: READERS },
      schema: {
        operationId: 'listPpmInitiatives',
        summary: 'Initiatives with the roll-up of their plans',
        tags,
        description:
          'Takes the filters of `GET /cards` but `type`. The figures of an initiative are those of its own plan, without the initiatives below it. Sorts by amounts require the right to see all costs.',
        querystring: initiativeQuery(host.inventory.filters),
        response: { 200: InitiativePage },
      },
    },
    async (request, reply) =>
      host.http.sendPage(
        request,
        reply,
        await services.initiatives.list(request.ctx, request.query as InitiativeQuery),
      ),
  );

  app.get(
    '/initiatives/:card_id',
    {
      config: { access: READERS },
      schema: {
        operationId: 'getPpmInitiative',
        summary: 'An initiative with the roll-up of its plan',
        tags,
        params: Strict({ card_id: Uuid() }),
        response: { 200: InitiativeView },
      },
    },
    async (request) => services.initiatives.get(request.ctx, request.params.card_id),
  );
};
