import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Client } from '../http.js';

/** What a service answers, by path. */
export type Recording = Record<string, unknown>;

interface Page {
  items: Record<string, unknown>[];
  next_cursor?: string | null;
}

/**
 * Reads that are not recorded: they compute something from the date or the process, render pictures, or lead elsewhere. What
 * they are made of is recorded.
 */
const NOT_STORED: readonly RegExp[] = [
  /^\/events\/stream/,
  /^\/auth\/(?!tokens|me)/,
  /^\/portals\/public\/.*\/page/,
  /\.(svg|png|docx|html|zip|xml|csv)$/,
  /\/(export|facets|usage|impact|archive-impact|propagation|permissions|explain|drawing|diff|compare|tables|result|trend)$/,
  /\/(gantt|schedule|earned-value|resource-load|plan|report|matrix|metrics|unread-count|summary|tree|problems)$/,
  /^\/(bpm|ppm)\/reports/,
  /^\/(bpm\/processes|ppm\/initiatives|ppm\/tasks)$/,
  /^\/reports(?!\/saved)/,
  /^\/settings\/(modules|jobs|ai\/usage)/,
  /^\/roles\/permissions|^\/events\/types|^\/imports\/formats|^\/cmdbsync\/(connectors|templates)|^\/soaw\/templates\/built-in|^\/insightlens\/(rules|compliance)/,
  /^\/cards\/\{id\}\/sections$/,
  /^\/insightlens\/modernisation$/,
];

/** Members that are not of what is stored. */
const VOLATILE = new Set(['request_id', 'last_used_at', 'last_login_at', 'signed_in_by', 'total']);

const PARAMETER = /^\{(\w+)\}(.*)$/;

/** Reads everything that the API of a service of any version gives of what is stored. */
class Recorder {
  readonly recording: Recording = {};
  private readonly instances = new Map<string, Promise<string[]>>();

  constructor(
    private readonly api: Client,
    private readonly paths: ReadonlySet<string>,
  ) {}

  async run(): Promise<void> {
    for (const path of [...this.paths].sort())
      for (const instance of await this.resolve(path)) await this.read(instance);
  }

  /** The paths that a described path stands for. */
  private resolve(path: string): Promise<string[]> {
    let found = this.instances.get(path);
    if (!found) this.instances.set(path, (found = this.resolveOnce(path)));
    return found;
  }

  private async resolveOnce(path: string): Promise<string[]> {
    const parts = path.split('/');
    const at = parts.findLastIndex((part) => PARAMETER.test(part));
    if (at < 0) return [path];
    const [, name, suffix] = PARAMETER.exec(parts[at]!)!;
    const lists = await this.resolve(parts.slice(0, at).join('/'));
    const rest = [suffix!, ...parts.slice(at + 1).map((part) => `/${part}`)].join('');
    const found: string[] = [];
    for (const list of lists)
      for (const value of await this.valuesIn(list, name!)) found.push(`${list}/${value}${rest}`);
    return found;
  }

  /** The values of a parameter, from the items of the list before it. */
  private async valuesIn(list: string, name: string): Promise<string[]> {
    const source = SOURCES[list] ?? list;
    const body = (this.recording[source] ?? (await this.read(source))) as Page | undefined;
    const items = Array.isArray(body?.items) ? body.items : [];
    return items.flatMap((item) => {
      const value = item[name] ?? item['id'] ?? item['key'];
      return typeof value === 'string' || typeof value === 'number' ? [encodeURIComponent(value)] : [];
    });
  }

  private async read(path: string): Promise<unknown> {
    if (path in this.recording) return this.recording[path];
    const { status, body } = await this.api.get<unknown>(path);
    if (status === 404 || status === 400 || status === 422) return undefined;
    if (status !== 200) throw new Error(`GET ${path} gave ${status}: ${JSON.stringify(body).slice(0, 500)}`);
    const value = await this.whole(path, body);
    this.recording[path] = value;
    return value;
  }

