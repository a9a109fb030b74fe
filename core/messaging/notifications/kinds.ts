import type { Channels, StoredPreferences } from './types.js';

/** Kinds of notifications, the strongest reason first: each user gets one notification per event. */
const CORE = {
  mention: {
    title: 'Mentions',
    description: 'A comment mentions you.',
    email: true,
    subject: 'card',
    needs: ['comments.view'],
  },
  assignment: {
    title: 'Assignments',
    description: 'A to-do or a stakeholder role on a card is assigned to you.',
    email: true,
    subject: 'card',
    needs: [],
  },
  comment: {
    title: 'Comments',
    description: 'A comment is added to a card you have a role on, or your comment gets a reply.',
    email: false,
    subject: 'card',
    needs: ['comments.view'],
  },
  todo_done: {
    title: 'To-dos done',
    description: 'A to-do you assigned to another user is done.',
    email: false,
    subject: 'card',
    needs: ['todos.own'],
  },
  card_approval: {
    title: 'Approvals',
    description: 'A card you have a role on is approved or rejected, or its approval is broken or reset.',
    email: true,
    subject: 'card',
    needs: [],
  },
  card_archived: {
    title: 'Archived cards',
    description: 'A card you have a role on is archived, restored or deleted.',
    email: false,
    subject: 'card',
    needs: [],
  },
  card_changed: {
    title: 'Changed cards',
    description: 'A card you have a role on, or its tags or relations, are changed.',
    email: false,
    subject: 'card',
    needs: [],
  },
  import_done: {
    title: 'Imports',
    description: 'An import of yours is applied, or has failed.',
    email: false,
    subject: 'import',
    needs: ['cards.import'],
  },
  webhook_disabled: {
    title: 'Webhooks',
    description: 'A webhook of yours is disabled because its deliveries fail.',
    email: true,
    subject: 'webhook',
    needs: ['webhooks.manage'],
  },
  job_failed: {
    title: 'Failed jobs',
    description: 'A background job has failed after all attempts.',
    email: true,
    subject: 'job',
    needs: ['jobs.manage'],
  },
} as const;

export type CoreKind = keyof typeof CORE;

/** Rank of each reason of the core: of several the first in this order is used. */
export const STRENGTH: readonly CoreKind[] = Object.keys(CORE) as CoreKind[];

/** One kind of notification, for which users can set preferences. */
export interface NotificationKind {
  kind: string;
  title: string;
  description: string;
  /** Whether it is mailed by default. */
  email: boolean;
  /** Id of the module that sends it; null for those of the core. */
  module: string | null;
  /** Kinds of subjects it may refer to, with the required permissions; a card must also be visible. */
  subjects: ReadonlyMap<string, readonly string[]>;
  /** Whether its notifications are shown: those of a disabled module are not. */
  isOn(): boolean;
}

/** The channels of a kind for a user: the user's preference, else the kind's default. */
export function channelsOf(
  { kind, email }: Pick<NotificationKind, 'kind' | 'email'>,
  preferences: StoredPreferences,
): Required<Channels> {
  const own = Object.hasOwn(preferences, kind) ? preferences[kind] : undefined;
  return { in_app: own?.in_app ?? true, email: own?.email ?? email };
}

const always = (): boolean => true;

/** All kinds of notifications on this node. */
export class NotificationKinds {
  private readonly kinds = new Map<string, NotificationKind>();

  constructor() {
    for (const [kind, { subject, needs, ...spec }] of Object.entries(CORE)) {
      this.kinds.set(kind, { ...spec, kind, module: null, subjects: new Map([[subject, needs]]), isOn: always });
    }
  }

  /** In display order. */
  list(): NotificationKind[] {
    return [...this.kinds.values()];
  }

  get(kind: string): NotificationKind | undefined {
    return this.kinds.get(kind);
  }

  /**
   * Registers a kind of a module.
   * @returns a function that removes it
   * @throws when the kind already exists
   */
  declare(kind: NotificationKind): () => void {
    if (this.kinds.has(kind.kind)) throw new Error(`notifications of the kind ${kind.kind} already exist`);
    this.kinds.set(kind.kind, kind);
    return () => {
      if (this.kinds.get(kind.kind) === kind) this.kinds.delete(kind.kind);
    };
  }
}
