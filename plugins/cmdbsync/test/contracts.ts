/** Connectors of the module with simulators of their systems, for the contract of connectors. */
import type { ConnectorContract } from '@lintel/sdk/testing';
import { netbox } from '../connectors/netbox/index.js';
import { rest } from '../connectors/rest/index.js';
import { NetBoxServer } from './simulators/netbox.js';
import { RestServer } from './simulators/rest.js';

export interface Named {
  name: string;
  contract: ConnectorContract;
  close(): Promise<void>;
}

export async function netboxContract(): Promise<Named> {
  const server = await NetBoxServer.start('', 'token-of-netbox');
  const model = 'dcim.site';
  const contract: ConnectorContract = {
    connector: netbox,
    config: { url: server.origin },
    secrets: { token: 'token-of-netbox' },
    table: 'dcim.sites',
    fields: ['name', 'description', 'status'],
    hasWatermarks: true,
    source: {
      clear: () => server.table(model).clear(),
      create: (n) => server.create(model, { name: `Site ${n}`, description: `Of ${n}`, status: 'active' }),
      change: (id, n) => server.edit(model, Number(id), { description: `Changed ${n}` }),
      remove: (id) => server.table(model).delete(Number(id)),
      fail: (fault) => server.fail(fault),
      hide: (field) => (server.hidden = field),
    },
    writes: (n) => ({ description: `Written ${n}` }),
  };
  return { name: 'netbox', contract, close: () => server.close() };
}

const PAGING: Record<string, object> = {
  all: {},
  page: { paging: { kind: 'page', size_param: 'limit', size: 100, first: 1, next: '' } },
  // Without a parameter for the size, the pages of the simulator have three records.
  fixed: { paging: { kind: 'page', size_param: '', size: 100, first: 1, next: '' } },
  offset: { paging: { kind: 'offset', size_param: 'limit', size: 100, first: 1, next: '' } },
  cursor: { paging: { kind: 'cursor', size_param: 'limit', size: 100, first: 1, next: 'meta.next' } },
  body: { paging: { kind: 'link', size_param: 'limit', size: 100, first: 1, next: 'links.next' } },
  header: { paging: { kind: 'link', size_param: 'limit', size: 100, first: 1, next: '' } },
};
const isCounted = (kind: string): boolean => ['page', 'fixed', 'offset', 'cursor'].includes(kind);

/** A table of the simulator with all settings. */
export const restTable = (kind: keyof typeof PAGING, more: object = {}) => ({
  key: 'items',
  path: `/${kind === 'fixed' ? 'page' : kind}`,
  query: '',
  list: kind === 'all' ? '' : 'data',
  id: 'id',
  total: isCounted(kind) ? 'meta.total' : '',
  fields: [],
  ...PAGING[kind],
  since: { param: 'updated_since', field: '', format: 'iso', margin_seconds: 60 },
  record: '/records/{id}',
  item: 'data',
  update: { method: 'PATCH', path: '/records/{id}' },
  create: { path: '/all', id: '', correlation: 'external_ref', find_param: 'external_ref' },
  ...more,
});

export async function restContract(kind: keyof typeof PAGING, more: object = {}): Promise<Named> {
  const server = await RestServer.start();
  server.accepts = ({ headers }) => headers.authorization === 'Bearer token-of-rest';
  const contract: ConnectorContract = {
    connector: rest,
    config: { url: `${server.origin}/api`, auth: 'bearer', tables: [restTable(kind, more)] },
    secrets: { token: 'token-of-rest' },
    table: 'items',
    fields: ['name', 'site.name'],
    hasWatermarks: true,
    // Pages whose size cannot be chosen do not overlap.
    changesFail: kind === 'fixed',
    source: {
      clear: () => void (server.items = []),
      create: (n) => server.put({ name: `Item ${n}`, site: { id: n % 3, name: `Site ${n % 3}` } }),
      change: (id, n) => server.put({ name: `Changed ${n}` }, Number(id)),
      remove: (id) => server.remove(id),
      fail: (fault) => (server.fault = fault),
      hide: (field) => (server.hidden = field),
    },
    writes: (n) => ({ name: `Written ${n}` }),
  };
  return { name: `rest: ${kind}`, contract, close: () => server.close() };
}
