/** What is wrong in a file that can be read nevertheless. */

/** A place in the text of a file; both counted from 1, columns in UTF-16 code units. */
export interface Position {
  line: number;
  column: number;
}

/** `error`: the file violates BPMN 2.0. `warning`: it is valid, but a tool or a reader may be misled. */
/** The rules, by what the author of the file finds: schema, ids and references, flows, events and lanes, diagrams. */
export const PROBLEM_CODES = [
  'unexpected_element',
  'unexpected_text',
  'unknown_attribute',
  'invalid_value',
  'missing_id',
  'invalid_id',
  'duplicate_id',
  'unresolved_reference',
  'wrong_reference',
  'flow_without_source',
  'flow_without_target',
  'flow_crosses_border',
  'flow_into_start',
  'flow_from_end',
  'missing_incoming',
  'missing_outgoing',
  'wrong_incoming',
  'wrong_outgoing',
  'default_of_other',
  'message_in_pool',
  'boundary_without_host',
  'boundary_crosses_border',
  'lane_of_other_process',
  'in_two_lanes',
  'no_process',
  'shape_without_element',
  'shape_without_bounds',
  'negative_size',
  'edge_without_points',
  'drawn_twice',
  'element_not_drawn',
  'flow_not_drawn',
  'process_not_drawn',
  'more_problems',
] as const;
export type ProblemCode = (typeof PROBLEM_CODES)[number];

export interface BpmnProblem {
  severity: 'error' | 'warning';
  /** The rule, such as `duplicate_id`. */
  code: ProblemCode;
  /** One sentence for the author of the file. */
  message: string;
  line: number | null;
  element_id: string | null;
}

/** Listed at most, of each severity: a generated file can have as many problems as elements. */
const MAX_LISTED = 1_000;
/** Names and texts of a file in messages; ids and names can have millions of characters. */
const MAX_QUOTED = 100;

/** A text of the file for a message: in quotation marks and shortened. */
export function quoted(text: string): string {
  const short = text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED).toWellFormed()}…` : text;
  return `"${short.replaceAll(/\s+/g, ' ')}"`;
}

/** Collects problems; the first thousand errors and the first thousand warnings are kept. */
export class ProblemList {
  readonly #kept = { error: [] as BpmnProblem[], warning: [] as BpmnProblem[] };
  readonly #count = { error: 0, warning: 0 };

  /** @param at line of the element, where it is known */
  add(
    severity: BpmnProblem['severity'],
    code: ProblemCode,
    message: string,
    at: { line?: number | undefined; id?: string | undefined } = {},
  ): void {
    if (++this.#count[severity] > MAX_LISTED) return;
    const element_id = at.id?.slice(0, 255).toWellFormed() ?? null;
    this.#kept[severity].push({ severity, code, message, line: at.line ?? null, element_id });
  }

  /** All that are kept, by line; a last one of each severity tells how many are left out. */
  list(): BpmnProblem[] {
    const { error, warning } = this.#kept;
    const byLine = [...error, ...warning].sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
    return [...byLine, ...this.#more('error'), ...this.#more('warning')];
  }

  #more(severity: BpmnProblem['severity']): BpmnProblem[] {
    const more = this.#count[severity] - MAX_LISTED;
    if (more <= 0) return [];
    const message = `${more} more problems with severity "${severity}" are not listed.`;
    return [{ severity, code: 'more_problems', message, line: null, element_id: null }];
  }
}
