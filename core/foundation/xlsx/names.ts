import { beginning, xmlText } from './text.js';

/** Maximum number of UTF-16 code units of the name of a sheet. */
const MAX_NAME = 31;
const FORBIDDEN = /[[\]:*?/\\]/g;
/** Spreadsheets use this name themselves. */
const RESERVED = 'history';

/** The name without what spreadsheets do not accept: some signs, apostrophes at its ends, an empty or reserved name. */
function allowed(name: string): string {
  const clean = beginning(
    name
      .toWellFormed()
      .replace(FORBIDDEN, '-')
      .replace(/\p{Cc}+/gu, ' ')
      .trim(),
    MAX_NAME,
  ).replace(/^'+|'+$/g, '');
  if (clean.trim() === '' || xmlText(clean) === '') return 'Sheet';
  return clean.toLowerCase() === RESERVED ? `${clean}-` : clean;
}

/** Names of sheets: valid, and different without regard to case. @param names the wanted ones */
export function sheetNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const wanted = allowed(name);
    let free = wanted;
    for (let n = 2; taken.has(free.toLowerCase()); n++) {
      const suffix = ` (${n})`;
      free = `${beginning(wanted, MAX_NAME - suffix.length)}${suffix}`;
    }
    taken.add(free.toLowerCase());
    return free;
  });
}
