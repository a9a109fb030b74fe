import { problemsOf, type Capability, type ModuleServices } from '@lintel/sdk';
import { checkVersion } from '../../foundation/conditions.js';
import type { HostServices } from '../services.js';
import { systemContext } from '../../foundation/context.js';
import { readPage } from '../../foundation/db/list.js';
import { refusalOf } from '../../foundation/db/refusal.js';
import { Bindings } from '../../foundation/db/list-query.js';
import { ERRORS, invalid, problem } from '../../foundation/errors.js';
import { pageOf } from '../../foundation/http/memory-page.js';
import { sendBytes, sendJob, sendNothing, sendPage, sendResource, sendStream } from '../../foundation/http/respond.js';
import { uuidv7 } from '../../foundation/ids.js';
import { asService } from '../../foundation/request-use.js';
import { nameKey, searchFold } from '../../foundation/text.js';
import { eventCheck } from './event-rules.js';
import type { InstalledModule } from '../installed.js';
import { cardPort } from '../ports/card-port.js';
import { eventPort } from '../ports/event-port.js';
import { filePort } from '../ports/file-port.js';
import { inTurn } from '../ports/inner-context.js';
import { inventoryPort } from '../ports/inventory-port.js';
import { lockIn } from '../ports/lock.js';
import { metricsPort } from '../ports/metrics-port.js';
import { outboundPort } from '../ports/outbound-port.js';
import { modelPort } from '../ports/model-port.js';
import { notificationPort } from '../ports/notification-port.js';
import { relationPort } from '../ports/relation-port.js';
import { reportPort } from '../ports/report-port.js';
import { secretPort } from '../ports/secret-port.js';
import { spreadsheetPort } from '../ports/spreadsheet-port.js';
import { uploadPort } from '../ports/upload-port.js';
import { userPort } from '../ports/user-port.js';
import { hashed } from '../install/statements.js';
import { demandRunning, inModule, outside, whileRunning } from './module-scope.js';
import { ModuleUnit } from '../ports/unit.js';

/**
 * A resource whose ETag also depends on the version of the module: an update may show the same content in another way. The
 * modules of Lintel change with its own routes only.
 */
const ofVersion = <R extends { derived?: unknown }>({ candidate, manifest }: InstalledModule, resource: R): R =>
  candidate.foreign ? { ...resource, derived: { module: manifest?.version, derived: resource.derived } } : resource;

/**
 * Creates the services of one module: the core behind the SDK's interfaces.
 * @param find finds a capability of another module, while that module is enabled
 */
