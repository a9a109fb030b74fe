import type { PageResult, RequestContext } from '@lintel/sdk';
import type { Host } from '../basics.js';
import { listIdentities, removeIdentity } from './repository.js';
import type { IdentityQuery, IdentityView } from './schemas.js';

/** Which record of another system is which card. */
export class IdentityService {
  constructor(private readonly host: Host) {}

  async list(ctx: RequestContext, query: IdentityQuery): Promise<PageResult<IdentityView>> {
    return await listIdentities(this.host, ctx, query);
  }

  /** Forgets which card a record is. @throws not_found, also for a card that is hidden from the caller */
  async remove(ctx: RequestContext, id: string): Promise<void> {
    const { host } = this;
    await host.transactions.run(ctx, async (uow) => {
      const removed = await removeIdentity(uow, id);
      if (!removed) throw host.problem('not_found');
      if (removed.card_id !== null) await host.cards.get(ctx, removed.card_id);
      uow.emit({
        type: 'cmdbsync_identity.deleted',
        subject: { kind: 'cmdbsync_identity', id },
        data: { mapping_id: removed.mapping_id, ...(removed.card_id !== null && { card_id: removed.card_id }) },
      });
    });
  }
}
