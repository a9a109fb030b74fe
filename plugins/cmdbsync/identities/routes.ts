import { IdParams, NoContent, type ModuleRoutes } from '@lintel/sdk';
import { MANAGERS, READERS } from '../permissions.js';
import type { CmdbSyncServices } from '../services.js';
import type { Settings } from '../settings.js';
import { listIdentities, removeIdentity } from './repository.js';
import { IdentityPage, IdentityQuery } from './schemas.js';

const tags = ['cmdbsync'];

/** Which record of the other system is which card. */
export const identityRoutes: ModuleRoutes<CmdbSyncServices, Settings> = async (app, { host }) => {
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
    async (request, reply) =>
      host.http.sendPage(request, reply, await listIdentities(host, request.ctx, request.query)),
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
      const { id } = request.params;
      await host.transactions.run(request.ctx, async (uow) => {
        const removed = await removeIdentity(uow, id);
        if (!removed) throw host.problem('not_found');
        // Of a card that is hidden from the caller the record does not exist.
        if (removed.card_id !== null) await host.cards.get(request.ctx, removed.card_id);
        uow.emit({
          type: 'cmdbsync_identity.deleted',
          subject: { kind: 'cmdbsync_identity', id },
          data: { mapping_id: removed.mapping_id, ...(removed.card_id !== null && { card_id: removed.card_id }) },
        });
      });
      return host.http.sendNothing(reply);
    },
  );
};
