/** Finds texts that are English in another language. */

/** All fixed texts with their place. */
function leaves(value: unknown, place = ''): Map<string, string> {
  if (typeof value === 'string') return new Map([[place, value]]);
  if (typeof value !== 'object' || value === null) return new Map();
  return new Map(Object.entries(value).flatMap(([key, part]) => [...leaves(part, `${place}/${key}`)]));
}

/** The English texts that differ in another language, and are none of its own. */
export function englishOnly(english: object, other: object): Set<string> {
  const own = leaves(other);
  const all = new Set([...leaves(english)].filter(([place, text]) => own.get(place) !== text).map(([, text]) => text));
  for (const text of own.values()) all.delete(text);
  return all;
}

/** The texts of an SVG document that are in a set. */
export const drawnOf = (svg: string, texts: ReadonlySet<string>): string[] =>
  [...svg.matchAll(/<(?:text|tspan|title|desc)[^>]*>([^<]+)</g)]
    .map(([, text]) => text!)
    .filter((text) => texts.has(text));

/** The titles of the columns of a CSV file that are in a set. */
export const columnsOf = (csv: string, texts: ReadonlySet<string>): string[] =>
  csv
    .split('\r\n')[0]!
    .replace('\ufeff', '')
    .split(',')
    .map((title) => title.replaceAll('"', '').replace(/ \(.*\)$/, ''))
    .filter((title) => texts.has(title));
