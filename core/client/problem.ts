import type { FieldError, Problem } from './schema.js';

const NOT_A_PROBLEM = 'The answer is no problem of the service: it may come from a proxy in between.';
const LONGEST_TEXT = 500;

/** An error response of the service, or of a proxy. Codes are listed in docs/errors.md. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  /** HTTP status. */
  readonly status: number;
  /** Stable error code, such as `not_found`; empty if the response is not a problem of the service. */
  readonly code: string;
  /** Text for human readers. */
  readonly detail: string;
  /** Invalid fields of a 422, each with its reason. */
  readonly errors: readonly FieldError[];
  /** Id of the request in the log of the service. */
  readonly requestId: string | undefined;
  /** The whole body with further members, such as `current_version`. */
  readonly problem: Readonly<Partial<Problem>>;

  constructor(request: string, response: Response, problem: Partial<Problem>) {
    const { code = '', detail = problem.title ?? NOT_A_PROBLEM, errors = [] } = problem;
    const faults = errors.slice(0, 5).map(({ field, reason }) => `${field} ${reason}`);
    super([`${request} gave ${response.status}: ${detail}`, ...faults].join('; '));
    this.status = response.status;
    this.code = code;
    this.detail = detail;
    this.errors = errors;
    this.requestId = problem.request_id ?? response.headers.get('x-request-id') ?? undefined;
    this.problem = problem;
  }
}

/** Reads the body. @returns the error of a response */
export async function problemOf({ method, url }: Request, response: Response): Promise<ProblemError> {
  const text = await response.text();
  const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '');
  const request = `${method} ${new URL(url).pathname}`;
  try {
    return new ProblemError(request, response, (isJson ? JSON.parse(text) : {}) as Partial<Problem>);
  } catch {
    return new ProblemError(request, response, { detail: text.slice(0, LONGEST_TEXT) });
  }
}
