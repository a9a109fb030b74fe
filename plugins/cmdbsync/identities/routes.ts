import { IdParams, NoContent, type ModuleRoutes } from '@lintel/sdk';
import { MANAGERS, READERS } from '../permissions.js';
import type { CmdbSyncServices } from '../services.js';
import type { Settings } from '../settings.js';
import { IdentityPage, IdentityQuery } from './schemas.js';

const tags = ['cmdbsync'];

/** Which record of the other system is which card. */
export const identityRoutes: ModuleRoutes<CmdbSyncServices, Settings> = async (
  app,
  { services: { identities }, host },
) => {
  app.get(
    '/identities',
    {
      config: { access: READERS },
      schema: {
        operationId: 'listCmdbsyncIdentities',
        summary: 'Records of other systems and their cards',
        tags,
        querystring: IdentityQuery,
        response: { 200: IdentityPage },
      },
    },
    async (request, reply) => host.http.sendPage(request, reply, await identities.list(request.ctx, request.query)),
  );

  app.delete(
    '/identities/:id',
    {
      config: { access: MANAGERS, idempotent: true },
      schema: {
        operationId: 'deleteCmdbsyncIdentity',
        summary: 'Forget which card a record is',
        description:
          'Neither the card nor the record changes. The next run reads everything and matches the record anew.',
        tags,
        params: IdParams,
        response: NoContent,
      },
    },
    async (request, reply) => {
      await identities.remove(request.ctx, request.params.id);
      return host.http.sendNothing(reply);
    },
  );
};
