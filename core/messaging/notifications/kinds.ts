/** What somebody can be told of, the strongest reason first: of one event everybody is told once. */
const CORE = {
  mention: {
    title: 'Mentions',
    description: 'A comment names you.',
    email: true,
    subject: 'card',
    needs: ['comments.view'],
  },
  assignment: {
    title: 'Assignments',
    description: 'You are given a to-do, or a stakeholder role on a card.',
    email: true,
    subject: 'card',
    needs: [],
  },
  comment: {
    title: 'Comments',
    description: 'Somebody comments on a card you have a role on, or answers your comment.',
    email: false,
    subject: 'card',
    needs: ['comments.view'],
  },
  todo_done: {
    title: 'To-dos done',
    description: 'A to-do you gave to somebody else is done.',
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
    description: 'A card you have a role on is changed, or its tags or relations are.',
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
    description: 'A webhook of yours is switched off because it cannot be delivered.',
    email: true,
    subject: 'webhook',
    needs: ['webhooks.manage'],
  },
  job_failed: {
    title: 'Failed jobs',
    description: 'A background job has failed for good.',
    email: true,
    subject: 'job',
    needs: ['jobs.manage'],
  },
} as const;

export type CoreKind = keyof typeof CORE;

/** Rank of each reason of the core: the lower one is told where there are several. */
export const STRENGTH: readonly CoreKind[] = Object.keys(CORE) as CoreKind[];

/** One kind of notification, as people choose about it. */
export interface NotificationKind {
  kind: string;
  title: string;
  description: string;
  /** Whether it is mailed to who has not said otherwise. */
  email: boolean;
  /** Id of the module that sends it; null for those of the core. */
  module: string | null;
  /** Kinds of subject it may be about, with the permissions each takes; a card must be visible besides. */
  subjects: ReadonlyMap<string, readonly string[]>;
  /** Whether its notifications are shown: those of a module that is off are not. */
  isOn(): boolean;
}

const always = (): boolean => true;

/** All kinds of notifications there are on this node. */
export class NotificationKinds {
  private readonly kinds = new Map<string, NotificationKind>();

  constructor() {
    for (const [kind, { subject, needs, ...spec }] of Object.entries(CORE)) {
      this.kinds.set(kind, { ...spec, kind, module: null, subjects: new Map([[subject, needs]]), isOn: always });
    }
  }

  /** In the order they are shown in. */
  list(): NotificationKind[] {
    return [...this.kinds.values()];
  }

  get(kind: string): NotificationKind | undefined {
    return this.kinds.get(kind);
  }

  /**
   * Makes a kind of a module known.
   * @returns a function that takes it back
   * @throws when there is such a kind
   */
  declare(kind: NotificationKind): () => void {
    if (this.kinds.has(kind.kind)) throw new Error(`notifications of the kind ${kind.kind} exist already`);
    this.kinds.set(kind.kind, kind);
    return () => {
      if (this.kinds.get(kind.kind) === kind) this.kinds.delete(kind.kind);
    };
  }
}
