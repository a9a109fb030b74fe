import type { EventInput, ModuleNotice, ModuleServices, UnitOfWork } from '@lintel/sdk';

const EXPIRED = 'risks.acceptance_expired';

/** What the module tells people of. */
export const NOTIFICATIONS = [
  {
    kind: EXPIRED,
    title: 'Expired acceptances',
    description: 'The acceptance of a risk you own has ended.',
    email: true,
  },
];

/** Tells owners of risks whose acceptance has ended; of all that end together in one. */
export async function tellOwners(host: ModuleServices, uow: UnitOfWork, events: readonly EventInput[]): Promise<void> {
  const notices = events.flatMap(({ type, subject, data }): ModuleNotice[] => {
    const { owner_id: owner } = data as { owner_id?: string | null };
    if (type !== EXPIRED || !owner) return [];
    const name = subject.name ?? '';
    return [
      {
        to: [owner],
        kind: EXPIRED,
        subject: { kind: 'risks', id: subject.id, name },
        title: `The acceptance of the risk “${name}” has ended`,
        group: uow.ctx.changeId,
      },
    ];
  });
  if (notices.length > 0) await host.notifications.send(uow, notices);
}
