/**
 * Calls every operation of a running service with generated requests, valid and hostile, and checks every response.
 *
 * A request is derived only from a seed and its number; its placeholders are replaced by ids when it is sent, because
 * existing objects depend on earlier responses. A fault is therefore reproduced with smaller requests, and reported with
 * the smallest one that still has it.
 */
import fc from 'fast-check';
import { login, makeUser } from '../support/app.js';
import { callsOf, type Call } from './calls.js';
import { operationsOf, type Operation, type RawDocument } from './document.js';
import { faultsOf } from './oracle.js';
import { replenish, seed as seedWorkspace, type SeededWorkspace } from './seed.js';
import { PASSWORDS, Values } from './values.js';
import { collectionOf } from './world.js';
import { curlLine, Wire, type WireRequest } from './wire.js';

export interface Fault {
  operation: string;
  what: string[];
  /** The request as a command line. */
  request: string;
  answer: string;
  /** The number of requests with the same fault. */
  times: number;
}

export interface Outcome {
  calls: number;
  operations: number;
  statuses: Record<string, number>;
  /** Numbers of answers by operation and status. */
  answers: Record<string, Record<string, number>>;
  faults: Fault[];
}

export interface DriveOptions {
  origin: string;
  document: RawDocument;
  seed: number;
  calls: number;
  /** Only operations whose id contains this. */
  only?: string | undefined;
  concurrency?: number;
}

