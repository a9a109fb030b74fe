import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { setTimeout as delay } from 'node:timers/promises';
import { Type } from 'typebox';
import { databaseState, type DatabaseState } from '../foundation/db/readiness.js';
import { problem } from '../foundation/errors.js';
import { RELEASE } from '../foundation/release.js';
import { asService } from '../foundation/request-use.js';

const Health = Type.Object(
  {
    status: Type.Literal('ok'),
    version: Type.String({ description: 'Version of the service, by Semantic Versioning.', examples: ['0.1.0'] }),
    commit: Type.Optional(Type.String({ description: 'Commit of the checkout the service runs from.' })),
    uptime_s: Type.Integer({ minimum: 0 }),
    log_epoch: Type.Integer({
      minimum: 1,
      description: 'Increases when writes may have been lost, such as by a failover or a restore of the database.',
    }),
  },
  { examples: [{ status: 'ok', version: '0.1.0', uptime_s: 86_400, log_epoch: 1 }] },
);

const Ready = Type.Object(
  {
    status: Type.Literal('ready'),
    checks: Type.Object({
      database: Type.String(),
      migrations: Type.String({
        description:
          'newer: a newer version has migrated the database; this node serves until it is replaced, but would not start again.',
      }),
      secrets: Type.Optional(
        Type.Union([Type.Literal('ok'), Type.Literal('other_key'), Type.Literal('unknown')], {
          description: 'other_key: the stored secrets are encrypted with a key that this node does not have.',
        }),
      ),
      storage: Type.Optional(
        Type.Union([Type.Literal('ok'), Type.Literal('full')], {
          description: 'full: writes are refused because of low disk space; reads are served.',
        }),
      ),
      modules: Type.Union([Type.Literal('ok'), Type.Literal('degraded')], {
        description: 'degraded: an enabled module does not run; everything else is served.',
      }),
    }),
  },
  {
    examples: [
      { status: 'ready', checks: { database: 'ok', migrations: 'ok', secrets: 'ok', storage: 'ok', modules: 'ok' } },
    ],
  },
);

/** One check of the database serves all probes within this time, because there may be many. */
const FRESH_MS = 250;
/** Maximum wait for a check of the database. */
const TIMEOUT_MS = 2_000;

/**
 * Liveness does not check the database, readiness does. During the first phase of a shutdown readiness and the response
 * headers announce it while requests are served; in the second phase new requests get a 503.
 */
export default fp(
  (async (app) => {
    const { draining } = app.services;
    // In onSend, so that requests already in progress do not leave a connection that the client believes is kept alive.
    app.addHook('onSend', (_request, reply, _payload, done) => {
      if (draining.isOn) reply.header('connection', 'close');
      done();
    });
    app.addHook('onRequest', (_request, _reply, done) => {
      done(
        draining.refuses
          ? problem('unavailable', { detail: 'The service is stopping.', headers: { 'retry-after': '5' } })
          : undefined,
      );
    });

    let latest: { at: number; state: Promise<StoredState> } | undefined;
    const state = (): Promise<StoredState> => {
      if (!latest || performance.now() - latest.at > FRESH_MS)
        latest = { at: performance.now(), state: asService(() => withTimeout(storedState(app.services))) };
      return latest.state;
    };

    app.get(
      '/api/health',
      {
        config: { access: 'public' },
        schema: {
          operationId: 'getHealth',
          summary: 'Whether the process is running, and its version',
          tags: ['platform'],
          description: 'Does not query the database.',
          response: { 200: Health },
        },
      },
      () => ({
        status: 'ok' as const,
        version: RELEASE.version,
        ...(RELEASE.commit && { commit: RELEASE.commit }),
        uptime_s: Math.floor(process.uptime()),
        log_epoch: app.services.continuity.epoch,
      }),
    );

    app.get(
      '/api/ready',
      {
        config: { access: 'public' },
        schema: {
          operationId: 'getReadiness',
          summary: 'Whether the service can serve requests',
          tags: ['platform'],
          description:
            'Returns 503 with the same `checks` while a component is not ready, and before the service stops.',
          response: { 200: Ready },
        },
      },
      async () => {
        if (draining.isOn)
          throw problem('unavailable', { detail: 'The service is about to stop.', headers: { 'retry-after': '5' } });
        const { database, migrations, secrets } = await state();
        const isBroken = app.services.modules
          .list()
          .some(({ fault, stored }) => fault !== undefined && stored?.enabled !== false);
        const checks = {
          database,
          migrations,
          secrets,
          storage: app.services.storage.isFull ? ('full' as const) : ('ok' as const),
          modules: isBroken ? ('degraded' as const) : ('ok' as const),
        };
        if (database === 'ok' && (migrations === 'ok' || migrations === 'newer') && secrets === 'ok')
          return { status: 'ready' as const, checks };
        throw problem('unavailable', {
          detail: 'A component of the service is not ready.',
          checks,
          headers: { 'retry-after': '5' },
        });
      },
    );
  }) satisfies FastifyPluginAsyncTypebox,
  { name: 'health', dependencies: ['headers', 'errors', 'validation', 'openapi'] },
);

interface StoredState extends DatabaseState {
  secrets: 'ok' | 'other_key' | 'unknown';
}

const UNKNOWN: StoredState = { database: 'failed', migrations: 'unknown', secrets: 'unknown' };

/** Checks what is stored as a start does. */
async function storedState({ db, secrets }: Pick<FastifyInstance['services'], 'db' | 'secrets'>): Promise<StoredState> {
  const [state, opens] = await Promise.all([databaseState(db), secrets.opensNewest().catch(() => undefined)]);
  if (opens === undefined) return UNKNOWN;
  return { ...state, secrets: opens ? 'ok' : 'other_key' };
}

/** A database that does not respond in time counts as unavailable. */
async function withTimeout(state: Promise<StoredState>): Promise<StoredState> {
  return await Promise.race([state, delay(TIMEOUT_MS, UNKNOWN, { ref: false })]);
}
