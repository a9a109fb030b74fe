/** Sends every operation its worst bodies and measures their effects on the service. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Test } from 'tap';
import { operationsOf, type Body, type Operation, type RawDocument } from '../drive/document.js';
import { seed, type SeededWorkspace } from '../drive/seed.js';
import { collectionOf, placeOf, token } from '../drive/world.js';
import type { DatabaseConnection } from '../../core/foundation/db/connection.js';
import { urlOf } from '../support/database.js';
import { startService, type RunningService } from '../support/service.js';
import { client, createDatabase, login, nextAddress, testApp, type Answer, type Session } from '../support/app.js';
import type { Watched } from './loop-watch.js';
import { fittingBodies, strangeBodies, type Budget, type Shape, type WorstBody } from './worst-bodies.js';

const HELD_MS = 200;
const GROWN_MB = 300;
const ANSWER_MS = 60_000;
const TRIES = 3;
/** The limit of routes that do not set one, in bytes. */
const BODY_LIMIT = 1_048_576;
const SECRET_KEY = Buffer.alloc(32, 'lintel').toString('base64');
const dist = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const root = dirname(dist);

interface Verdict {
  operation: string;
  shape: Shape;
  place: string;
  faults: string[];
}
interface Outcome {
  operations: number;
  requests: number;
  statuses: Record<string, number>;
  verdicts: Verdict[];
  /** The longest blocking of the event loop, as text. */
  longest: string;
  /** Operations that refused all requests before reading the body, because their resource does not exist. */
  unreached: string[];
}

interface Options {
  pluginsDir: string;
  /** Largest size of a body, if the limit of the operation is higher. */
  mostBytes: number;
  /** Whether each place of a body is also filled alone. */
  each: boolean;
  /** Of so many bodies one is sent to an operation, the first one another for each operation; default: 1, all of them. */
  oneOf?: number;
  only?: string | undefined;
}

type Service = RunningService & { origin: string; watch(collect?: boolean): Promise<Watched> };

async function start(env: NodeJS.ProcessEnv): Promise<Service> {
  const service = await startService({
    env: { ...env, NODE_OPTIONS: `--import ${pathToFileURL(join(dist, 'test/security/loop-watch.js')).href}` },
  });
  const port = /"watchPort":(\d+)/.exec(service.output())?.[1];
  if (port === undefined) throw new Error('the service is not watched');
  return {
    ...service,
    watch: async (collect = false) =>
      (await (await fetch(`http://127.0.0.1:${port}/${collect ? 'collect' : ''}`)).json()) as Watched,
  };
}

/** Properties of an operation that are not in the OpenAPI document: its limit of bytes, and whether it accepts JSON Patch. */
interface Limits {
  bytes: number;
  takesJsonPatch: boolean;
}

async function limitsOf(database: DatabaseConnection, pluginsDir: string): Promise<Map<string, Limits>> {
  const { app, close } = await testApp({ database, config: { pluginsDir } });
  const limits = new Map(
    app.routeTable.map(({ operationId, bodyLimit = BODY_LIMIT, config }) => [
      operationId,
      { bytes: bodyLimit, takesJsonPatch: config.jsonPatch === true },
    ]),
  );
  await close();
  return limits;
}

class WorstRun {
  readonly outcome: Outcome = { operations: 0, requests: 0, statuses: {}, verdicts: [], longest: '', unreached: [] };
  private longestMs = 0;
  private readonly reached = new Set<string>();
  private admin: Session;
  private isWatched = false;

  constructor(
    private service: Service,
    private readonly env: NodeJS.ProcessEnv,
    private readonly seeded: SeededWorkspace,
    private readonly options: Options,
  ) {
    this.admin = seeded.admin;
  }

  async operation(operation: Operation, limits: Limits): Promise<void> {
    const { oneOf = 1 } = this.options;
    let n = this.outcome.operations++;
    const isSent = (): boolean => n++ % oneOf === 0;
    for (const body of bodiesOf(operation, limits)) {
      const bytes = Math.min(limits.bytes, this.options.mostBytes) - 1_024;
      const values = await this.mostValues(operation, body, bytes);
      const budget: Budget = { bytes, values };
      for (const worst of strangeBodies(budget)) {
        // Without a limit of values `mostValues` has sent the same body.
        if (worst.shape === 'array of numbers' && values === Infinity) continue;
        if (isSent()) await this.judge(operation, body.type, worst);
      }
      if (!/json$/.test(body.type)) continue;
      for (const worst of fittingBodies(body, budget, this.options.each))
        if (isSent()) await this.judge(operation, body.type, worst);
    }
    if (!this.reached.has(operation.id)) this.outcome.unreached.push(`${operation.id} (${this.pathOf(operation)})`);
  }

