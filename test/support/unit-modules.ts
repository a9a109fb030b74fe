import type { ModuleServices, RequestContext } from '@lintel/sdk';
import { writeModule } from './module-folder.js';

type Host = ModuleServices;
/** Work of a test that a module executes for a request. */
export type Work = (ctx: RequestContext, host: Host) => Promise<object>;

const work = Symbol.for('lintel.test.unit-work');

/** The work that `POST /<id>/run` of each of the modules executes; returns its result. */
export function runs(id: string, does: Work): void {
  ((globalThis as unknown as Record<symbol, Record<string, Work>>)[work] ??= {})[id] = does;
}

/** Writes a module with a table `<id>_rows`, events of the kind `<id>`, and a route that executes the work of a test. */
export async function writeUnitModule(folder: string, id: string, more = ''): Promise<void> {
  await writeModule(
    folder,
    `
import { Strict, Type, defineModule, capability, provide } from '@lintel/sdk';
export default defineModule({
  id: '${id}', version: '1.0.0', title: '${id}', description: 'For tests.', host: '^0.1.0',
  permissions: [{ key: '${id}.use', description: 'Use it.', roles: ['architect', 'member', 'viewer'] }],
  migrations: { '0001_rows': {
    up: (knex) => knex.raw('create table ${id}_rows (id serial primary key, name text not null)'),
    down: (knex) => knex.raw('drop table ${id}_rows') } },
  events: [{ kind: '${id}', permission: '${id}.use', cards: 'none', types: { '${id}.noted': Strict({ name: Type.String() }) } }],
  services: (host) => host,
  routes: async (app, { host }) => {
    app.post('/run', {
      config: { access: { permission: '${id}.use' }, idempotent: true },
      schema: { operationId: '${id}Run', summary: 'Run', tags: ['${id}'], response: { 200: Type.Object({}, { additionalProperties: true }) } },
    }, async (request) => await globalThis[Symbol.for('lintel.test.unit-work')]['${id}'](request.ctx, host));
  },
  openapi: { tags: [{ name: '${id}', description: 'For tests.' }] },
  enabledByDefault: true,
  ${more}
});`,
    { id },
  );
}

/** Adds a row of the module, with its event. */
export async function note(uow: Parameters<Parameters<Host['transactions']['run']>[1]>[0], id: string, name: string) {
  await uow.query({ name: `${id}-note`, text: `insert into ${id}_rows (name) values ($1)` }, [name]);
  uow.emit({ type: `${id}.noted`, subject: { kind: id, id: name }, data: { name } });
}
