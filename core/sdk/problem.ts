/** One invalid field of a request: `field` is a JSON pointer in a body, a parameter's name elsewhere. */
export interface FieldError {
  field: string;
  reason: string;
  in: 'body' | 'query' | 'path' | 'header';
}

/** All of a problem; made by `problemsOf`. */
export interface ProblemOptions {
  status: number;
  code: string;
  title: string;
  detail?: string;
  errors?: FieldError[];
  /** Domain facts that go into the body beside the standard members, such as `current_version`. */
  extensions?: Record<string, unknown>;
  headers?: Record<string, string>;
  cause?: unknown;
}

/** An answer that is an error: RFC 9457 `application/problem+json`. */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  readonly errors: FieldError[] | undefined;
  readonly extensions: Record<string, unknown>;
  readonly headers: Record<string, string>;

  constructor(options: ProblemOptions) {
    super(options.detail ?? options.title, { cause: options.cause });
    this.name = 'Problem';
    this.status = options.status;
    this.code = options.code;
    this.title = options.title;
    this.detail = options.detail ?? options.title;
    this.errors = options.errors;
    this.extensions = options.extensions ?? {};
    this.headers = options.headers ?? {};
  }
}

/** A line of an error table: status, title, and what it means for the reader of the documentation. */
export type ErrorLine = readonly [status: number, title: string, meaning: string];
/** Error codes of a module, each with status, title and meaning. */
export type ErrorTable = Record<string, ErrorLine>;

/** What may be said beside the code: text, facts, headers, invalid fields, the cause for the log. */
export interface ProblemDetails {
  detail?: string;
  errors?: FieldError[];
  headers?: Record<string, string>;
  cause?: unknown;
  /** Anything else becomes an extension member of the body. */
  [extension: string]: unknown;
}

/**
 * Makes the `problem(code, details)` function of one error table.
 * @param table codes with their status, title and meaning
 * @returns a function that builds (does not throw) the Problem of a code
 */
export function problemsOf<T extends ErrorTable>(
  table: T,
): (code: keyof T & string, details?: ProblemDetails) => Problem {
  return (code, details = {}) => {
    const [status, title] = table[code]!;
    const { detail, errors, headers, cause, ...extensions } = details;
    return new Problem({ status, code, title, detail, errors, headers, cause, extensions } as ProblemOptions);
  };
}
