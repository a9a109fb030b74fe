import { Type, Uuid, resource } from '@lintel/sdk';
import { initiativesAmong, type Host } from '../basics.js';
import { CARD_MANAGE, MANAGE, VIEW } from '../permissions.js';
import { tellComment } from './notices.js';
import { existingTasks, readTask } from './repository.js';

const ID = '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b';

/** Comments on tasks; only their authors change them. */
export const comments = resource({
  kind: 'ppm_task_comment',
  table: 'ppm_task_comments',
  tag: 'ppm',
  operation: 'PpmTaskComment',
  label: 'a comment on a task',
  labels: 'comments on a task',
  permissions: { view: VIEW, manage: MANAGE },
  card: { field: 'card_id', permission: CARD_MANAGE },
  fixed: ['card_id', 'task_id'],
  bounds: [{ per: ['task_id'], most: 5_000 }],
  fields: {
    card_id: Uuid({ description: 'The initiative.' }),
    task_id: Uuid(),
    text: Type.String({ minLength: 1, maxLength: 10_000, pattern: '\\S', description: 'Markdown.' }),
  },
  references: { card_id: initiativesAmong, task_id: (host, _ctx, ids) => existingTasks(host.db, ids) },
  defaultSort: 'created_at',
  example: { card_id: ID, task_id: ID, text: 'The offer arrives on Friday.' },
  async prepare({ host: plain, uow, ctx, before, next }) {
    const host = plain as unknown as Host;
    if (before) {
      if (before.created_by !== ctx.actor?.id)
        throw host.problem('forbidden', { detail: 'A comment is changed by its author only.' });
      return;
    }
    const task = await readTask(uow, next.card_id, next.task_id);
    if (!task) throw host.problem('not_found');
    await tellComment(host, uow, { ...task, id: next.task_id, card_id: next.card_id });
  },
});
export type Comments = ReturnType<typeof comments.service>;
