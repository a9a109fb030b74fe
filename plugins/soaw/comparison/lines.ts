/** A run of equal, removed or added lines. */
export interface LineChange {
  op: 'equal' | 'removed' | 'added';
  lines: string[];
}

/** Differences that are searched for; texts with more are shown as replaced. Limits time and memory to a few MB. */
const MOST_DIFFERENCES = 400;
/** Equal lines shown before and after a change. */
const CONTEXT = 3;

/**
 * Compares two texts line by line: a shortest edit script by the algorithm of Myers (1986, "An O(ND) difference algorithm and its
 * variations"), with at most 400 differences; beyond these, the lines between the common beginning and end are replaced.
 */
export function diffLines(before: string, after: string): LineChange[] {
  if (before === after) return [];
  const [a, b] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const middle = shortest(a.slice(start, a.length - end), b.slice(start, b.length - end));
  return shortened(
    joined([
      { op: 'equal', lines: a.slice(0, start) },
      ...middle,
      { op: 'equal', lines: end > 0 ? a.slice(-end) : [] },
    ]),
  );
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.split(/\r\n|\n|\r/));

function shortest(a: readonly string[], b: readonly string[]): LineChange[] {
  const trace = traceOf(a, b);
  if (!trace)
    return [
      { op: 'removed', lines: [...a] },
      { op: 'added', lines: [...b] },
    ];
  const changes: LineChange[] = [];
  let [x, y] = [a.length, b.length];
  for (let d = trace.length - 1; d >= 0; d--) {
    const ends = trace[d]!;
    const k = x - y;
    const down = d > 0 && (k === -d || (k !== d && (ends.get(k - 1) ?? -1) < (ends.get(k + 1) ?? -1)));
    const from = d === 0 ? 0 : down ? ends.get(k + 1)! : ends.get(k - 1)! + 1;
    for (; x > from || (d === 0 && x > 0); x--, y--) changes.push({ op: 'equal', lines: [a[x - 1]!] });
    if (d === 0) break;
    if (down) changes.push({ op: 'added', lines: [b[--y]!] });
    else changes.push({ op: 'removed', lines: [a[--x]!] });
  }
  return changes.reverse();
}

/** By number of differences, how far each diagonal was reached with one difference less; undefined if there are too many. */
function traceOf(a: readonly string[], b: readonly string[]): Map<number, number>[] | undefined {
  const trace: Map<number, number>[] = [];
  const reached = new Map<number, number>([[1, 0]]);
  for (let d = 0; d <= Math.min(a.length + b.length, MOST_DIFFERENCES); d++) {
    trace.push(new Map(reached));
    for (let k = -d; k <= d; k += 2) {
      const [above, left] = [reached.get(k + 1) ?? -1, reached.get(k - 1) ?? -1];
      let x = k === -d || (k !== d && left < above) ? above : left + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      reached.set(k, x);
      if (x >= a.length && x - k >= b.length) return trace;
    }
  }
  return undefined;
}

function joined(changes: readonly LineChange[]): LineChange[] {
  const runs: LineChange[] = [];
  for (const { op, lines } of changes) {
    if (lines.length === 0) continue;
    const last = runs.at(-1);
    if (last?.op === op) last.lines.push(...lines);
    else runs.push({ op, lines: [...lines] });
  }
  return runs;
}

/** Without equal lines that are far from every change. */
const shortened = (runs: readonly LineChange[]): LineChange[] =>
  runs.flatMap((run, i): LineChange[] => {
    if (run.op !== 'equal') return [run];
    const [isFirst, isLast] = [i === 0, i === runs.length - 1];
    const { lines } = run;
    if (isFirst) return [{ ...run, lines: lines.slice(-CONTEXT) }];
    if (isLast) return [{ ...run, lines: lines.slice(0, CONTEXT) }];
    if (lines.length <= 2 * CONTEXT) return [run];
    return [
      { op: 'equal', lines: lines.slice(0, CONTEXT) },
      { op: 'equal', lines: lines.slice(-CONTEXT) },
    ];
  });