  async stop(): Promise<void> {
    await this.service.stop();
  }

  /** The limit of values of the operation, which is a member of its 413; Infinity if values are not counted. */
  private async mostValues(operation: Operation, body: Body, bytes: number): Promise<number> {
    const text = `[${'0,'.repeat((bytes - 2) / 2)}0]`;
    const answer = await this.judge(operation, body.type, {
      shape: 'array of numbers',
      place: 'the whole body, beyond all limits',
      text,
    });
    const { limit } = (answer?.body ?? {}) as { limit?: unknown };
    return answer?.status === 413 && typeof limit === 'number' ? limit : Infinity;
  }

  /** Sends one body, up to three times if it has faults, and keeps the attempt with the fewest, because others may be accidental. */
  private async judge(operation: Operation, type: string, worst: WorstBody): Promise<Answer | undefined> {
    let least: string[] | undefined;
    for (let i = 0; i < TRIES; i++) {
      const { faults, answer } = await this.send(operation, type, worst, i > 0);
      if (faults.length === 0) return answer;
      if (!least || faults.length <= least.length) least = faults;
      // The service ended or did not answer; this takes too long to repeat.
      if (!answer) break;
    }
    const { shape, place } = worst;
    this.outcome.verdicts.push({
      operation: `${operation.id} (${operation.method} ${operation.path}, ${type})`,
      shape,
      place: `${place}, ${worst.text.length} characters`,
      faults: least!,
    });
    return undefined;
  }

  private async send(
    operation: Operation,
    type: string,
    { shape, place, text }: WorstBody,
    again: boolean,
  ): Promise<{ faults: string[]; answer?: Answer }> {
    this.outcome.requests++;
    const done = await this.measured(operation, type, text, again).catch((error: unknown) => String(error));
    if (typeof done === 'string') {
      const { code, signal } = await this.service.kill9();
      this.service = await start(this.env);
      this.isWatched = false;
      await this.logIn();
      return { faults: [`no answer: ${done}; the service ended with ${code ?? signal}`] };
    }
    const { answer, heldMs, grownMb } = done;
    this.outcome.statuses[answer.status] = (this.outcome.statuses[answer.status] ?? 0) + 1;
    if (heldMs > this.longestMs) {
      this.longestMs = heldMs;
      this.outcome.longest = `${heldMs.toFixed(0)} ms at ${operation.id}, ${shape} in ${place}`;
    }
    if (![401, 403, 404, 405, 429].includes(answer.status)) this.reached.add(operation.id);
    const faults: string[] = [];
    if (heldMs > HELD_MS) faults.push(`the event loop was blocked for ${heldMs.toFixed(0)} ms`);
    if (grownMb > GROWN_MB) faults.push(`memory grew by ${grownMb.toFixed(0)} MB`);
    if (answer.status >= 500 && !(answer.status === 503 && answer.headers.has('retry-after')))
      faults.push(`answered ${answer.status}: ${JSON.stringify(answer.body).slice(0, 300)}`);
    return { faults, answer };
  }

  /** @param again whether garbage of earlier bodies is collected before @throws if the service does not answer, or has ended */
  private async measured(
    operation: Operation,
    type: string,
    text: string,
    again: boolean,
  ): Promise<Watched & { answer: Answer }> {
    // Each report begins the next measurement: another one is needed only to collect garbage.
    if (again || !this.isWatched) await this.service.watch(again);
    this.isWatched = true;
    const answer = await this.request(operation, type, text);
    return { answer, ...(await this.service.watch()) };
  }

  private async request(operation: Operation, type: string, text: string): Promise<Answer> {
    const path = this.pathOf(operation);
    const once = async (): Promise<Answer> => {
      const api = client(this.service.origin, operation.open ? undefined : this.admin.token);
      const [contentType, content] = type.startsWith('multipart/') ? multipart(operation, text) : [type, text];
      const sent = api.send(operation.method, path, content, {
        headers: { 'content-type': contentType },
        ...(operation.limited && { from: nextAddress() }),
      });
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => reject(new Error(`no answer within ${ANSWER_MS} ms`)), ANSWER_MS);
      });
      return await Promise.race([sent, late]).finally(() => clearTimeout(timer));
    };
    const answer = await once();
    if (answer.status !== 401 || operation.open) return answer;
    await this.logIn();
    return await once();
  }

  private async logIn(): Promise<void> {
    this.admin = await login(this.service.origin, this.seeded.admin.user.email, this.seeded.admin.password);
  }

  /** The path with ids of existing resources. */
  private pathOf({ path }: Operation): string {
    const { world } = this.seeded;
    const within = /^(.*\}(?:\/[\w-]+)+?)\/\{\w+\}(\/\{\w+\})?((?:\.|\/)[\w-]+)?$/.exec(path);
    if (within)
      return world.resolveText(`${token(placeOf(`${within[1]!}${within[2] ? '/*' : ''}`), 0)}${within[3] ?? ''}`);
    return path.replace(/\{\w+\}/g, (name, at: number) =>
      encodeURIComponent(world.resolveText(token(collectionOf(path.slice(0, at)), 0)) || name),
    );
  }
}

