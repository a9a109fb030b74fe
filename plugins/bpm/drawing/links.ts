/** Links from elements of a drawing, such as to the card of a task. */
import { clean, element, title } from '@lintel/sdk/drawing';

export interface ElementLink {
  /** An address of this platform that begins with `/`, or one of http and https; other ones are not linked. */
  href: string;
  /** Shown while the pointer is on the element. */
  label: string;
}

/** The address if it is one that a drawing may link to. */
export function safeHref(href: string): string | undefined {
  const trimmed = href.trim();
  // A browser ignores some characters inside of an address, and reads a backslash as a slash.
  if (/[\p{Cc}\s\\]/u.test(trimmed)) return undefined;
  if (/^\/(?!\/)/.test(trimmed)) return trimmed;
  return /^https?:\/\/[^/]/i.test(trimmed) ? trimmed : undefined;
}

/** Drawn parts of an element inside of a link, if it has one with a permitted address. */
export function linked(link: ElementLink | undefined, about: string, body: string): string {
  const href = link && safeHref(link.href);
  if (!link || href === undefined) return about === '' ? body : title(about) + body;
  const label = clean(link.label, 200);
  const text = [about, label].filter((one) => one !== '').join(' → ');
  return element('a', { href, target: '_top', 'aria-label': label || undefined }, title(text), body);
}
