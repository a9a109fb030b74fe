import { Problem, type UnitOfWork } from '@lintel/sdk';
import type { Host } from '../basics.js';

/**
 * Checks that the caller may let runs act as a service account.
 * @param field JSON pointer of the member with its id
 * @returns the invalid fields
 * @throws forbidden if the account has permissions that the caller does not have
 */
export async function accountFaults(
  host: Host,
  uow: UnitOfWork,
  account: string,
  field: string,
): Promise<{ field: string; reason: string }[]> {
  try {
    await host.users.ensureRunsAs(uow, account, field);
    return [];
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 422) throw error;
    return (error.errors ?? []).map(({ reason }) => ({ field, reason }));
  }
}
