/** One invalid field of a request: `field` is a JSON pointer in a body, the name of a parameter otherwise. */
export interface FieldError {
  field: string;
  reason: string;
  in: 'body' | 'query' | 'path' | 'header';
  /** In a row of a bulk request: the code of the problem with which a rule of a module refused the operation. */
  code?: string;
}

/** The data of a problem; created by `problemsOf`. */
export interface ProblemOptions {
  status: number;
  code: string;
  title: string;
  detail?: string;
  errors?: FieldError[];
  /** Additional members of the body besides the standard ones, such as `current_version`. */
  extensions?: Record<string, unknown>;
  headers?: Record<string, string>;
  cause?: unknown;
}

/** An error response: RFC 9457 `application/problem+json`. */
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

/** An entry of an error table: status, title, and its meaning for the documentation. */
export type ErrorLine = readonly [status: number, title: string, meaning: string];
/** Error codes of a module, each with status, title and meaning. */
export type ErrorTable = Record<string, ErrorLine>;

/** Optional details of a problem: text, additional members, headers, invalid fields, the cause for the log. */
export interface ProblemDetails {
  detail?: string;
  errors?: FieldError[];
  headers?: Record<string, string>;
  cause?: unknown;
  /** Anything else becomes an extension member of the body. */
  [extension: string]: unknown;
}

/**
 * Creates the `problem(code, details)` function of one error table.
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
