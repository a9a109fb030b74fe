import { DateOnly, Nullable, OneOf, Timestamp, Type, Uuid, resource } from '@lintel/sdk';
import { initiativesAmong, MAX_TASKS, type Host } from '../basics.js';
import { Assignee, assigneesOf } from '../people.js';
import { CARD_MANAGE, MANAGE, VIEW } from '../permissions.js';
import { positionAt } from '../plan/order.js';
import { tellAssignee } from './notices.js';
import { isPlaced } from './placed.js';
import { columnOf, commentCounts, countTasks, isItemOf } from './repository.js';

export const TASK_STATUSES = ['todo', 'in_progress', 'blocked', 'done'] as const;
export const PRIORITIES = ['low', 'medium', 'high', 'critical'] as const;
const ID = '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b';
const Tag = Type.String({ minLength: 1, maxLength: 50, pattern: '^(?!\\s*$)[^\\p{Cc},]*$' });

/** Tasks of initiatives, in columns by status. */
export const tasks = resource({
  kind: 'ppm_task',
  table: 'ppm_tasks',
  tag: 'ppm',
  operation: 'PpmTask',
  label: 'a task of an initiative',
  labels: 'tasks of an initiative',
  permissions: { view: VIEW, manage: MANAGE },
  card: { field: 'card_id', permission: CARD_MANAGE },
  fixed: ['card_id'],
  fields: {
    card_id: Uuid({ description: 'The initiative.' }),
    wbs_id: Nullable(Uuid({ description: 'The item of the work breakdown that it belongs to.' })),
    title: Type.String({ minLength: 1, maxLength: 300, pattern: '^(?!\\s*$)[^\\p{Cc}\\uFFFE\\uFFFF]*$' }),
    description: Nullable(Type.String({ maxLength: 20_000, description: 'Markdown.' })),
    status: OneOf(TASK_STATUSES, {
      default: 'todo',
      description: 'A task that gets another status becomes the last one of it; `move` puts it elsewhere.',
    }),
    priority: OneOf(PRIORITIES, { default: 'medium' }),
    assignee_id: Nullable(Uuid({ description: 'A user.' })),
    start_date: Nullable(DateOnly()),
    due_date: Nullable(DateOnly()),
    effort_hours: Nullable(
      Type.Number({ minimum: 0, maximum: 999_999.99, 'x-scale': 2, description: 'Estimated hours of work.' }),
    ),
    tags: Type.Array(Tag, { maxItems: 20, uniqueItems: true, default: [] }),
  },
  assigned: {
    position: Type.Integer(),
    completed_at: Nullable(Timestamp()),
  },
  types: { position: 'bigint', tags: 'text[]' },
  hidden: ['position'],
  shown: {
    assignee: Assignee,
    initiative: Type.Object(
      { id: Uuid(), name: Type.String() },
      { 'x-name': 'PpmTaskInitiative', examples: [{ id: ID, name: 'New shop' }] },
    ),
    comment_count: Type.Integer({ minimum: 0, examples: [0] }),
  },
  references: { card_id: initiativesAmong, assignee_id: 'user' },
  filters: {
    status: 'any',
    priority: 'any',
    assignee_id: 'any',
    wbs_id: 'any',
    tags: 'contains',
    start_date: 'range',
    due_date: 'range',
    is_overdue: {
      schema: Type.Boolean({ description: 'Whether the due date has passed (UTC) and the task is not done.' }),
      sql: (value, _bind, alias) =>
        `${value === true ? '' : 'not '}coalesce(${alias}.status <> 'done' and ${alias}.due_date < (statement_timestamp() at time zone 'UTC')::date, false)`,
    },
  },
  sorts: {
    position: { column: 'position', type: 'bigint' },
    due_date: true,
    start_date: true,
  },
  defaultSort: 'position',
  search: ['title', 'description', 'tags'],
  example: {
    card_id: ID,
    wbs_id: null,
    title: 'Ask the supplier for an offer',
    description: null,
    status: 'todo',
    priority: 'high',
    assignee_id: null,
    start_date: null,
    due_date: '2026-03-13',
    effort_hours: 6,
    tags: ['purchasing'],
  },
  async prepare({ host: plain, uow, ctx, id, before, next }) {
    const host = plain as unknown as Host;
    const faults: { field: string; reason: string }[] = [];
    if (next.start_date !== null && next.due_date !== null && next.due_date < next.start_date)
      faults.push({ field: '/due_date', reason: 'must not be before start_date' });
    if (next.wbs_id !== null && next.wbs_id !== before?.wbs_id && !(await isItemOf(uow, next.card_id, next.wbs_id)))
      faults.push({ field: '/wbs_id', reason: 'names no item of the work breakdown of this initiative' });
    if (!before && (await countTasks(uow, next.card_id)) >= MAX_TASKS)
      faults.push({ field: '', reason: `an initiative has at most ${MAX_TASKS} tasks` });
    if (faults.length > 0) throw host.invalid(...faults);
    const assignee = next.assignee_id;
    if (assignee !== null && assignee !== before?.assignee_id && assignee !== ctx.actor?.id)
      await tellAssignee(host, uow, { ...next, id });
    const isInPlace = before?.status === next.status || isPlaced(uow);
    const position = isInPlace ? next.position : await positionAt({}, columnOf(uow, next.card_id, next.status, id));
    const completed = before?.completed_at ?? new Date().toISOString();
    return { position, completed_at: next.status === 'done' ? completed : null };
  },
  async present(rows, ctx, host) {
    const counts = await commentCounts(
      host.db,
      rows.map(({ id }) => id),
    );
    const people = await assigneesOf(host, rows);
    const cards = await host.cards.find(ctx, [...new Set(rows.map(({ card_id }) => card_id))]);
    return rows.map(({ id, card_id }, i) => ({
      assignee: people[i]!,
      initiative: { id: card_id, name: cards.get(card_id)?.name ?? '' },
      comment_count: counts.get(id) ?? 0,
    }));
  },
});
export type Tasks = ReturnType<typeof tasks.service>;
