import type { ModuleNotice, ModuleServices, UnitOfWork } from '@lintel/sdk';
import type { ExpiredRisk } from './jobs-repository.js';

export const EXPIRED = 'risks.acceptance_expired';

/** The notifications of the module. */
export const NOTIFICATIONS = [
  {
    kind: EXPIRED,
    title: 'Expired acceptances',
    description: 'The acceptance of a risk you own has ended.',
    email: true,
  },
];

/** Notifies the owners of risks whose acceptance has ended, with one notification for risks that end together. */
export async function notifyOwners(
  host: ModuleServices,
  uow: UnitOfWork,
  risks: readonly ExpiredRisk[],
): Promise<void> {
  const notices = risks.flatMap(({ id, title, owner_id }): ModuleNotice[] =>
    owner_id === null
      ? []
      : [
          {
            to: [owner_id],
            kind: EXPIRED,
            subject: { kind: 'risks', id, name: title },
            title: `The acceptance of the risk “${title}” has ended`,
            group: uow.ctx.changeId,
          },
        ],
  );
  if (notices.length > 0) await host.notifications.send(uow, notices);
}
