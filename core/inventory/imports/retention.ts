import type { RequestContext } from '@lintel/sdk';
import type { Transactions, UnitOfWork } from '../../foundation/db/unit-of-work.js';
import type { FileStore } from '../../foundation/files/index.js';
import { deleteImport, lockExpired } from './repository.js';

/** Deletes expired imports with their rows. What they wrote remains. */
export class ImportRetention {
  /** @param days since the last change of state; 0 keeps imports indefinitely */
  constructor(
    private readonly transactions: Transactions,
    private readonly files: FileStore,
    private readonly days: number,
  ) {}

  /**
   * Deletes expired imports, each in its own transaction, because it may have a million rows.
   * @param guard run inside each transaction; throws where the job no longer owns its work
   * @returns the number of deleted imports
   */
  async purge(ctx: RequestContext, guard: (uow: UnitOfWork) => Promise<void> = async () => undefined): Promise<number> {
    if (this.days === 0) return 0;
    for (let gone = 0; ; gone++) {
      const found = await this.transactions.run(ctx, async (uow) => {
        uow.kind = 'job';
        await guard(uow);
        const expired = await lockExpired(uow, this.days);
        if (!expired) return undefined;
        const { id, state, file_id, file_name } = expired;
        await deleteImport(uow, id);
        if (file_id !== null) await this.files.remove(file_id, uow);
        uow.emit({
          type: 'import.deleted',
          subject: { kind: 'import', id, name: file_name },
          data: { state, retention_days: this.days },
        });
        return { id };
      });
      if (!found) return gone;
    }
  }
}
