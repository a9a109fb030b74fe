/** The part of the public API the demo needs, over fetch. */

/** The service rejected a request; `code` is that of the problem. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    what: string,
  ) {
    super(what);
  }
}

interface Problem {
  code?: string;
  detail?: string;
  title?: string;
  errors?: { field: string; reason: string }[];
}

export interface Person {
  id: string;
  email: string;
}
export interface Stakeholder {
  user_id: string;
  role: string;
}
export interface Card {
  id: string;
  stakeholders: Stakeholder[];
}
export interface BulkResult {
  index: number;
  id?: string;
  outcome: string;
  errors?: { field: string; reason: string }[];
}
interface Page<T> {
  items: T[];
  next_cursor: string | null;
}

export class ApiClient {
  private token: string | undefined;

  /** @param url such as `http://localhost:8920` */
  constructor(private readonly url: string) {}

  /**
   * Sends a request.
   * @param path below `/api/v1`
   * @throws Refused with the problem's text, or an error where the service cannot be reached
   */
  async send<T>(method: string, path: string, body?: unknown): Promise<T> {
    const headers = {
      ...(this.token !== undefined && { authorization: `Bearer ${this.token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    let response: Response;
    try {
      response = await fetch(new URL(`/api/v1${path}`, this.url), {
        method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    } catch (error) {
      throw new Error(`There is no service at ${this.url}. Start one with: npm start`, { cause: error });
    }
    const text = await response.text();
    const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '');
    if (response.ok) return (isJson ? JSON.parse(text) : undefined) as T;
    const problem = (isJson ? JSON.parse(text) : {}) as Problem;
    const faults = (problem.errors ?? []).slice(0, 5).map(({ field, reason }) => `${field} ${reason}`);
    throw new Refused(
      response.status,
      problem.code ?? '',
      [
        `${method} ${path.split('?')[0]!} gave ${response.status}: ${problem.detail ?? problem.title ?? text.slice(0, 200)}`,
        ...faults,
      ].join('; '),
    );
  }

  /** @throws Refused where e-mail and password do not match */
  async logIn(email: string, password: string): Promise<void> {
    this.token = (await this.send<{ access_token: string }>('POST', '/auth/login', { email, password })).access_token;
  }

  /**
   * Registers the first user of a workspace, who becomes its administrator.
   * @param setupCode code from the log of the service, required when the service runs on another machine
   * @throws Refused where a user already exists, or the code is wrong
   */
  async register(email: string, password: string, setupCode: string | undefined): Promise<void> {
    const body = {
      email,
      password,
      display_name: 'Demo Administrator',
      ...(setupCode !== undefined && { setup_code: setupCode }),
    };
    this.token = (await this.send<{ access_token: string }>('POST', '/auth/register', body)).access_token;
  }

  /** All items of a list, page by page. */
  async all<T>(path: string): Promise<T[]> {
    const items: T[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Page<T> = await this.send(
        'GET',
        `${path}${path.includes('?') ? '&' : '?'}page_size=200${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      items.push(...page.items);
      cursor = page.next_cursor;
    }
    return items;
  }

  /** Upserts; rejected operations are among the results. @param kind `cards` or `relations` */
  async upsert(kind: string, operations: readonly object[]): Promise<BulkResult[]> {
    return (await this.send<{ results: BulkResult[] }>('POST', `/${kind}/bulk`, { mode: 'per_row', operations }))
      .results;
  }
}
