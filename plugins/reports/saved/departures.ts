import type { RequestContext } from '@lintel/sdk';
import type { ReportsHost } from '../host.js';
import { findAbandoned } from './audience-repository.js';
import type { SavedReports } from './resource.js';

/** Deletes private reports of deleted users, with an event each. @param ctx of work without a user */
export async function removeAbandoned(host: ReportsHost, reports: SavedReports, ctx: RequestContext): Promise<void> {
  let count: number;
  do {
    count = await host.transactions.run(ctx, async (uow) => {
      const ids = await findAbandoned(uow);
      await reports.writeIn(
        uow,
        ids.map((id) => ({ op: 'delete', id })),
      );
      return ids.length;
    });
  } while (count > 0);
}
