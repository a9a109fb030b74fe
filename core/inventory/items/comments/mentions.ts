import { isUuid } from '../../../foundation/ids.js';
import { nameKey } from '../../../foundation/text.js';

/**
 * Member of stored events in addition to `mentions`: the users mentioned by id. Removed before an event is published.
 */
export const MENTIONED_BY_ID = 'mentioned_by_id';

/** Maximum number of users mentioned in a text. */
export const MOST_MENTIONS = 50;

/** Selected from a list: `@[Ada Lovelace](0198f3a0-7c1e-7a52-9d3c-5f0f6b3f4e21)`. */
const BY_ID = /@\[[^\r\n]{1,200}?\]\(([0-9a-f-]{36})\)/giu;
/** Typed: `@ada@example.org`, as a word. */
const BY_EMAIL =
  /(?<![\p{L}\p{M}\p{N}_.@/-])@([\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*@[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)+)/gu;

/** The mentions in a text, before the users are looked up. */
interface Mentions {
  ids: string[];
  /** Keys of e-mail addresses. */
  emails: string[];
}

/** The distinct mentions in a text. */
export function mentionsIn(text: string): Mentions {
  const ids = [...text.matchAll(BY_ID)].map(([, id]) => id!.toLowerCase()).filter(isUuid);
  const emails = [...text.matchAll(BY_EMAIL)].map(([, email]) => nameKey(email!));
  return { ids: [...new Set(ids)], emails: [...new Set(emails)] };
}
