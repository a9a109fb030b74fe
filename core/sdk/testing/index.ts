/**
 * For tests of modules, with any runner: the platform with the module, users of every role, and checks
 * of the HTTP contract.
 *
 *     const app = await testApp({ module });
 *     const member = await app.asUser('member');
 *     assert.equal((await member.get(app.prefix)).status, 200);
 *     for (const { name, run } of resourceContract({ app, path: `${app.prefix}/notes`, … })) test(name, run);
 *     for (const { name, run } of migrationContract({ module })) test(name, run);
 *     await app.close();
 *
 * The platform is the built checkout of this SDK, or the one in `LINTEL_HOME`. The database is an embedded
 * PostgreSQL of the process, or on the server of `LINTEL_TEST_DATABASE_URL`.
 */
export { testApp, type TestApp, type TestAppOptions, type TestUser } from './app.js';
export type { Answer, AnyBody, Client, RequestOptions } from './client.js';
export type { Check } from './checks.js';
export {
  connectorContract,
  type ConnectorContract,
  type ConnectorSource,
  type SourceFault,
} from './connector-contract.js';
export { migrationContract, type MigrationContract } from './migration-contract.js';
export { resourceContract, type ResourceContract } from './resource-contract.js';
export { until } from './checks.js';
