import { inspect } from 'node:util';
import { Parser, type Result } from 'tap-parser';

export interface Failure {
  /** The names from the outermost test to the assertion. */
  test: string;
  detail: string;
}

/** The result of one test file in TAP. Only assertions are counted, not the tests that contain them. */
export interface TapOutcome {
  passed: number;
  skipped: { test: string; reason: string }[];
  failures: Failure[];
  /** Comments of the file: measured figures. */
  comments: string[];
  /** Lines of standard output that are not TAP. */
  other: string[];
}

/** Comments that tap itself writes. */
const ROUTINE = /^# (Subtest(: |$)|\{ total: |time=|test count\()/;

/**
 * Parses TAP incrementally.
 * @returns `write` for text, and `end`, which returns the outcome
 */
export function readTap(): { write(text: string): void; end(): Promise<TapOutcome> } {
  const outcome: TapOutcome = { passed: 0, skipped: [], failures: [], comments: [], other: [] };
  const parser = new Parser();
  const complete = new Promise<void>((resolve) => parser.once('complete', () => resolve()));
  follow(parser, [], outcome);
  return {
    write: (text) => {
      parser.write(text);
    },
    end: async () => {
      parser.end();
      await complete;
      return outcome;
    },
  };
}

function follow(parser: Parser, path: string[], outcome: TapOutcome): void {
  let known = outcome.failures.length;
  parser.on('child', (child: Parser) => {
    known = outcome.failures.length;
    follow(child, [...path, child.name], outcome);
  });
  parser.on('assert', (result: Result) => {
    // The test point that closes a subtest repeats its result, unless the subtest failed without a failing assertion.
    if (result.closingTestPoint && (result.ok || outcome.failures.length > known)) return;
    record(result, path, outcome);
  });
  parser.on('comment', (text: string) => {
    if (!ROUTINE.test(text)) outcome.comments.push(text.replace(/^# ?/, '').trimEnd());
  });
  parser.on('extra', (text: string) => {
    if (path.length === 0 && text.trim()) outcome.other.push(text.trimEnd());
  });
  parser.on('bailout', (reason: string) => {
    if (path.length === 0) outcome.failures.push({ test: 'bail out', detail: reason });
  });
  parser.on('complete', () => {
    for (const failure of parser.failures) {
      if ('ok' in failure && !failure.tapError) continue;
      outcome.failures.push({ test: path.join(' > ') || 'TAP', detail: String(failure.tapError) });
    }
  });
}

function record(result: Result, path: string[], outcome: TapOutcome): void {
  const test = [...path, result.name].join(' > ');
  if (result.todo !== false) outcome.failures.push({ test, detail: 'marked as to do' });
  else if (result.skip !== false) outcome.skipped.push({ test, reason: result.skip === true ? '' : result.skip });
  else if (result.ok) outcome.passed++;
  else outcome.failures.push({ test, detail: describe(result.diag) });
}

/** The diagnostics by usefulness: difference, additions of the assertion, the failed line, stack. */
function describe(diag: unknown): string {
  if (typeof diag !== 'object' || diag === null) return '';
  const { diff, stack, at, source, ...rest } = diag as Record<string, unknown>;
  const parts: string[] = [];
  if (typeof diff === 'string') parts.push(diff.trimEnd());
  for (const [key, value] of Object.entries(rest)) {
    parts.push(
      `${key}: ${typeof value === 'string' ? value : inspect(value, { depth: 8, breakLength: 110, maxStringLength: 4000 })}`,
    );
  }
  const line = typeof source === 'string' ? markedLine(source) : undefined;
  if (line !== undefined) parts.push(`in: ${line}`);
  if (typeof stack === 'string') parts.push(stack.trimEnd());
  else if (typeof at === 'object' && at !== null && 'fileName' in at && 'lineNumber' in at) {
    parts.push(`at ${String(at.fileName)}:${String(at.lineNumber)}`);
  }
  return parts.join('\n');
}

/** The failed line: tap shows several lines of source, with dashes and a caret below the failed one. */
function markedLine(source: string): string | undefined {
  const lines = source.split('\n');
  return lines[lines.findIndex((line) => /^\s*-*\^$/.test(line)) - 1]?.trim();
}