export function moduleServices(
  module: InstalledModule,
  core: HostServices,
  find: (capability: Capability<unknown>) => unknown,
): ModuleServices {
  const { db, transactions, jobs } = core;
  const { id, manifest } = module;
  const { roles } = core.modules;
  const query: ModuleServices['db']['query'] = async (statement, values) =>
    db.queryAs(await roles.of(module), statement, values);
  let knex: ModuleServices['db']['knex'] | undefined;
  const uses = new Set(manifest?.uses?.map((capability) => capability.id));
  const log = core.modules.log.child({ module: id });
  const check = eventCheck(id, manifest?.events);
  const errors = { ...ERRORS, ...manifest?.errors };
  const made = problemsOf(errors);
  return {
    log,
    transactions: {
      run: async (ctx, work) => {
        const scope = demandRunning(module);
        return await outside(async () => {
          // Before a connection is taken, because making the role needs one.
          const role = await roles.of(module);
          return await inTurn(ctx, 'run', (own) =>
            transactions.run(own, async (uow) => {
              await scope?.guard?.(uow);
              const unit = new ModuleUnit(uow, check, role);
              try {
                const result = await inModule(scope ?? { module }, () => work(unit));
                unit.verify();
                scope?.signal?.throwIfAborted();
                demandRunning(module);
                return result;
              } finally {
                // The transaction ends now, also if the module continues.
                unit.end();
              }
            }),
          );
        });
      },
    },
    join: (unit) => {
      // The transaction is that of another module, whose caller gets a refusal that can be repeated, not an error of the service.
      const running = (): void => {
        if (module.isEnded) throw problem('conflict', { detail: `The module ${id} was disabled meanwhile.` });
        demandRunning(module);
      };
      running();
      return ModuleUnit.join(unit, check, module.activeRole, running);
    },
    lock: async (unit, name, options) => {
      demandRunning(module);
      await lockIn(id, unit, name, options);
    },
    db: {
      query: (statement, values) => {
        demandRunning(module);
        return outside(() => query(hashed(statement), values));
      },
      get knex() {
        demandRunning(module);
        // A module may keep it, so that each statement is checked.
        return (knex ??= module.candidate.foreign
          ? db.knexAs(() => {
              demandRunning(module);
              return roles.of(module);
            })
          : db.knex);
      },
      bindings: () => new Bindings(),
      readPage: async (list) => {
        demandRunning(module);
        return await readPage({ query }, { ...list, bindings: list.bindings as Bindings });
      },
    },
    cards: whileRunning(module, cardPort(core)),
    relations: whileRunning(module, relationPort(core)),
    inventory: whileRunning(
      module,
      inventoryPort(core, () => roles.of(module)),
    ),
    reports: whileRunning(module, reportPort(core)),
    spreadsheets: spreadsheetPort,
    connectors: { all: () => core.extensions.connectors(), importDir: core.config.importDir },
    users: whileRunning(module, userPort(core)),
    events: whileRunning(module, eventPort(id, manifest?.events, core)),
    notifications: whileRunning(module, notificationPort(module, core)),
    files: whileRunning(module, filePort(id, core)),
    secrets: whileRunning(module, secretPort(id, core)),
    outbound: outboundPort(module, core, () => demandRunning(module)?.signal),
    ai: whileRunning(
      module,
      modelPort(module, core, () => demandRunning(module)?.signal),
    ),
    metrics: metricsPort(id, core, log),
    jobs: {
      enqueue: async (unit, type, payload, { onBehalfOf, runAt } = {}) => {
        demandRunning(module);
        if (!type.startsWith(`${id}.`)) throw new Error(`${id} queues the job ${type}, which is not its own`);
        return await jobs.enqueue(ModuleUnit.core(unit), type, payload, {
          onBehalf: typeof onBehalfOf === 'object' ? onBehalfOf.serviceAccount : onBehalfOf === 'caller',
          ...(runAt && { runAt }),
        });
      },
      status: async (ctx, job) => {
        demandRunning(module);
        return await core.jobService.status(ctx, job, `${id}.`);
      },
    },
    http: {
      sendPage,
      pageOf,
      sendResource: (request, reply, resource) => sendResource(request, reply, ofVersion(module, resource)),
      sendJob,
      sendNothing,
      sendBytes: (request, reply, file) => sendBytes(request, reply, ofVersion(module, file)),
      sendStream,
      ...uploadPort,
    },
    settings: () => module.settings.current,
    shared: (work) => {
      demandRunning(module);
      return asService(work);
    },
    workspace: () => {
      const { app_title: title, currency, fiscal_year_start: fiscalYearStart, locales } = core.settings.current;
      return { title, currency, fiscalYearStart, locales, publicUrl: core.config.publicUrl };
    },
    logo: async () => {
      demandRunning(module);
      const logo = await core.logo.find();
      return logo && { type: logo.media_type, bytes: logo.bytes, version: logo.version };
    },
    problem(code, details) {
      if (!Object.hasOwn(errors, code))
        throw new Error(`${id} uses the error code ${code}, which its manifest does not declare`);
      return made(code as keyof typeof ERRORS, details);
    },
    refusalOf,
    invalid,
    checkVersion,
    capability<T>(capability: Capability<T>) {
      if (!uses.has(capability.id)) throw new Error(`${id} uses ${capability.id}, which its manifest does not name`);
      return find(capability) as T | undefined;
    },
    newId: uuidv7,
    nameKey,
    searchFold,
    systemContext,
  };
}
