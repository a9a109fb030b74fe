import type { CardRef, ModuleServices, UnitOfWork } from '@lintel/sdk';
import type { Host } from './basics.js';
import { APPROVE, CARD_APPROVE } from './permissions.js';

const REQUESTED = 'bpm.approval_requested';
const DECIDED = 'bpm.flow_decided';

/** The notifications of the module. */
export const NOTIFICATIONS = [
  {
    kind: REQUESTED,
    title: 'Flows to approve',
    description: 'The flow of a process was submitted, and you may approve it.',
    email: true,
  },
  {
    kind: DECIDED,
    title: 'Decisions on flows',
    description: 'A flow that you submitted was published or rejected.',
    email: true,
  },
];

/** What a notification says of a version. */
interface Submitted {
  revision: number;
  submitted_by: string | null;
}

/** Sends the notifications of the module. Their subject is the card, so that only users who may see the process get them. */
export class Notices {
  constructor(private readonly host: Host) {}

  /** The users who may approve flows of a process; read before a transaction. */
  async approversOf(cardId: string): Promise<string[]> {
    return (await this.host.users.holdingOn(cardId, APPROVE, CARD_APPROVE)).map(({ id }) => id);
  }

  async submitted(uow: UnitOfWork, process: CardRef, { revision }: Submitted, to: readonly string[]): Promise<void> {
    await this.send(
      uow,
      process,
      REQUESTED,
      to,
      `Revision ${revision} of the flow of “${process.name}” awaits approval`,
    );
  }

  async decided(
    uow: UnitOfWork,
    process: CardRef,
    { revision, submitted_by }: Submitted,
    decision: 'approved' | 'rejected',
  ): Promise<void> {
    if (submitted_by === null) return;
    const word = decision === 'approved' ? 'published' : 'rejected';
    await this.send(
      uow,
      process,
      DECIDED,
      [submitted_by],
      `Revision ${revision} of the flow of “${process.name}” was ${word}`,
    );
  }

  private async send(
    uow: UnitOfWork,
    { id, type, name }: CardRef,
    kind: string,
    to: readonly string[],
    title: string,
  ): Promise<void> {
    if (to.length === 0) return;
    const notifications: ModuleServices['notifications'] = this.host.notifications;
    await notifications.send(uow, { to, kind, subject: { kind: 'card', id, type, name }, title });
  }
}
