/** A column added by a module: the id of the module and a key, with the syntax of manifests. */
const COLUMN = /^([a-z][a-z0-9_]{0,30})\.[a-z][a-z0-9_]{0,60}$/;
/** Prefixes before a dot in the core's columns. */
const OWN_WORDS = ['attributes', 'lifecycle'];
/** Maximum edit distance that counts as a typing error. */
const SLIP = 2;

/**
 * Whether a column or member was added by a module to exports. The module need not be installed, because the file may
 * be older or from another workspace. A prefix similar to `attributes.` or `lifecycle.` is treated as a misspelt field
 * instead.
 */
export function isModuleColumn(name: string): boolean {
  const word = COLUMN.exec(name)?.[1];
  return word !== undefined && !OWN_WORDS.some((own) => distance(word, own) <= SLIP);
}

/** Levenshtein distance: number of insertions, deletions and substitutions between two words. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length]!;
}