/** New cards are created after so many calls, because calls delete cards. */
const REPLENISH = 250;
const SHRUNK = 12;
const SHRINK_MS = 3_000;
/** A key of a fault without values of the request, so that equal faults are reported once. */
const kindOf = (operation: Operation, faults: readonly string[]): string =>
  `${operation.id}: ${faults[0]!.replace(/["'`].*?["'`]|\d{2,}/g, '…').slice(0, 120)}`;

const HERE = '127.0.0.1';
/** Calls that end sessions use spare sessions. */
const ENDS_SESSIONS = /^\/api\/v1\/auth\/(logout|change-password|refresh|sessions)/;

class Drive {
  private readonly wire: Wire;
  private sent = 0;

  constructor(
    private readonly seeded: SeededWorkspace,
    origin: string,
  ) {
    this.wire = new Wire(origin);
  }

  close(): void {
    this.wire.close();
  }

  /**
   * Changes those parts of a call that would prevent later calls from succeeding:
   * - the users of the drive are neither changed nor deleted, because their sessions are needed;
   * - If-Match stays optional in the workspace, because otherwise nearly every change would be a 428;
   * - the limits of log-ins stay, because otherwise the users of the drive would be locked out;
   * - modules stay enabled, because the paths of a disabled one do not exist.
   */
  private guard(operation: Operation, path: string, json: unknown): { path: string; json: unknown } {
    const { admin, viewer, world } = this.seeded;
    let guarded = path;
    if (/^\/api\/v1\/users\/\{/.test(operation.path) && operation.method !== 'GET') {
      for (const { user } of [admin, viewer])
        guarded = guarded.replace(new RegExp(user.id, 'i'), () => this.seeded.spare[0]!.user.id);
    }
    const resolved = world.resolve(json);
    if (typeof resolved !== 'object' || resolved === null || Array.isArray(resolved))
      return { path: guarded, json: resolved };
    const { require_if_match: requiresIfMatch, ...rest } = resolved as Record<string, unknown>;
    if (operation.path === '/api/v1/settings') {
      const { login_limits: _locks, rate_limits: _rates, card_limits: _cards, write_limits: _writes, ...others } = rest;
      return {
        path: guarded,
        json:
          requiresIfMatch === true
            ? others
            : { ...others, ...(requiresIfMatch !== undefined && { require_if_match: requiresIfMatch }) },
      };
    }
    // No server outside is called: addresses are replaced by one of this machine, which the service refuses to call.
    if (operation.path === '/api/v1/settings/smtp' && 'host' in resolved && typeof resolved.host === 'string')
      return { path: guarded, json: { ...resolved, host: HERE } };
    if (operation.path === '/api/v1/settings/ai' && ('provider' in resolved || 'base_url' in resolved))
      return { path: guarded, json: { ...resolved, base_url: `http://${HERE}:9/v1` } };
    if (operation.path.startsWith('/api/v1/settings/modules') && 'enabled' in resolved && resolved.enabled === false)
      return { path: guarded, json: { ...resolved, enabled: true } };
    return { path: guarded, json: resolved };
  }

  private tokenFor(operation: Operation, { as }: Call): string | undefined {
    const { admin, viewer, spare } = this.seeded;
    if (as === 'anonymous') return undefined;
    if (ENDS_SESSIONS.test(operation.path)) return spare[this.sent % spare.length]!.token;
    return (as === 'admin' ? admin : viewer).token;
  }

  /** Replaces an ended spare session by a new one, of its user or, if that user cannot log in any more, of a new user. */
  private async renew(bearer: string): Promise<void> {
    const { spare } = this.seeded;
    const at = spare.findIndex(({ token }) => bearer === `Bearer ${token}`);
    const { origin, user } = spare[at] ?? {};
    if (origin === undefined || user === undefined) return;
    for (const password of PASSWORDS) {
      const session = await login(origin, user.email, password).catch(() => undefined);
      if (session) {
        spare[at] = session;
        return;
      }
    }
    spare[at] = await makeUser(this.seeded.admin, 'member');
  }

  private requestOf(operation: Operation, call: Call): WireRequest {
    const { world } = this.seeded;
    const { path, json } = this.guard(
      operation,
      world.resolveText(call.path, encodeURIComponent),
      call.body && 'json' in call.body ? call.body.json : undefined,
    );
    const text = call.body === undefined ? undefined : 'json' in call.body ? JSON.stringify(json) : call.body.raw;
    const body = text === undefined ? undefined : Buffer.from(text);
    const bearer = this.tokenFor(operation, call);
    const query = call.query.map((part) => world.resolveText(part, encodeURIComponent)).join('&');
    return {
      method: operation.method,
      target: query === '' ? path : `${path}?${query}`,
      body,
      ownAddress: operation.limited,
      headers: {
        ...call.headers,
        ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
        ...(body !== undefined && { 'content-length': String(body.length) }),
      },
    };
  }

  /** Sends a call and checks the answer. */
  async make(
    operation: Operation,
    call: Call,
  ): Promise<{ request: WireRequest; status: number; text: string; faults: string[] }> {
    const request = this.requestOf(operation, call);
    this.sent++;
    try {
      const answer = await this.wire.send(request);
      const { status, text, headers } = answer;
      const faults = faultsOf(operation, answer, {
        anonymous: call.as === 'anonymous',
        misrouted: call.misrouted,
        conditional: 'if-none-match' in request.headers,
      });
      const { authorization } = request.headers;
      if (status === 401 && authorization !== undefined && ENDS_SESSIONS.test(operation.path))
        await this.renew(authorization);
      if (status === 404 && call.as === 'admin') this.recordMissing(operation, request.target);
      if (status >= 200 && status < 300)
        this.recordSuccess(
          operation,
          request.target,
          String(headers['content-type']).startsWith('application/json') ? text : '',
        );
      return { request, status, text, faults };
    } catch (error) {
      return { request, status: 0, text: '', faults: [`no answer: ${(error as Error).message}`] };
    }
  }

  /** Removes a resource that gave 404, so that later calls use existing ones. */
  private recordMissing(operation: Operation, target: string): void {
    const at = operation.path.split('/').findIndex((segment) => segment.startsWith('{'));
    if (operation.path.split('{').length > 2) this.seeded.world.removeNested(target.split('?')[0]!);
    else
      this.seeded.world.remove(
        collectionOf(operation.path.split('/{')[0]!),
        target.split('?')[0]!.split('/')[at] ?? '',
      );
  }

  private recordSuccess(operation: Operation, target: string, text: string): void {
    if (operation.path.endsWith('}/archive'))
      this.seeded.world.setState(
        collectionOf(operation.path),
        'archived',
        target.split('?')[0]!.split('/').at(-2) ?? '',
      );
    if (operation.method === 'DELETE')
      this.seeded.world.remove(collectionOf(operation.path), target.split('?')[0]!.split('/').at(-1) ?? '');
    else if (text !== '' && text.length < 300_000 && operation.path.startsWith('/api/v1/'))
      this.seeded.world.collectIds(operation.path, target.split('?')[0]!, JSON.parse(text));
  }
}

/** The smallest call found that still has a fault; undefined if the fault is not reproduced. */
async function shrink(
  drive: Drive,
  operation: Operation,
  calls: fc.Arbitrary<Call>,
  seed: number,
): Promise<Call | undefined> {
  const holds = fc.asyncProperty(calls, async (call) => (await drive.make(operation, call)).faults.length === 0);
  const { counterexample } = await fc.check(holds, { seed, numRuns: 1, interruptAfterTimeLimit: SHRINK_MS });
  return counterexample?.[0];
}

/**
 * Creates the initial data in an empty workspace and sends the calls.
 * @param options.calls their number, shared equally among the operations
 */
export async function drive(options: DriveOptions): Promise<Outcome> {
  const { origin, document, seed, calls, only = '', concurrency = 8 } = options;
  const seeded = await seedWorkspace(origin, document);
  const values = new Values(seeded.fields);
  const plans = operationsOf(document)
    .filter(({ id }) => id.includes(only))
    .map((operation) => ({ operation, arbitrary: callsOf(operation, values), answers: {} as Record<string, number> }));
  if (plans.length === 0) throw new Error(`no operation has ${only} in its id`);
  const run = new Drive(seeded, origin);
  const seedOf = (n: number): number => (Math.imul(seed, 1_000_003) + n) | 0;
  const statuses: Record<string, number> = {};
  const found = new Map<string, Fault & { n: number }>();
  let next = 0;

  const worker = async (): Promise<void> => {
    for (let n = next++; n < calls; n = next++) {
      const plan = plans[n % plans.length]!;
      if (n % REPLENISH === REPLENISH - 1) await replenish(seeded, n);
      const [call] = fc.sample(plan.arbitrary, { seed: seedOf(n), numRuns: 1 }) as [Call];
      const { request, status, text, faults } = await run.make(plan.operation, call);
      statuses[status] = (statuses[status] ?? 0) + 1;
      plan.answers[status] = (plan.answers[status] ?? 0) + 1;
      if (faults.length === 0) continue;
      const kind = kindOf(plan.operation, faults);
      const before = found.get(kind);
      if (before) before.times++;
      else
        found.set(kind, {
          operation: plan.operation.id,
          what: faults,
          request: curlLine(request, call.as),
          answer: text.slice(0, 1_000),
          times: 1,
          n,
        });
    }
  };
  try {
    await Promise.all(Array.from({ length: concurrency }, worker));
    for (const fault of [...found.values()].slice(0, SHRUNK)) {
      const { operation, arbitrary } = plans[fault.n % plans.length]!;
      const smaller = await shrink(run, operation, arbitrary, seedOf(fault.n));
      if (!smaller) continue;
      const { request, text, faults } = await run.make(operation, smaller);
      if (faults.length > 0)
        Object.assign(fault, { what: faults, request: curlLine(request, smaller.as), answer: text.slice(0, 1_000) });
    }
  } finally {
    run.close();
  }
  const faults = [...found.values()].map(({ n: _n, ...fault }) => fault);
  return {
    calls,
    operations: plans.length,
    statuses,
    answers: Object.fromEntries(plans.map((p) => [p.operation.id, p.answers])),
    faults,
  };
}
