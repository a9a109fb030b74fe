import { isUuid } from '../../../foundation/ids.js';
import { nameKey } from '../../../foundation/text.js';

/** Member of stored events beside `mentions`: those of them whom the text names by id. Events leave the service without it. */
export const MENTIONED_BY_ID = 'mentioned_by_id';

/** A text names so many people at most. */
export const MOST_MENTIONS = 50;

/** Chosen from a list: `@[Ada Lovelace](0198f3a0-7c1e-7a52-9d3c-5f0f6b3f4e21)`. */
const BY_ID = /@\[[^\r\n]{1,200}?\]\(([0-9a-f-]{36})\)/giu;
/** Typed: `@ada@example.org`, as a word. */
const BY_EMAIL =
  /(?<![\p{L}\p{M}\p{N}_.@/-])@([\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*@[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)+)/gu;

/** Whom a text names, before it is known whether there are such users. */
export interface Mentions {
  ids: string[];
  /** Keys of e-mail addresses. */
  emails: string[];
}

/** The people a text names, each once. */
export function mentionsIn(text: string): Mentions {
  const ids = [...text.matchAll(BY_ID)].map(([, id]) => id!.toLowerCase()).filter(isUuid);
  const emails = [...text.matchAll(BY_EMAIL)].map(([, email]) => nameKey(email!));
  return { ids: [...new Set(ids)], emails: [...new Set(emails)] };
}
