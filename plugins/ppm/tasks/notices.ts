import type { RequestContext, UnitOfWork } from '@lintel/sdk';
import { INITIATIVE_TYPE, type Host } from '../basics.js';
import { VIEW } from '../permissions.js';

const ASSIGNED = 'ppm.task_assigned';
const COMMENTED = 'ppm.task_commented';

/** The notifications of the module. */
export const NOTIFICATIONS = [
  {
    kind: ASSIGNED,
    title: 'Tasks assigned to you',
    description: 'Somebody has assigned you a task of an initiative.',
    email: true,
  },
  {
    kind: COMMENTED,
    title: 'Comments on your tasks',
    description: 'Somebody has commented on a task that is assigned to you.',
    email: false,
  },
];

interface ToldTask {
  id: string;
  card_id: string;
  title: string;
  assignee_id: string | null;
}

/** Tells the assignee of a task about it. */
export async function tellAssignee(host: Host, uow: UnitOfWork, task: ToldTask): Promise<void> {
  await send(host, uow, task, ASSIGNED, `You were assigned the task “${task.title}”`);
}

/** Notifies the assignee of a task of a comment by another user. */
export async function tellComment(host: Host, uow: UnitOfWork, task: ToldTask): Promise<void> {
  await send(host, uow, task, COMMENTED, `A comment on the task “${task.title}”`);
}

/** By request, the users who hold the permission to see plans: looked up before its transaction, which must not wait for a second connection. */
const holders = new WeakMap<RequestContext, ReadonlySet<string>>();

/** Looks up who may be told about tasks in the transactions of a request; without it no notification is sent. */
export async function findReceivers(host: Host, ctx: RequestContext): Promise<void> {
  holders.set(ctx, new Set((await host.users.holding(VIEW)).map(({ id }) => id)));
}

/** The subject is the card, so that only users who may see the initiative are told. */
async function send(
  host: Host,
  uow: UnitOfWork,
  { id, card_id, assignee_id }: ToldTask,
  kind: string,
  title: string,
): Promise<void> {
  if (assignee_id === null || holders.get(uow.ctx)?.has(assignee_id) !== true) return;
  await host.notifications.send(uow, {
    to: [assignee_id],
    kind,
    subject: { kind: 'card', id: card_id, type: INITIATIVE_TYPE },
    title,
    group: id,
  });
}
