/** The state of the workspace in the drive: ids and keys collected from responses, and the callers. */

/** A placeholder in generated requests, which is replaced by an id when the request is sent. */
export const token = (kind: string, n: number): string => `\u00ab${kind}:${n}\u00bb`;
const TOKEN = /\u00ab([\w/*~-]+):(\d+)\u00bb/g;

const KEPT = 80;
/** Members that are the ids of resources in paths, one segment for each. */
const NAMES = [['id'], ['key'], ['card_id'], ['job'], ['subscription', 'position']] as const;
/** Last segments of paths that are actions and no collections. */
const ACTIONS = new Set([
  'bulk',
  'export',
  'directory',
  'archive',
  'restore',
  'approval',
  'apply',
  'request-signatures',
  'sign',
  'reject',
  'recall',
  'revise',
  'transition',
  'complete',
  'cancel',
  'retry',
  'run',
  'redeliver',
  'rotate-secret',
  'resend',
]);
const NOWHERE = '01900000-0000-7000-8000-00000000dead';

/** The collection a path belongs to: `/api/v1/cards/{id}/comments/{cid}` → `comments`. */
export function collectionOf(path: string): string {
  const segments = path.split('/').filter((segment) => segment !== '' && !segment.startsWith('{'));
  const last = segments.at(-1) ?? '';
  return ACTIONS.has(last) ? (segments.at(-2) ?? last) : last;
}

/** The kind for the resources of a nested collection such as `/api/v1/cards/{id}/comments`; their names are whole paths. */
export const placeOf = (collection: string): string => `at${collection.replace(/\{\w+\}/g, '*')}`;

/** The kind for resources last seen in a state, such as `archived`. */
export const inState = (kind: string, state: string): string => `${kind}~${state.toLowerCase()}`;
const plain = (kind: string): string => kind.split('~')[0]!;

export class World {
  private readonly pools = new Map<string, string[]>();

  add(kind: string, name: unknown): void {
    if (typeof name !== 'string' || name === '' || name.length > 200) return;
    const pool = this.pools.get(kind) ?? [];
    this.pools.set(kind, pool);
    if (pool.includes(name)) return;
    pool.push(name);
    if (pool.length > KEPT) pool.shift();
  }

  /** Sets the state of a resource; it replaces the previous one. */
  setState(kind: string, state: unknown, name: string): void {
    if (typeof state !== 'string' || !/^\w{1,30}$/.test(state)) return;
    for (const [other, pool] of this.pools)
      if (other.startsWith(`${kind}~`))
        this.pools.set(
          other,
          pool.filter((n) => n !== name),
        );
    this.add(inState(kind, state), name);
  }

  /** Removes a deleted resource, except the last one of its kind, which is used as a nonexistent one. */
  remove(kind: string, name: string): void {
    for (const [other, pool] of this.pools) {
      if (other.startsWith(`${kind}~`) || (other === kind && pool.length > 1))
        this.pools.set(
          other,
          pool.filter((n) => n !== name),
        );
      else if (other.startsWith('at/'))
        this.pools.set(
          other,
          pool.filter((path) => !`${path}/`.includes(`/${name}/`)),
        );
    }
  }

  /** Removes a nested resource. @param target its path, which may end in an action */
  removeNested(target: string): void {
    for (const [kind, pool] of this.pools) {
      if (kind.startsWith('at/'))
        this.pools.set(
          kind,
          pool.filter((path) => target !== path && target.slice(0, target.lastIndexOf('/')) !== path),
        );
    }
  }

  /**
   * Collects the ids of an answer.
   * @param path with its parameters as `{name}`
   * @param target the path of the request
   */
  collectIds(path: string, target: string, body: unknown): void {
    if (typeof body !== 'object' || body === null) return;
    const kind = collectionOf(path);
    const { items, results } = body as { items?: unknown; results?: unknown };
    const rows = Array.isArray(items) ? items : Array.isArray(results) ? results : [body];
    for (const row of rows.slice(0, 20) as unknown[]) {
      if (typeof row !== 'object' || row === null) continue;
      const members = row as Record<string, unknown>;
      const names = NAMES.find((all) => all.every((name) => name in row))?.map((name) => members[name]) ?? [];
      if (names.length === 0 || !names.every((name) => typeof name === 'string' || typeof name === 'number')) continue;
      const state = members['status'] ?? members['state'] ?? (members['is_system'] === false ? 'own' : undefined);
      const found = names.map(String);
      this.add(kind, found[0]);
      this.setState(kind, state, found[0]!);
      if (!/\}(\/[\w-]+)+$/.test(path)) continue;
      const place = `${placeOf(path)}${'/*'.repeat(found.length - 1)}`;
      const at = [target, ...found.map(encodeURIComponent)].join('/');
      this.add(place, at);
      this.setState(place, state, at);
    }
    const { next_cursor: cursor } = body as { next_cursor?: unknown };
    if (typeof cursor === 'string' && cursor.length < 500) this.add('cursor', cursor);
  }

  /** The n-th resource of a kind; if there is none, of the kind in any state, then of any kind, then a nonexistent id. */
  pick(kind: string, n: number): string {
    const pool =
      [this.pools.get(kind) ?? [], this.pools.get(plain(kind)) ?? []].find((names) => names.length > 0) ?? [];
    if (kind.startsWith('at/') && pool.length === 0)
      return `${plain(kind).slice(2).replaceAll('*', NOWHERE)}/${NOWHERE}`;
    if (kind === 'any' || pool.length === 0) {
      const kinds = [...this.pools]
        .filter(([other, names]) => names.length > 0 && !other.startsWith('at/') && !other.includes('~'))
        .map(([, names]) => names);
      const other = kinds[n % Math.max(kinds.length, 1)];
      return other?.[n % other.length] ?? NOWHERE;
    }
    return pool[n % pool.length]!;
  }

  /** A text with its placeholders replaced. @param write encodes an id for this text */
  resolveText(text: string, write: (name: string) => string = (name) => name): string {
    return text.replace(TOKEN, (_, kind: string, n: string) =>
      kind.startsWith('at/') ? this.pick(kind, Number(n)) : write(this.pick(kind, Number(n))),
    );
  }

  /** A value with its placeholders replaced, also in keys. */
  resolve(value: unknown): unknown {
    if (typeof value === 'string') return this.resolveText(value);
    if (Array.isArray(value)) return value.map((item) => this.resolve(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [this.resolveText(key), this.resolve(item)]));
  }
}
