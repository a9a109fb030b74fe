import type { ModuleServices, RequestContext, UnitOfWork, WrittenResource } from '@lintel/sdk';
import { requireActiveInitiative, type Host } from '../basics.js';
import { positionAt, UnknownAnchor } from '../plan/order.js';
import { lockPlan } from '../plan/repository.js';
import { placed } from './placed.js';
import { columnOf, lockTask } from './repository.js';
import type { Tasks } from './resource.js';
import type { TaskMove } from './schemas.js';

/** Moves of tasks on the board. */
export class TaskMoves {
  constructor(
    private readonly host: Host & Pick<ModuleServices, 'invalid'>,
    private readonly tasks: Tasks,
  ) {}

  /**
   * @returns the task as it was written
   * @throws not_found, precondition_failed, invalid_state, validation_failed
   */
  async move(ctx: RequestContext, cardId: string, taskId: string, to: TaskMove): Promise<WrittenResource> {
    const { status, ...anchor } = to;
    const { host } = this;
    const { id: card_id } = await requireActiveInitiative(host, ctx, cardId);
    const id = taskId.toLowerCase();
    if (anchor.before_id !== undefined && anchor.after_id !== undefined)
      throw host.invalid({ field: '/after_id', reason: 'cannot be given together with before_id' });
    const work = async (uow: UnitOfWork): Promise<void> => {
      await lockPlan(uow, card_id);
      const before = await lockTask(uow, card_id, id);
      if (!before) throw host.problem('not_found');
      const current = before.status === status ? before.position : undefined;
      try {
        const position = await positionAt(anchor, columnOf(uow, card_id, status, id), current);
        placed(uow);
        await this.tasks.updateIn(uow, id, { status, position });
      } catch (error) {
        if (!(error instanceof UnknownAnchor)) throw error;
        throw host.invalid({ field: `/${error.field}`, reason: 'names no other task with this status' });
      }
    };
    return await this.tasks.answering(
      ctx,
      (written) =>
        host.transactions.run(ctx, async (uow) => {
          await work(uow);
          await written(uow, id);
          return id;
        }),
      { card_id },
    );
  }
}
