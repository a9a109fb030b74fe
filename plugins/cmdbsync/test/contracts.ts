/** Connectors of the module with simulators of their systems, for the contract of connectors. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConnectorContract } from '@lintel/sdk/testing';
import { files } from '../connectors/files/index.js';
import { netbox } from '../connectors/netbox/index.js';
import { rest } from '../connectors/rest/index.js';
import { servicenow } from '../connectors/servicenow/index.js';
import { NetBoxServer } from './simulators/netbox.js';
import { RestServer } from './simulators/rest.js';
import { ServiceNowServer, type Faults } from './simulators/servicenow.js';

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

/** @param kind of the file */
export async function filesContract(kind: 'csv' | 'ndjson'): Promise<Named> {
  const importDir = await mkdtemp(join(tmpdir(), 'lintel-files-'));
  const rows = new Map<string, Record<string, string>>();
  let last = 0;
  let hidden: string | undefined;
  const shown = (values: Record<string, string>): [string, string][] =>
    Object.entries(values).filter(([name]) => name !== hidden);
  const write = async (): Promise<void> => {
    const all = [...rows].map(([id, values]) => shown({ id, ...values }));
    const head = shown({ id: '', name: '', site: '' }).map(([name]) => name);
    const text =
      kind === 'csv'
        ? [head, ...all.map((row) => row.map(([, value]) => `"${value}"`))]
            .map((cells) => `${cells.join(';')}\n`)
            .join('')
        : all.map((row) => `${JSON.stringify(Object.fromEntries(row))}\n`).join('') || '\n';
    await writeFile(join(importDir, `items.${kind}`), text);
  };
  const put = async (id: string, values: Record<string, string>): Promise<string> => {
    rows.set(id, { ...rows.get(id), ...values });
    await write();
    return id;
  };
  const contract: ConnectorContract = {
    connector: files,
    config: { folder: '', id: 'id', separator: 'auto', encoding: 'utf-8', settle_seconds: 0, tables: [] },
    importDir,
    table: 'items',
    fields: ['name', 'site'],
    changesFail: true,
    source: {
      clear: async () => {
        rows.clear();
        await write();
      },
      create: async (n) => await put(String(++last), { name: `Item ${n}`, site: `Site ${n % 3}` }),
      change: async (id, n) => await put(id, { name: `Changed ${n}` }),
      remove: async (id) => {
        rows.delete(id);
        await write();
      },
      hide: async (field) => {
        hidden = field;
        await write();
      },
    },
  };
  return { name: `files: ${kind}`, contract, close: () => rm(importDir, { recursive: true, force: true }) };
}

const SERVICENOW_FAULTS: Record<string, Faults> = {
  error: { status: 500 },
  cut_off: { cutOff: true },
  not_json: { body: '<html>' },
  unauthorized: { status: 401 },
};

export async function serviceNowContract(): Promise<Named> {
  const server = await ServiceNowServer.start();
  const { tables, oauth, api } = server;
  const table = 'cmdb_ci_server';
  const contract: ConnectorContract = {
    connector: servicenow,
    config: {
      url: server.origin,
      authentication: 'basic',
      user_name: oauth.user.name,
      correlation_field: 'correlation_id',
      allow_hidden_records: false,
    },
    secrets: { password: oauth.user.password },
    table,
    fields: ['short_description', 'name', 'ram'],
    hasWatermarks: true,
    unknownId: 'f'.repeat(32),
    source: {
      clear: () => {
        for (const { sys_id } of [...tables.rows(table)]) tables.remove(table, sys_id!);
      },
      create: (n) => tables.insert(table, { name: `Server ${n}`, short_description: `Of ${n}`, ram: n })['sys_id']!,
      change: (id, n) => tables.edit(table, id, { short_description: `Changed ${n}` }),
      remove: (id) => tables.remove(table, id),
      fail: (fault) => server.fail(fault === undefined ? {} : { on: /./, ...SERVICENOW_FAULTS[fault] }),
      hide: (field) => {
        api.hiddenFields.clear();
        if (field !== undefined) api.hiddenFields.add(field);
      },
    },
    writes: (n) => ({ short_description: `Written ${n}` }),
  };
  return { name: 'servicenow', contract, close: () => server.close() };
}
