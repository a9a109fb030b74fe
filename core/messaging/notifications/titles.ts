import { oneLine } from '../../foundation/text.js';
import type { Metamodel } from '../../inventory/metamodel/index.js';
import type { NotificationKinds } from './kinds.js';
import type { NoticeData } from './types.js';

/** The data from which a title is built. */
interface TitledNotice {
  kind: string;
  count: number;
  subject_type: string | null;
  subject_name: string | null;
  actor_name: string | null;
  /** Title given by a module. */
  title: string | null;
  data: NoticeData;
}

type Words = Record<string, string>;
interface Template {
  /** Templates by verb, `_` where there is only one: `{who}` is the actor, `{what}` the subject, `{role}` a role. */
  one: Words;
  /** Template for several combined: `{n}` is their number. */
  many?: Words;
}

const TEMPLATES: Readonly<Record<string, Template>> = {
  mention: { one: { _: '{who} mentioned you on {what}' } },
  assignment: { one: { todo: '{who} gave you a to-do on {what}', role: '{who} gave you the role {role} on {what}' } },
  comment: { one: { comment: '{who} commented on {what}', reply: '{who} answered your comment on {what}' } },
  todo_done: { one: { _: '{who} finished a to-do you gave on {what}' } },
  card_approval: {
    one: {
      approved: '{who} approved {what}',
      rejected: '{who} rejected {what}',
      reset: '{who} reset the approval of {what}',
      broken: '{who} changed {what}, which breaks its approval',
    },
    many: {
      approved: '{who} approved {n} cards',
      rejected: '{who} rejected {n} cards',
      reset: '{who} reset the approval of {n} cards',
      broken: '{who} changed {n} cards, which breaks their approval',
      _: '{who} moved the approval of {n} cards',
    },
  },
  card_archived: {
    one: { archived: '{who} archived {what}', restored: '{who} restored {what}', deleted: '{who} deleted {what}' },
    many: {
      archived: '{who} archived {n} cards',
      restored: '{who} restored {n} cards',
      deleted: '{who} deleted {n} cards',
      _: '{who} archived, restored or deleted {n} cards',
    },
  },
  card_changed: {
    one: {
      updated: '{who} changed {what}',
      tags: '{who} changed the tags of {what}',
      relations: '{who} changed a relation of {what}',
    },
    many: {
      updated: '{who} changed {n} cards',
      tags: '{who} changed the tags of {n} cards',
      relations: '{who} changed {n} relations of your cards',
      _: '{who} made {n} changes to your cards',
    },
  },
  import_done: { one: { applied: 'Your import of {what} is done', failed: 'Your import of {what} has failed' } },
  webhook_disabled: { one: { _: 'The webhook {what} was switched off' } },
  job_failed: { one: { _: 'The job {what} has failed' }, many: { _: 'The job {what} has failed {n} times' } },
};

const grouped = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, ',');

/** The text of a notification, in English and on one line. */
export function titleOf(notice: TitledNotice, kinds: NotificationKinds, metamodel: Metamodel): string {
  const { kind, count, data, title } = notice;
  if (title !== null) return oneLine(count === 1 ? title : `${grouped(count)} × ${kinds.get(kind)?.title ?? title}`);
  const template = TEMPLATES[kind];
  const words = count > 1 ? (template?.many ?? template?.one) : template?.one;
  const sentence = words?.[data.verb ?? '_'] ?? words?.['_'] ?? kinds.get(kind)?.title ?? kind;
  const values: Words = {
    who: notice.actor_name ?? 'The system',
    what: nameOf(notice, metamodel),
    n: grouped(count),
    role: data.role ?? '',
  };
  // Replaced in one pass, so that placeholders inside names are not expanded.
  return oneLine(sentence.replace(/\{(\w+)\}/g, (_match, key: string) => values[key] ?? ''));
}

function nameOf({ kind, subject_type: type, subject_name: name }: TitledNotice, metamodel: Metamodel): string {
  if (kind === 'job_failed') return name ?? '';
  const label = type === null ? '' : `${metamodel.types.get(type)?.definition.label ?? type} `;
  return `${label}“${name ?? ''}”`;
}
