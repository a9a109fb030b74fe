import type { Bindings } from '../../foundation/db/list-query.js';

/** Which events of the log are visible to a receiver with audit permission. */
export interface EventScope {
  /** Kinds of events visible to one user only, and the member of their data that contains that user. */
  personal: readonly {
    kind: string;
    member: string;
    /** Id of the receiver; null where the receiver does not have the permission for the kind. */
    me: string | null;
    /** Whether events without the member are visible to others. */
    isOptional: boolean;
  }[];
  /** Set where there are cards that the receiver may not see. */
  cards?: {
    /** Whether the receiver may see cards of types that are not in `ruled`. */
    isOpen: boolean;
    /** Types for which the opposite applies. */
    ruled: readonly string[];
    /** Types of relations whose ends are always visible cards. */
    openRelations: readonly string[];
    /** Types of relations whose ends are always hidden cards. */
    closedRelations: readonly string[];
    /** Kinds of events that contain no cards. */
    cardless: readonly string[];
    /** Kinds of events whose texts name no hidden card. */
    open: readonly string[];
    /** By kind: members of the data with the ids of the cards that an event is about. */
    members: Readonly<Record<string, readonly string[]>>;
  };
}

const UUID = `'^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'`;

/** SQL for the number of personal events of other users. */
export function othersSql({ personal }: EventScope, bindings: Bindings): string {
  // Uses the index per kind: the events of all users are counted without reading them, and the receiver's own are few.
  const counts = personal.flatMap(({ kind, member, me, isOptional }) => {
    // Types of kinds of modules begin with the kind, and types have an index.
    const named = isOptional
      ? ` and o.type like '${kind.replaceAll('_', '\\_')}.%' and o.data->>'${member}' is not null`
      : '';
    const events = `select count(*)::int from events o where o.subject_kind = '${kind}'${named}`;
    return [`+ (${events})`, `- (${events} and o.data->>'${member}' = ${bindings.add(me)})`];
  });
  return counts.length > 0 ? `select ${counts.join(' ')}` : 'select 0';
}

/**
 * Conditions over `events e` that select the events visible to the receiver. Cards are evaluated by their current type
 * or, if deleted, by the type in their deletion event.
 */
export function scopeSql({ personal, cards }: EventScope, bindings: Bindings): string[] {
  const where = personal.map(({ kind, member, me, isOptional }) => {
    const isMine = `e.data->>'${member}' = ${bindings.add(me)}`;
    return `(e.subject_kind <> '${kind}' or ${isMine}${isOptional ? ` or e.data->>'${member}' is null` : ''})`;
  });
  if (!cards) return where;
  const { isOpen, openRelations, closedRelations, cardless } = cards;
  const ruled = `${bindings.add(cards.ruled)}::text[]`;
  const isHiddenType = (type: string): string => (isOpen ? `${type} = any(${ruled})` : `${type} <> all(${ruled})`);
  // One query per table for all ids of an event.
  const names = (
    ids: string,
  ): string => `(exists (select from cards c where c.id = any(array(select i.id::uuid from unnest(${ids}) i(id) where lower(i.id) ~ ${UUID})) and ${isHiddenType('c.type')})
    or exists (select from events g where g.subject_id = any(${ids}) and g.type = 'card.deleted' and ${isHiddenType('g.subject_type')}))`;
  const declared = `array(select lower(i.id) from jsonb_array_elements_text(coalesce(${bindings.add(JSON.stringify(cards.members))}::jsonb->e.subject_kind, '[]')) m(name)
    cross join lateral jsonb_array_elements_text(case jsonb_typeof(e.data->m.name) when 'array' then e.data->m.name else jsonb_build_array(e.data->m.name) end) i(id))`;
  const members = `array(select lower(d.value) from jsonb_each_text(case when jsonb_typeof(e.data) = 'object' then e.data else '{}' end) d where length(d.value) = 36)`;
  const relationType = `coalesce(e.subject_type, '')`;
  where.push(
    `not (e.subject_kind = 'card' and ${isHiddenType(`coalesce(e.subject_type, '')`)})`,
    `not (e.subject_kind = 'relation' and (${relationType} = any(${bindings.add(closedRelations)}::text[])
      or (${relationType} <> all(${bindings.add(openRelations)}::text[]) and ${names(`array[lower(e.data->>'source_id'), lower(e.data->>'target_id')]`)})))`,
    `not (e.subject_kind not in ('card', 'relation') and e.subject_kind <> all(${bindings.add(cardless)}::text[]) and ${names(`(array[lower(e.subject_id)] || ${members} || ${declared})`)})`,
    `e.subject_kind = any(${bindings.add(cards.open)}::text[])`,
  );
  return where;
}
