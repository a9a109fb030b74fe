/** Measures of how alike two words are. All are symmetric. */

/**
 * Number of insertions, deletions, replacements and exchanges of neighbours that turn one text into the other (optimal string alignment).
 * @param most the result is `most + 1` if the distance is greater
 */
export function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const isSame = a.charCodeAt(i - 1) === b.charCodeAt(j - 1);
      let n = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + (isSame ? 0 : 1));
      const isExchange =
        i > 1 && j > 1 && a.charCodeAt(i - 1) === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === b.charCodeAt(j - 1);
      if (isExchange) n = Math.min(n, before[j - 2]! + 1);
      row.push(n);
      if (n < least) least = n;
    }
    if (least > most) return most + 1;
    before = above;
    above = row;
  }
  return Math.min(above[b.length]!, most + 1);
}

/** Jaro's similarity with Winkler's bonus of 0.1 for each of up to four equal letters at the begin; 0 to 1. */
export function jaroWinkler(a: string, b: string): number {
  if (a === b) return 1;
  const reach = Math.max(0, Math.floor(Math.max(a.length, b.length) / 2) - 1);
  const taken = new Uint8Array(b.length);
  const matched: number[] = [];
  for (let i = 0; i < a.length; i++)
    for (let j = Math.max(0, i - reach); j <= Math.min(b.length - 1, i + reach); j++)
      if (!taken[j] && a[i] === b[j]) {
        taken[j] = 1;
        matched.push(i);
        break;
      }
  const m = matched.length;
  if (m === 0) return 0;
  let exchanged = 0;
  let next = 0;
  for (let j = 0; j < b.length; j++) if (taken[j] && b[j] !== a[matched[next++]!]) exchanged++;
  const jaro = (m / a.length + m / b.length + (m - exchanged / 2) / m) / 3;
  let prefix = 0;
  while (prefix < 4 && prefix < a.length && a[prefix] === b[prefix]) prefix++;
  return jaro + prefix * 0.1 * (1 - jaro);
}

/** Whether two words are a word and its misspelling: one edit from five letters on, two from nine on with the same first letter. */
export function isMisspelling(a: string, b: string): boolean {
  const length = Math.min(a.length, b.length);
  if (length < 5) return false;
  const most = length >= 9 && a[0] === b[0] ? 2 : 1;
  return editDistance(a, b, most) <= most;
}

/** Whether two texts with one edit differ by a letter in place of another one; otherwise one is left out, added or exchanged with its neighbour. */
export function isReplaced(a: string, b: string): boolean {
  return a.length === b.length && [...a].sort().join('') !== [...b].sort().join('');
}
