import type { UnitOfWork } from '@lintel/sdk';

const LOCK = {
  name: 'ppm-risk-lock',
  text: 'select version, promoted_reference from ppm_risks where id = $1 for no key update',
};

/** Locks a risk; undefined if it does not exist. */
export async function lockRisk(
  uow: UnitOfWork,
  id: string,
): Promise<{ version: number; promoted_reference: string | null } | undefined> {
  return (await uow.query<{ version: number; promoted_reference: string | null }>(LOCK, [id]))[0];
}
