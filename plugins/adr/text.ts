import type { ModuleServices } from '@lintel/sdk';
import type { RecordFields } from './model.js';
import type { AdrFields } from './repository.js';
import type { Settings } from './settings.js';

type Host = ModuleServices<Settings>;

/** Maximum number of characters of a file's Markdown that are searchable. */
const SEARCHED = 200_000;

/** `ADR-0007`, with the currently configured prefix. */
export function numberOf(host: Host, number: number): string {
  return `${host.settings().number_prefix}-${digitsOf(number)}`;
}

export const digitsOf = (number: number): string => String(number).padStart(4, '0');

/** The content columns of a decision, including those for sorting and searching. */
export function columnsOf(
  host: Host,
  { title, context, drivers, options, decision, consequences }: RecordFields,
  number: number,
  markdown: string | null,
): AdrFields {
  const text = [
    digitsOf(number),
    title,
    context,
    ...drivers,
    ...options.flatMap((o) => [o.title, ...o.pros, ...o.cons]),
    decision,
    consequences,
    markdown?.slice(0, SEARCHED).toWellFormed(),
  ];
  return {
    title,
    context,
    drivers,
    options,
    decision,
    consequences,
    title_key: host.nameKey(title),
    search_text: host.searchFold(text.filter(Boolean).join(' ')),
  };
}

/** The folded words of a search. A number is found by its digits, because its prefix is configurable. */
export function wordsOf(host: Host, search: string | undefined): string[] {
  const prefix = host.searchFold(host.settings().number_prefix);
  return host
    .searchFold(search ?? '')
    .split(' ')
    .filter((word) => word !== '' && word !== prefix);
}
