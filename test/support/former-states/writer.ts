import type { AnyBody, Client } from '../http.js';

type Paths = Record<string, Record<string, unknown>>;

/**
 * Writes to a service of any version: what its API does not have is left out. A request that it has and refuses is noted in `refused`, so
 * that a state does not miss rows without notice.
 */
export class Writer {
  private constructor(
    readonly api: Client,
    private readonly paths: Paths,
    /** How often each operation was used. */
    readonly written = new Map<string, number>(),
    /** Requests that were refused, with the answers. */
    readonly refused: string[] = [],
  ) {}

  static async open(api: Client): Promise<Writer> {
    const { body } = await api.get<{ paths: Paths }>('/api/openapi.json');
    return new Writer(api, body.paths);
  }

  /** The same operations, as another user. */
  as(api: Client): Writer {
    return new Writer(api, this.paths, this.written, this.refused);
  }

  /** Whether the service has an operation. @param path as in its description, such as `/cards/{id}` */
  has(method: string, path: string): boolean {
    return this.paths[`/api/v1${path}`]?.[method.toLowerCase()] !== undefined;
  }

  /**
   * Sends a request if the service has the operation.
   * @param template path as in the description of the API
   * @param values of the parameters of the path
   * @returns the answer; undefined where there is no such operation, or no value of a parameter, because its object could not be made
   */
  async send(
    method: string,
    template: string,
    values: Readonly<Record<string, string | undefined>>,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<AnyBody | undefined> {
    if (!this.has(method, template) || Object.values(values).includes(undefined)) return undefined;
    const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name]!);
    const answer = await this.api.send(method, path, body, { headers });
    if (answer.status >= 300) {
      this.refused.push(`${method} ${path} gave ${answer.status}: ${JSON.stringify(answer.body).slice(0, 1_000)}`);
      return undefined;
    }
    this.written.set(`${method} ${template}`, (this.written.get(`${method} ${template}`) ?? 0) + 1);
    return answer.body;
  }

  post(
    template: string,
    body?: unknown,
    values: Record<string, string | undefined> = {},
  ): Promise<AnyBody | undefined> {
    return this.send('POST', template, values, body);
  }

  patch(
    template: string,
    body: unknown,
    values: Record<string, string | undefined> = {},
  ): Promise<AnyBody | undefined> {
    return this.send('PATCH', template, values, body);
  }

  put(template: string, body: unknown, values: Record<string, string | undefined> = {}): Promise<AnyBody | undefined> {
    return this.send('PUT', template, values, body);
  }

  get(template: string, values: Record<string, string | undefined> = {}): Promise<AnyBody | undefined> {
    return this.send('GET', template, values);
  }

  /** Uploads one file as multipart/form-data. */
  async upload(
    template: string,
    file: { field: string; name: string; type: string; text: string },
    values: Record<string, string | undefined> = {},
    method = 'POST',
  ): Promise<AnyBody | undefined> {
    const boundary = 'boundary-of-the-form';
    const body =
      `--${boundary}\r\ncontent-disposition: form-data; name="${file.field}"; filename="${file.name}"\r\n` +
      `content-type: ${file.type}\r\n\r\n${file.text}\r\n--${boundary}--\r\n`;
    return await this.send(method, template, values, body, {
      'content-type': `multipart/form-data; boundary=${boundary}`,
    });
  }
}
