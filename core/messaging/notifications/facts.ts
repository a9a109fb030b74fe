import type { LogEvent } from '@lintel/sdk';
import { CARD_COSTS } from '../../inventory/access/index.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { isUuid } from '../../foundation/ids.js';
import type { Metamodel } from '../../inventory/metamodel/index.js';
import type { RbacService } from '../../identity/rbac/index.js';
import { cardsOf } from '../events/index.js';
import { readFormerStakeholders, readOwners, readStakeholders, usersOfRoles } from './recipient-repository.js';

/** A stakeholder of a card. */
interface Stakeholder {
  userId: string;
  /** Milliseconds since 1970: earlier events are not notified. */
  since: number;
  seesCosts: boolean;
}

/** A card with the users who hold a role on it, or an inherited one above it. */
interface KnownCard {
  id: string;
  type: string;
  name: string;
  stakeholders: Stakeholder[];
}

/** Data needed for a chunk of events and not contained in them, read with a fixed number of statements. */
export interface Facts {
  cards: ReadonlyMap<string, KnownCard>;
  /** Users who held roles on cards that have been deleted. */
  former: ReadonlyMap<string, readonly string[]>;
  commentAuthors: ReadonlyMap<string, string>;
  todoGivers: ReadonlyMap<string, string>;
  importOwners: ReadonlyMap<string, string>;
  /** Users who may see background jobs. */
  jobManagers: readonly string[];
}

export const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
/** A member of an event's data that is an object. */
export const part = (event: LogEvent, key: string): Record<string, unknown> => {
  const value = event.data[key];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
};

/** Reads the data needed to determine the receivers of these events. */
export async function gatherFacts(
  uow: UnitOfWork,
  events: readonly LogEvent[],
  metamodel: Metamodel,
  rbac: RbacService,
): Promise<Facts> {
  const ids = (of: (event: LogEvent) => unknown): string[] => [
    ...new Set(events.map(of).filter((id): id is string => typeof id === 'string' && isUuid(id))),
  ];
  const cardIds = [...new Set(events.flatMap(cardsOf))];
  const deleted = ids((event) => (event.type === 'card.deleted' ? event.subject.id : undefined));
  const needsManagers = events.some(({ type }) => type === 'job.failed');
  return {
    cards: cardIds.length > 0 ? await readCards(uow, cardIds, metamodel, rbac) : new Map(),
    former: deleted.length > 0 ? await readFormer(uow, deleted) : new Map(),
    commentAuthors: await readOwners(
      uow,
      'comments',
      ids((event) => (event.type === 'card.comment_created' ? part(event, 'comment')['parent_id'] : undefined)),
    ),
    todoGivers: await readOwners(
      uow,
      'todos',
      ids((event) => (event.type === 'card.todo_updated' ? part(event, 'todo')['id'] : undefined)),
    ),
    importOwners: await readOwners(
      uow,
      'imports',
      ids((event) => (event.subject.kind === 'import' ? event.subject.id : undefined)),
    ),
    jobManagers: needsManagers ? await usersOfRoles(uow, rbac.rolesHolding('jobs.manage')) : [],
  };
}

async function readCards(
  uow: UnitOfWork,
  cardIds: readonly string[],
  metamodel: Metamodel,
  rbac: RbacService,
): Promise<Map<string, KnownCard>> {
  const cards = new Map<string, KnownCard & { byUser: Map<string, Stakeholder> }>();
  const isInherited = (type: string, role: string): boolean =>
    metamodel.types.get(type)?.definition.stakeholder_roles.some((r) => r.key === role && r.inherited === true) ===
    true;
  for (const {
    card_id: id,
    card_type: type,
    card_name: name,
    user_id: userId,
    role,
    role_type,
    is_above,
    since,
  } of await readStakeholders(uow, cardIds)) {
    const card = cards.get(id) ?? { id, type, name, stakeholders: [], byUser: new Map<string, Stakeholder>() };
    cards.set(id, card);
    if (userId === null || (is_above && !isInherited(role_type, role))) continue;
    const seesCosts = rbac.grantedBy(role_type, [role], is_above).has(CARD_COSTS);
    const known = card.byUser.get(userId);
    if (known) {
      known.since = Math.min(known.since, since.getTime());
      known.seesCosts ||= seesCosts;
    } else {
      const stakeholder = { userId, since: since.getTime(), seesCosts };
      card.byUser.set(userId, stakeholder);
      card.stakeholders.push(stakeholder);
    }
  }
  return cards;
}

async function readFormer(uow: UnitOfWork, cardIds: readonly string[]): Promise<Map<string, string[]>> {
  const former = new Map<string, string[]>();
  for (const { card_id, user_id } of await readFormerStakeholders(uow, cardIds))
    former.set(card_id, [...(former.get(card_id) ?? []), user_id]);
  return former;
}