const PATCH_STEPS = {
  type: 'array',
  maxItems: 100,
  items: {
    type: 'object',
    required: ['op', 'path'],
    properties: {
      op: { enum: ['add'] },
      path: { type: 'string', examples: ['/attributes/x'], pattern: '^/' },
      value: {},
    },
  },
};

/** The documented bodies, without equivalent media types, and JSON Patch if it is accepted. */
function bodiesOf({ bodies }: Operation, { takesJsonPatch }: Limits): Body[] {
  const steps: Body = { type: 'application/json-patch+json', schema: PATCH_STEPS, examples: [] };
  const documented = bodies.filter(
    ({ type }, i) =>
      !type.startsWith('image/') &&
      !(type.includes('merge-patch') && bodies.some((other, j) => j !== i && other.type === 'application/json')),
  );
  return takesJsonPatch ? [...documented, steps] : documented;
}

/** A form with one file in its field for files. */
function multipart({ bodies }: Operation, text: string): [type: string, content: Buffer] {
  const boundary = 'worst-body-boundary';
  const [field = 'file'] = Object.keys(
    bodies.find(({ type }) => type.startsWith('multipart/'))?.schema.properties ?? {},
  );
  const part = `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="worst.json"\r\nContent-Type: application/json\r\n\r\n`;
  return [`multipart/form-data; boundary=${boundary}`, Buffer.from(`${part}${text}\r\n--${boundary}--\r\n`)];
}

/**
 * Starts a service as a separate process with all modules, and sends bodies to every operation that accepts one.
 * @param options.only selects operations by a part of their id; all if absent
 */
async function runWorstBodies(options: Options): Promise<Outcome> {
  const { pluginsDir } = options;
  if (!existsSync(pluginsDir)) throw new Error(`${pluginsDir} is absent`);
  const database = await createDatabase();
  const limits = await limitsOf(database, pluginsDir);
  const env = { DATABASE_URL: urlOf(database), LINTEL_SECRET_KEY: SECRET_KEY, LINTEL_PLUGINS_DIR: pluginsDir };
  const service = await start(env);
  const document = (await client(service.origin).get<RawDocument>('/api/openapi.json')).body;
  const seeded = await seed(service.origin, document);
  const roles = '/metamodel/types/Application/stakeholder-roles';
  seeded.world.collectIds(
    '/api/v1/metamodel/types/{key}/stakeholder-roles',
    `/api/v1${roles}`,
    (await seeded.admin.api.get(roles)).body,
  );
  const run = new WorstRun(service, env, seeded, options);
  try {
    const operations = operationsOf(document).filter(
      ({ id, bodies }) => bodies.length > 0 && (options.only === undefined || id.includes(options.only)),
    );
    for (const operation of operations)
      await run.operation(operation, limits.get(operation.id) ?? { bytes: BODY_LIMIT, takesJsonPatch: false });
  } finally {
    await run.stop();
  }
  return run.outcome;
}

/** Sends every operation its worst bodies, with one assertion per fault; WORST_ONLY selects operations by a part of their ids. */
export async function worstBodiesSuite(t: Test, options: Pick<Options, 'mostBytes' | 'each' | 'oneOf'>): Promise<void> {
  const { WORST_ONLY } = process.env;
  const began = performance.now();
  const { operations, requests, statuses, verdicts, longest, unreached } = await runWorstBodies({
    ...options,
    pluginsDir: join(root, 'test/fixtures/modules/library'),
    only: WORST_ONLY || undefined,
  });
  const seconds = ((performance.now() - began) / 1_000).toFixed(0);
  const answers = Object.entries(statuses).map(([status, n]) => `${status}: ${n}`);
  t.comment(
    `${requests} bodies to ${operations} operations in ${seconds} s: ${answers.join(', ')}; the event loop was blocked at most ${longest}`,
  );
  for (const { operation, shape, place, faults } of verdicts)
    t.fail(`${operation}: ${shape} in ${place}: ${faults.join('; ')}`);
  t.equal(verdicts.length, 0, 'no body has a fault');
  t.strictSame(unreached, [], 'every operation read its bodies');
  if (!WORST_ONLY) t.ok(operations >= 70, `${operations} operations accept a body`);
}
