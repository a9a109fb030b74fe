import { HIDDEN_CARD, type LogEvent } from '@lintel/sdk';
import { isDeepStrictEqual } from 'node:util';
import { isUuid } from '../../foundation/ids.js';

const found = new WeakMap<LogEvent, Names>();
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
/** The same from its first hyphen: in long texts without hyphens, it is found to be absent a hundred times as fast. */
const FROM_HYPHEN = /-(?<=[0-9a-f]{8}-)[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
const NOTHING: unknown = Symbol('left out');

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
/** Fields of a change whose values are maps by key: hiding one key does not affect the others. */
const isOfMap = (field: unknown): boolean => typeof field === 'string' && /^\/?attributes(?:[./]|$)/.test(field);

/** Ids in an event that may be ids of cards, in lower case. */
interface Names {
  /** The subject, and ids directly in the data, such as `card_id` or the ends of a relation. */
  about: readonly string[];
  all: readonly string[];
}

/** The ids in a text, such as the value of a filter or a description. */
const idsIn = (text: string): string[] =>
  Array.from(text.matchAll(FROM_HYPHEN), ({ index }) => text.slice(index - 8, index + 28));

function gather(value: unknown, into: Set<string>): void {
  if (typeof value === 'string') {
    for (const id of idsIn(value)) into.add(id.toLowerCase());
  } else if (Array.isArray(value)) for (const item of value) gather(item, into);
  else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      if (isUuid(key)) into.add(key.toLowerCase());
      gather(item, into);
    }
  }
}

/** Every id in an event that may be a card's. Cached per event, because events are immutable. */
export function namesIn(event: LogEvent): Names {
  let names = found.get(event);
  if (!names) {
    const all = new Set<string>();
    gather(event.data, all);
    const about =
      event.subject.kind === 'card'
        ? []
        : [event.subject.id, ...Object.values(event.data)].flatMap((id) =>
            typeof id === 'string' && isUuid(id) ? id.toLowerCase() : [],
          );
    found.set(event, (names = { about, all: [...new Set([...about, ...all])] }));
  }
  return names;
}

/**
 * Removes hidden cards from an event about something else. Ids are removed from lists and null as members; an object
 * with a member that is a hidden card is removed as a whole, because its other members describe the card. In
 * other text, such as a list of ids, `HIDDEN_CARD` stands instead of them.
 * @param hidden ids in lower case
 * @returns the event itself where it contains none of them
 */
export function withoutCards(event: LogEvent, hidden: ReadonlySet<string>): LogEvent {
  const names = namesIn(event);
  if (!names.all.some((id) => hidden.has(id))) return event;
  if (names.about.some((id) => hidden.has(id))) return { ...event, data: {} };
  return { ...event, data: members(event.data, hidden) };
}

const isHidden = (value: unknown, hidden: ReadonlySet<string>): boolean =>
  typeof value === 'string' && isUuid(value) && hidden.has(value.toLowerCase());

function members(object: Record<string, unknown>, hidden: ReadonlySet<string>): Record<string, unknown> {
  const kept = Object.entries(object).filter(([key]) => !isHidden(key, hidden));
  return Object.fromEntries(
    kept.map(([key, value]) => {
      const left = key === 'attributes' && isObject(value) ? members(value, hidden) : strip(value, hidden);
      return [key, left === NOTHING ? null : left];
    }),
  );
}

function strip(value: unknown, hidden: ReadonlySet<string>): unknown {
  if (isHidden(value, hidden)) return NOTHING;
  if (typeof value === 'string') {
    return idsIn(value).some((id) => isHidden(id, hidden))
      ? value.replace(UUID, (id) => (isHidden(id, hidden) ? HIDDEN_CARD : id))
      : value;
  }
  if (Array.isArray(value)) return value.map((item) => strip(item, hidden)).filter((item) => item !== NOTHING);
  if (!isObject(value)) return value;
  if (typeof value['field'] === 'string' && ('old' in value || 'new' in value)) return change(value, hidden);
  return Object.values(value).some((member) => isHidden(member, hidden)) ? NOTHING : members(value, hidden);
}

/** A change without remaining content is removed. */
function change(entry: Record<string, unknown>, hidden: ReadonlySet<string>): unknown {
  const asMap = isOfMap(entry['field']);
  const left: Record<string, unknown> = { ...entry };
  for (const end of ['old', 'new'] as const) {
    if (!(end in entry)) continue;
    const value = entry[end];
    const shown = asMap && isObject(value) ? members(value, hidden) : strip(value, hidden);
    left[end] = shown === NOTHING ? null : shown;
  }
  return isDeepStrictEqual(left['old'] ?? null, left['new'] ?? null) &&
    !isDeepStrictEqual(entry['old'] ?? null, entry['new'] ?? null)
    ? NOTHING
    : left;
}
