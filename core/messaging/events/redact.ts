import type { LogEvent } from '@lintel/sdk';
import { MENTIONED_BY_ID } from '../../inventory/items/comments/index.js';

/** A field of a change in the notation of events: `attributes.costTotalAnnual`. */
const FIELD = /^\/?attributes[./](.+)$/;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Removes attributes from an event's data at any depth: entries of `changes`, and keys of any `attributes` map.
 * @param isHidden whether an attribute must not be visible
 * @returns the event itself where it contains no such attribute
 */
export function withoutAttributes(event: LogEvent, isHidden: (key: string) => boolean): LogEvent {
  const data = strip(event.data, false, isHidden) as Record<string, unknown>;
  return data === event.data ? event : { ...event, data };
}

/** Removes from an event of a card the user who gained or lost a role on it. */
export function withoutStakeholder(event: LogEvent): LogEvent {
  if (!Object.hasOwn(event.data, 'stakeholder')) return event;
  const { stakeholder: _stakeholder, ...data } = event.data;
  return { ...event, data };
}

/**
 * Removes from an event of a comment the users mentioned by e-mail, which would reveal the account of an address.
 * @param seesAddresses whether the receiver may see the e-mail addresses of accounts
 */
export function withoutAddressees(event: LogEvent, seesAddresses: boolean): LogEvent {
  if (!Object.hasOwn(event.data, 'mentions')) return event;
  const { mentions, [MENTIONED_BY_ID]: byId = [], ...data } = event.data;
  const visible = seesAddresses ? mentions : byId;
  return {
    ...event,
    data: Array.isArray(visible) && visible.length > 0 ? { ...data, mentions: visible as unknown[] } : data,
  };
}

/** Copies only objects that contain something to hide. */
function strip(value: unknown, isMap: boolean, isHidden: (key: string) => boolean): unknown {
  if (Array.isArray(value)) {
    const kept = value.filter((item) => !isHiddenChange(item, isHidden));
    const stripped = kept.map((item) => strip(item, false, isHidden));
    return stripped.length === value.length && stripped.every((item, i) => item === value[i]) ? value : stripped;
  }
  if (!isObject(value)) return value;
  let copy: Record<string, unknown> | undefined;
  // A change of the whole map has its keys one level down, in `old` and `new`.
  const holdsMaps = value['field'] === 'attributes' || value['field'] === '/attributes';
  for (const [key, item] of Object.entries(value)) {
    if (isMap && isHidden(key)) {
      copy ??= { ...value };
      delete copy[key];
      continue;
    }
    const inner = isMap ? item : strip(item, key === 'attributes' || holdsMaps, isHidden);
    if (inner !== item) (copy ??= { ...value })[key] = inner;
  }
  return copy ?? value;
}

function isHiddenChange(item: unknown, isHidden: (key: string) => boolean): boolean {
  if (!isObject(item) || typeof item['field'] !== 'string') return false;
  const key = FIELD.exec(item['field'])?.[1];
  return key !== undefined && isHidden(key);
}
