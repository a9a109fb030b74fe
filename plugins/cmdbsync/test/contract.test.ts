/** All connectors of the module fulfil the contract of connectors. */
import t from 'tap';
import { connectorContract } from '@lintel/sdk/testing';
import { filesContract, netboxContract, restContract, serviceNowContract } from './contracts.js';

for (const make of [
  netboxContract,
  serviceNowContract,
  () => filesContract('csv'),
  () => filesContract('ndjson'),
  ...(['all', 'page', 'fixed', 'offset', 'cursor', 'body', 'header'] as const).map((kind) => () => restContract(kind)),
  // A record is replaced as a whole, and the answer to a creation has only its id.
  () =>
    restContract('page', {
      update: { method: 'PUT', path: '/records/{id}' },
      create: { path: '/created', id: 'result.key', correlation: 'external_ref', find_param: 'external_ref' },
    }),
]) {
  const { name, contract, close } = await make();
  await t.test(name, async (t) => {
    t.teardown(close);
    for (const { name, run } of connectorContract(contract)) await t.test(name, async (t) => t.resolves(run()));
  });
}
