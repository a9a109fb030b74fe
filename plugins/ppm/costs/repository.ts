import type { UnitOfWork } from '@lintel/sdk';

const ITEM = {
  name: 'ppm-cost-item',
  text: 'select 1 from ppm_wbs where id = $1 and card_id = $2 for key share',
};

/** Whether an item of the work breakdown belongs to an initiative; it then cannot be deleted until the transaction ends. */
export async function isItemOf(uow: UnitOfWork, wbsId: string, cardId: string): Promise<boolean> {
  return (await uow.query(ITEM, [wbsId, cardId])).length > 0;
}
