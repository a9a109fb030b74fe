/**
 * A module that changes built-in objects when it is imported is refused, and the objects are as before.
 * Runs in a process of its own, so that the modules of Lintel are imported while others are.
 */
import t from 'tap';
import { createDatabase, registerAdmin, testApp } from '../support/app.js';
import { moduleFolder, writeModule } from '../support/module-folder.js';

const folder = await moduleFolder(t);
const write = (id: string, top: string, more = '') =>
  writeModule(
    folder,
    `import { Type, defineModule } from '@lintel/sdk';
${top}
export default defineModule({
  id: '${id}', version: '1.0.0', title: '${id}', description: 'Changes objects.', host: '^0.1.0',
  permissions: [{ key: '${id}.view', description: 'See it.', roles: ['viewer'] }],
  services: () => ({}), ${more} enabledByDefault: true,
});`,
    { id },
  );
const CHANGES: Record<string, [top: string, reason: RegExp]> = {
  adds: ['Object.prototype.polluted = 1;', /Object\.prototype\.polluted/],
  adds_symbol: ['Array.prototype[Symbol.for("mine")] = 1;', /Array\.prototype\.Symbol\(mine\)/],
  replaces: ['Array.prototype.map = function () { return []; };', /: Array\.prototype\.map$/],
  removes: ['delete String.prototype.at;', /String\.prototype\.at/],
  parses: ['JSON.parse = () => ({});', /JSON\.parse/],
  fetches: ['globalThis.fetch = async () => undefined;', /globalThis\.fetch/],
  exits: ['process.exit = () => undefined;', /process\.exit/],
  promises: ['Promise.prototype.then = function () { return this; };', /Promise\.prototype\.then|longer than/],
  iterates: ['Array.prototype[Symbol.iterator] = function* () {};', /Symbol\(Symbol\.iterator\)/],
  // It is the first that is imported. The settings of each module are made by this function.
  a_waits: [
    'globalThis.structuredClone = () => { throw new Error("replaced"); }; await new Promise((done) => setTimeout(done, 1_500));',
    /globalThis\.structuredClone/,
  ],
  and_throws: ['Map.prototype.get = () => undefined; throw new Error("later");', /Map\.prototype\.get/],
};
for (const [id, [top]] of Object.entries(CHANGES)) await write(id, top);
// None of this changes what others use.
await write(
  'sound',
  `Error.stackTraceLimit = 20; globalThis.myState = {}; Symbol.mine ??= Symbol('mine'); Reflect.mine = () => 1;
   void globalThis.crypto; void globalThis.WebSocket; void globalThis.fetch; void globalThis.navigator;
   process.on('SIGUSR2', () => undefined); class Own extends Array {} Own.prototype.extra = 1;`,
);
const limit = Error.stackTraceLimit;
const before = [Array.prototype.map, JSON.parse, process.exit, String.prototype.at, Promise.prototype.then];
// On a database of `testApp`, an app would have been started before, and would have imported the modules of Lintel.
const { origin, close } = await testApp({
  config: { pluginsDir: folder, logLevel: 'silent' },
  database: await createDatabase(),
});
t.teardown(async () => {
  await close();
  Error.stackTraceLimit = limit;
  process.removeAllListeners('SIGUSR2');
});
const { api } = await registerAdmin(origin);

await t.test('it is named with what it changes, and the service is not affected', async (t) => {
  for (const [id, [, reason]] of Object.entries(CHANGES))
    t.match((await api.get(`/settings/modules/${id}`)).body, { state: 'failed', reason_code: 'broken', reason }, id);
  t.match((await api.get('/settings/modules/sound')).body, { state: 'enabled', reason: null });
  t.strictSame([Array.prototype.map, JSON.parse, process.exit, String.prototype.at, Promise.prototype.then], before);
  t.notOk('polluted' in {});
  t.equal((await api.get('/cards')).status, 200);
});

await t.test('also when it is found by a rescan', async (t) => {
  await write('late', 'Number.prototype.toString = () => "1";');
  const { failed } = (await api.post('/settings/modules/rescan')).body as unknown as { failed: { id: string }[] };
  t.match(
    failed.find(({ id }) => id === 'late'),
    { reason_code: 'broken', reason: /: Number\.prototype\.toString$/ },
  );
  t.equal((5).toString(), '5');
});