  private async whole(path: string, body: unknown): Promise<unknown> {
    if (typeof body === 'string')
      return { bytes: body.length, sha256: createHash('sha256').update(body).digest('hex') };
    if (!isObject(body) || !Array.isArray(body['items'])) return stable(body);
    const items = [...(body as unknown as Page).items];
    for (let cursor = (body as unknown as Page).next_cursor; cursor; ) {
      const next = (await this.api.get<Page>(path, { query: { cursor } })).body;
      items.push(...next.items);
      cursor = next.next_cursor;
    }
    return stable({ ...body, items, next_cursor: null });
  }
}

/** Lists that have the values of parameters of other paths. */
const SOURCES: Readonly<Record<string, string>> = {
  '/bpm/processes': '/cards?type=BusinessProcess',
  '/ppm/initiatives': '/cards?type=Initiative',
  '/portals/public': '/portals',
};

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function stable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stable);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !VOLATILE.has(key))
      .map(([key, member]) => [key, stable(member)]),
  );
}

/**
 * Records what the API gives of what is stored, as an administrator.
 * @returns the answers by path: lists whole, texts as checksums
 */
export async function record(api: Client): Promise<Recording> {
  const { body } = await api.get<{ paths: Record<string, Record<string, unknown>> }>('/api/openapi.json');
  const paths = Object.entries(body.paths)
    .filter(([path, { get }]) => get !== undefined && path.startsWith('/api/v1/'))
    .map(([path]) => path.slice('/api/v1'.length))
    .filter((path) => !NOT_STORED.some((pattern) => pattern.test(path)));
  const recorder = new Recorder(api, new Set(paths));
  await recorder.run();
  return recorder.recording;
}

/** What may identify an object in a list. */
const KEYS = ['id', 'key', 'change_id', 'feed', 'version'];

/** The member that identifies the objects of a list; undefined where there is none. */
function keyOf(list: readonly unknown[]): string | undefined {
  return KEYS.find((key) => {
    const values = new Set(list.map((item) => (isObject(item) ? item[key] : undefined)));
    return values.size === list.length && !values.has(undefined) && !values.has(null);
  });
}

/** Members that depend on the day. */
const OF_TODAY = new Set(['is_overdue', 'overdue']);

/** Whether it may be gone, such as an invitation or an API token. @param now in ms */
export const isExpired = (value: unknown, now = Date.now()): boolean =>
  isObject(value) && typeof value['expires_at'] === 'string' && Date.parse(value['expires_at']) < now;

/** What was there before is there, unchanged: an object may have more members, a list more objects. @returns what differs, as lines of text */
function* compare(path: string, before: unknown, after: unknown): Generator<string> {
  if (isExpired(before)) return;
  const key = Array.isArray(before) && before.length > 0 ? keyOf(before) : undefined;
  if (key !== undefined && Array.isArray(before) && Array.isArray(after)) {
    const items = new Map(after.map((item: Record<string, unknown>) => [item[key], item]));
    for (const item of before as Record<string, unknown>[])
      yield* compare(`${path}/${String(item[key])}`, item, items.get(item[key]));
  } else if (isObject(before) && isObject(after)) {
    for (const [name, member] of Object.entries(before))
      if (!OF_TODAY.has(name)) yield* compare(`${path}/${name}`, member, after[name]);
  } else if (path.endsWith('/permissions') && Array.isArray(before) && Array.isArray(after)) {
    // Modules that were added later grant theirs to roles.
    for (const name of before) if (!after.includes(name)) yield `${path}: without ${String(name)}`;
  } else if (!isDeepStrictEqual(before, after)) {
    yield `${path}: ${JSON.stringify(before)} is now ${JSON.stringify(after) ?? 'absent'}`;
  }
}

/**
 * What an earlier recording has and a later one does not have in the same way.
 * @returns a line for each value
 */
export function differences(before: Recording, after: Recording): string[] {
  return Object.keys(before).flatMap((path) => [...compare(path, before[path], after[path])]);
}
