/** What a module adds to an export has the id of the module and a key, as manifests may have them. */
const COLUMN = /^([a-z][a-z0-9_]{0,30})\.[a-z][a-z0-9_]{0,60}$/;
/** The words that stand before a dot in columns of cards. */
const OWN_WORDS = ['attributes', 'lifecycle'];
/** So many letters wrong, missing or too many are a slip. */
const SLIP = 2;

/**
 * Whether a column, or a member, is one that a module adds to exports: whether the module is on, off or gone is of no
 * matter, for the file may be older or from another workspace. What is all but `attributes.` or `lifecycle.` is a
 * misspelt field.
 */
export function isModuleColumn(name: string): boolean {
  const word = COLUMN.exec(name)?.[1];
  return word !== undefined && !OWN_WORDS.some((own) => distance(word, own) <= SLIP);
}

/** Levenshtein's distance: letters to put in, take out or change to make one word of another. */
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
