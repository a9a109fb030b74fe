/** The Table API of the simulated instance (https://www.servicenow.com/docs/r/api-reference/rest-apis/c_TableAPI.html). */
import type { Entry } from './servicenow-schema.js';
import type { Row, Tables } from './servicenow-tables.js';

export interface Reply {
  status: number;
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
}

/** An error as ServiceNow writes it. */
export const failure = (message: string, status = 400, detail: string | null = null): Reply => ({
  status,
  body: { error: { message, detail }, status: 'failure' },
});

const NOT_FOUND = failure('No Record found', 404, "Record doesn't exist or ACL restricts the record retrieval");
const MOST = 10_000;

export class TableApi {
  /** Names of fields that access rules hide from the account. */
  readonly hiddenFields = new Set<string>();
  /** Names of fields that the account may not write; as for read-only ones, values sent for them are ignored. */
  readonly protectedFields = new Set<string>();
  /** Ids of records that access rules hide. */
  readonly hiddenRows = new Set<string>();
  /** Number of inserts by `correlation_id`. */
  readonly inserts = new Map<string, number>();

  constructor(
    private readonly tables: Tables,
    private readonly origin: () => string,
  ) {}

  reply(method: string, url: URL, text: string): Reply {
    const [, table = '', id] = /^\/api\/now\/(?:v[12]\/)?table\/([^/]+)(?:\/([^/]+))?$/.exec(url.pathname) ?? [];
    if (!this.tables.isTable(table)) return failure(`Invalid table ${table}`);
    const query = url.searchParams;
    if (id === undefined) {
      if (method === 'GET') return this.list(table, url);
      if (method === 'POST') return this.insert(table, query, text);
      return failure('Method not supported', 405);
    }
    const row = this.tables.find(table, id);
    if (!row || this.hiddenRows.has(id)) return NOT_FOUND;
    if (method === 'GET') return { status: 200, body: { result: this.show(table, row, query) } };
    if (method === 'DELETE') {
      this.tables.remove(table, id);
      return { status: 204 };
    }
    if (method !== 'PATCH' && method !== 'PUT') return failure('Method not supported', 405);
    const sent = bodyOf(text);
    if (!sent) return failure('Exception while reading request', 400, 'The payload is not valid JSON.');
    const next = { ...row, ...this.writable(table, sent) };
    this.tables.rule(table, next);
    this.tables.edit(table, id, next);
    return { status: 200, body: { result: this.show(table, row, query) } };
  }

  private list(table: string, url: URL): Reply {
    const query = url.searchParams;
    const limit = Math.min(Number(query.get('sysparm_limit') ?? MOST), MOST);
    const offset = Number(query.get('sysparm_offset') ?? 0);
    const matching = this.tables.select(table, query.get('sysparm_query') ?? '');
    // Access rules are evaluated after the page was chosen: pages become shorter, and the count includes hidden rows.
    const page = matching.slice(offset, offset + limit).filter((row) => !this.hiddenRows.has(row['sys_id']!));
    const isCounted = query.get('sysparm_no_count') !== 'true';
    const link =
      query.get('sysparm_suppress_pagination_header') === 'true' ? '' : this.links(url, offset, limit, matching.length);
    return {
      status: 200,
      body: { result: page.map((row) => this.show(table, row, query)) },
      headers: { ...(isCounted && { 'x-total-count': String(matching.length) }), ...(link !== '' && { link }) },
    };
  }

  private links(url: URL, offset: number, limit: number, total: number): string {
    if (total <= limit && offset === 0) return '';
    const at = (start: number, rel: string): string => {
      const to = new URL(url);
      to.searchParams.set('sysparm_offset', String(start));
      return `<${to.href}>;rel="${rel}"`;
    };
    return [
      at(0, 'first'),
      ...(offset > 0 ? [at(Math.max(0, offset - limit), 'prev')] : []),
      ...(offset + limit < total ? [at(offset + limit, 'next')] : []),
      at(Math.max(0, (Math.ceil(total / limit) - 1) * limit), 'last'),
    ].join(',');
  }

  private insert(table: string, query: URLSearchParams, text: string): Reply {
    const sent = bodyOf(text);
    if (!sent) return failure('Exception while reading request', 400, 'The payload is not valid JSON.');
    const correlation = typeof sent['correlation_id'] === 'string' ? sent['correlation_id'] : '';
    this.inserts.set(correlation, (this.inserts.get(correlation) ?? 0) + 1);
    const values = this.writable(table, sent);
    this.tables.rule(table, values);
    const row = this.tables.insert(table, values);
    return {
      status: 201,
      body: { result: this.show(table, row, query) },
      headers: { location: `${this.origin()}/api/now/table/${table}/${row['sys_id']}` },
    };
  }

  /** What is stored of a body: fields that do not exist or may not be written are ignored without an error. */
  private writable(table: string, sent: Readonly<Record<string, unknown>>): Row {
    const fields = this.tables.fields(table);
    const values: Row = {};
    for (const [key, value] of Object.entries(sent)) {
      const field = fields.get(key);
      if (!field || field.read_only === 'true' || key.startsWith('sys_') || this.protectedFields.has(key)) continue;
      const inner = typeof value === 'object' && value !== null ? (value as { value?: unknown }).value : value;
      values[key] = String((inner ?? '') as string | number | boolean);
    }
    return values;
  }

  /** A record as a response has it. */
  private show(table: string, row: Row, query: URLSearchParams): Record<string, unknown> {
    const shown: Record<string, unknown> = {};
    const own = row['sys_class_name'] ?? table;
    const asked = query.get('sysparm_fields');
    for (const name of asked ? asked.split(',') : this.tables.fields(own).keys()) {
      if (name.split('.').some((part) => this.hiddenFields.has(part))) continue;
      const found = this.tables.walk(own, row, name.trim());
      if (found) shown[name.trim()] = this.valueOf(found.entry, found.value, query);
    }
    return shown;
  }

  private valueOf(entry: Entry, value: string, query: URLSearchParams): unknown {
    const display = query.get('sysparm_display_value') ?? 'false';
    const isLinked =
      entry.internal_type === 'reference' && value !== '' && query.get('sysparm_exclude_reference_link') !== 'true';
    const link = isLinked && { link: `${this.origin()}/api/now/table/${entry.reference}/${value}` };
    if (display === 'all') return { display_value: this.tables.display(entry, value), value, ...link };
    if (display === 'true') {
      const display_value = this.tables.display(entry, value);
      return link ? { display_value, ...link } : display_value;
    }
    return link ? { ...link, value } : value;
  }
}

function bodyOf(text: string): Record<string, unknown> | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null && !Array.isArray(body)
      ? (body as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
