import type { Capability, CardPort, ModuleServices, RequestContext } from '@lintel/sdk';
import type { Services } from '../container.js';
import { systemContext } from '../context.js';
import { readPage } from '../db/list.js';
import { Bindings } from '../db/list-query.js';
import type { UnitOfWork } from '../db/unit-of-work.js';
import { invalid, problem } from '../errors.js';
import { sendNothing, sendPage, sendResource } from '../http/respond.js';
import { isUuid, uuidv7 } from '../ids.js';
import { nameKey, searchFold } from '../text.js';
import type { InstalledModule } from './installed.js';
import { readCardRefs } from './repository.js';

function cardPort({ db }: Services): CardPort {
  const visible = async (ctx: RequestContext, ids: readonly string[]) =>
    (await readCardRefs(db, ids.filter(isUuid))).filter((card) => ctx.permissions.has('cards.view', card.type));
  return {
    async get(ctx, id) {
      const [card] = await visible(ctx, [id]);
      if (!card) throw problem('not_found');
      return card;
    },
    async ensureVisible(ctx, ids, field) {
      if (ids.length === 0) return;
      const found = new Set((await visible(ctx, ids)).map((card) => card.id));
      const unknown = ids.flatMap((id, i) => (found.has(id.toLowerCase()) ? [] : [{ field: `${field}/${i}`, reason: 'names no card' }]));
      if (unknown.length > 0) throw invalid(...unknown);
    },
  };
}

/**
 * Makes what one module is given: the core behind the SDK's interfaces, and nothing else of it.
 * @param find looks up what another module offers, while that one is on
 */
export function moduleServices(module: InstalledModule, core: Services, find: (capability: Capability<unknown>) => unknown): ModuleServices {
  const { db, transactions, jobs } = core;
  const uses = new Set(module.manifest?.uses?.map(({ id }) => id));
  return {
    log: core.modules.log.child({ module: module.id }),
    transactions: { run: (ctx, work) => transactions.run(ctx, work) },
    db: {
      query: (statement, values) => db.query(statement, values),
      knex: db.knex,
      bindings: () => new Bindings(),
      readPage: (list) => readPage(db, { ...list, bindings: list.bindings as Bindings }),
    },
    cards: cardPort(core),
    // A module's unit of work is always one of ours: it has no way to make another.
    jobs: { enqueue: async (uow, type, payload) => jobs.enqueue(uow as UnitOfWork, type, payload) },
    http: { sendPage, sendResource, sendNothing },
    settings: () => module.settings.current,
    problem: (code, details) => problem(code, details),
    invalid,
    checkVersion(ctx, version, changed) {
      if (ctx.ifMatch !== undefined && ctx.ifMatch !== version) throw problem('precondition_failed', { current_version: version, changed_fields: changed });
    },
    capability<T>(capability: Capability<T>) {
      if (!uses.has(capability.id)) throw new Error(`${module.id} uses ${capability.id}, which its manifest does not name`);
      return find(capability) as T | undefined;
    },
    newId: uuidv7,
    nameKey,
    searchFold,
    systemContext,
  };
}
