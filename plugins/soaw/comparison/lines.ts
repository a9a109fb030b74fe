/** A run of equal, removed or added lines. */
export interface LineChange {
  op: 'equal' | 'removed' | 'added';
  lines: string[];
}

/** A run as a range of the earlier lines, or of the later ones if it was added: one object for however many lines. */
interface Run {
  op: LineChange['op'];
  from: number;
  to: number;
}

/** Differences that are searched for; texts with more are shown as replaced. Limits time and memory to about a MB. */
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
  const [from, to] = [a.length - end, b.length - end];
  const middle = shortest(a.slice(start, from), b.slice(start, to)).map((run) => ({
    ...run,
    from: run.from + start,
    to: run.to + start,
  }));
  const runs: Run[] = [{ op: 'equal', from: 0, to: start }, ...middle, { op: 'equal', from, to: a.length }];
  return shortened(joined(runs)).map((run) => ({
    op: run.op,
    lines: (run.op === 'added' ? b : a).slice(run.from, run.to),
  }));
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.split(/\r\n|\n|\r/));

function shortest(a: readonly string[], b: readonly string[]): Run[] {
  const trace = traceOf(a, b);
  if (!trace)
    return [
      { op: 'removed', from: 0, to: a.length },
      { op: 'added', from: 0, to: b.length },
    ];
  const runs: Run[] = [];
  let [x, y] = [a.length, b.length];
  for (let d = trace.length - 1; d >= 0; d--) {
    const k = x - y;
    const [left, above] = [trace[d]![k + d]!, trace[d]![k + d + 2]!];
    const isDown = d > 0 && (k === -d || (k !== d && left < above));
    const from = d === 0 ? 0 : isDown ? above : left + 1;
    if (x > from) runs.push({ op: 'equal', from, to: x });
    y -= x - from;
    x = from;
    if (d === 0) break;
    if (isDown) {
      y--;
      runs.push({ op: 'added', from: y, to: y + 1 });
    } else {
      x--;
      runs.push({ op: 'removed', from: x, to: x + 1 });
    }
  }
  return runs.reverse();
}

/**
 * By number of differences, how far each diagonal from -d - 1 to d + 1 was reached with one difference less, -1 if it was not;
 * undefined if there are too many differences.
 */
function traceOf(a: readonly string[], b: readonly string[]): Int32Array[] | undefined {
  const trace: Int32Array[] = [];
  const zero = MOST_DIFFERENCES + 1;
  const reached = new Int32Array(2 * zero + 1).fill(-1);
  reached[zero + 1] = 0;
  for (let d = 0; d <= Math.min(a.length + b.length, MOST_DIFFERENCES); d++) {
    trace.push(reached.slice(zero - d - 1, zero + d + 2));
    for (let k = -d; k <= d; k += 2) {
      const [above, left] = [reached[zero + k + 1]!, reached[zero + k - 1]!];
      let x = k === -d || (k !== d && left < above) ? above : left + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      reached[zero + k] = x;
      if (x >= a.length && x - k >= b.length) return trace;
    }
  }
  return undefined;
}

/** One run for adjacent runs of a kind, which continue each other. */
function joined(runs: readonly Run[]): Run[] {
  const all: Run[] = [];
  for (const run of runs) {
    if (run.from === run.to) continue;
    const last = all.at(-1);
    if (last?.op === run.op) last.to = run.to;
    else all.push({ ...run });
  }
  return all;
}

/** Without equal lines that are far from every change. */
const shortened = (runs: readonly Run[]): Run[] =>
  runs.flatMap((run, i): Run[] => {
    if (run.op !== 'equal') return [run];
    const [isFirst, isLast] = [i === 0, i === runs.length - 1];
    const { from, to } = run;
    const [begin, end] = [
      { ...run, to: Math.min(to, from + CONTEXT) },
      { ...run, from: Math.max(from, to - CONTEXT) },
    ];
    if (isFirst) return [end];
    if (isLast) return [begin];
    return to - from <= 2 * CONTEXT ? [run] : [begin, end];
  });
