import type { ModuleNotice, NotificationPort } from '@lintel/sdk';
import type { HostServices } from '../services.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { uuidv7 } from '../../foundation/ids.js';
import { maySee, recipientsOf, type Notice, type NotificationKind } from '../../messaging/notifications/index.js';
import type { InstalledModule } from '../installed.js';
import { ModuleUnit } from './unit.js';

/**
 * The kinds of notifications a module declares: about its own subjects, with the permissions of their events, and about
 * cards, with the permission `<id>.view` of the module where there is one: the title tells of what the module stores.
 */
export function notificationKinds(module: InstalledModule): NotificationKind[] {
  const { id, manifest } = module;
  const subjects = new Map<string, readonly string[]>([
    ...(manifest?.events ?? []).map(({ kind, permission }) => [kind, [permission]] as const),
    ['card', manifest?.permissions?.some(({ key }) => key === `${id}.view`) ? [`${id}.view`] : []],
  ]);
  return (manifest?.notifications ?? []).map(({ kind, title, description, email = false }) => ({
    kind,
    title,
    description,
    email,
    module: id,
    subjects,
    isOn: () => module.isOn,
  }));
}

/**
 * Sends notifications of a module: with the kinds and subjects of its manifest, to receivers who may see the subject.
 */
export function notificationPort(
  module: InstalledModule,
  { rbac, notificationWriter: writer }: HostServices,
): NotificationPort {
  const kinds = new Map(notificationKinds(module).map((kind) => [kind.kind, kind]));
  const own = module.external ? `/ext/${module.id}` : `/${module.id}`;

  /** @throws for undeclared notifications, which are an error of the module */
  function declared({ kind, subject, title }: ModuleNotice): NotificationKind {
    const known = kinds.get(kind);
    if (!known)
      throw new Error(`${module.id} sends a notification of the kind ${kind}, which its manifest does not declare`);
    if (!known.subjects.has(subject.kind))
      throw new Error(
        `${module.id} sends a notification about the kind ${subject.kind}, which its manifest does not declare`,
      );
    if (typeof title !== 'string' || title.trim() === '')
      throw new Error(`${module.id} sends a notification without a title`);
    return known;
  }

  async function send(uow: UnitOfWork, notices: readonly ModuleNotice[]): Promise<void> {
    const known = notices.map((notice) => ({ ...notice, spec: declared(notice) }));
    const { actor } = uow.ctx;
    const receivers = known.flatMap(({ to }) => to).filter((id) => id.toLowerCase() !== actor?.id);
    if (receivers.length === 0) return;
    const recipients = await recipientsOf(uow, receivers, rbac);
    const due = known.flatMap(({ to, spec, kind, subject, title, path, group }): Notice[] => {
      const about = { kind: subject.kind, id: subject.id, type: subject.type ?? null, name: subject.name ?? null };
      const named = new Set(to.map((id) => id.toLowerCase()));
      const seeing = [...recipients.values()].filter(
        ({ id, identity: { permissions } }) =>
          named.has(id) && permissions.has('notifications.own') && maySee(spec, about, permissions),
      );
      const link = subject.kind === 'card' ? `/cards/${subject.id}` : `${own}${path ?? `/${subject.id}`}`;
      const content = {
        kind,
        position: null,
        subject: about,
        actor: actor && { id: actor.id, name: actor.displayName },
        title,
        link,
        count: 1,
        data: {},
      };
      const key = group === undefined ? `own ${uuidv7()}` : `group ${group}`;
      return seeing.map(({ id }) => ({ ...content, userId: id, group: key }));
    });
    await writer.write(uow, due, recipients);
  }
  return { send: async (unit, notices) => send(ModuleUnit.core(unit), [notices].flat()) };
}
