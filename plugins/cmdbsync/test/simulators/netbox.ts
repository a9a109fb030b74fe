/** A server with the REST shapes of NetBox over the objects of a dump, whose faults are switched on by the test. */
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SourceFault } from '@lintel/sdk/testing';

type Fields = Record<string, unknown>;
interface Dumped {
  model: string;
  pk: number;
  fields: Fields;
}

/** The endpoints of models. */
const ENDPOINTS: Record<string, string> = {
  'circuits.circuit': 'circuits/circuits',
  'circuits.circuittype': 'circuits/circuit-types',
  'circuits.provider': 'circuits/providers',
  'dcim.device': 'dcim/devices',
  'dcim.devicerole': 'dcim/device-roles',
  'dcim.devicetype': 'dcim/device-types',
  'dcim.location': 'dcim/locations',
  'dcim.manufacturer': 'dcim/manufacturers',
  'dcim.platform': 'dcim/platforms',
  'dcim.rack': 'dcim/racks',
  'dcim.region': 'dcim/regions',
  'dcim.site': 'dcim/sites',
  'dcim.sitegroup': 'dcim/site-groups',
  'ipam.aggregate': 'ipam/aggregates',
  'ipam.asn': 'ipam/asns',
  'ipam.ipaddress': 'ipam/ip-addresses',
  'ipam.prefix': 'ipam/prefixes',
  'ipam.vlan': 'ipam/vlans',
  'ipam.vrf': 'ipam/vrfs',
  'tenancy.contact': 'tenancy/contacts',
  'tenancy.tenant': 'tenancy/tenants',
  'tenancy.tenantgroup': 'tenancy/tenant-groups',
  'virtualization.cluster': 'virtualization/clusters',
  'virtualization.clustergroup': 'virtualization/cluster-groups',
  'virtualization.clustertype': 'virtualization/cluster-types',
  'virtualization.virtualmachine': 'virtualization/virtual-machines',
};
/** Foreign keys of the dump, by model and field, or by field for all models. */
const KEYS: Record<string, string> = {
  'circuits.circuit.type': 'circuits.circuittype',
  'dcim.device.role': 'dcim.devicerole',
  'dcim.location.parent': 'dcim.location',
  'dcim.region.parent': 'dcim.region',
  'dcim.site.group': 'dcim.sitegroup',
  'dcim.sitegroup.parent': 'dcim.sitegroup',
  'tenancy.tenant.group': 'tenancy.tenantgroup',
  'tenancy.tenantgroup.parent': 'tenancy.tenantgroup',
  'virtualization.cluster.group': 'virtualization.clustergroup',
  'virtualization.cluster.type': 'virtualization.clustertype',
  'virtualization.virtualmachine.role': 'dcim.devicerole',
  cluster: 'virtualization.cluster',
  device: 'dcim.device',
  device_type: 'dcim.devicetype',
  location: 'dcim.location',
  manufacturer: 'dcim.manufacturer',
  platform: 'dcim.platform',
  provider: 'circuits.provider',
  rack: 'dcim.rack',
  region: 'dcim.region',
  site: 'dcim.site',
  tenant: 'tenancy.tenant',
};
const CHOICES = new Set(['status', 'face', 'airflow']);

/** What goes wrong, until the test takes it back. */
export interface Faults {
  /** Requests of lists after which every request is answered with `status`. */
  after?: number;
  status?: number;
  /** Whether every request is answered with it. */
  all?: boolean;
  /** Answers that end in the middle. */
  cutOff?: boolean;
  /** Answers that are a page for people. */
  html?: boolean;
}

export class NetBoxServer {
  readonly objects = new Map<string, Map<number, Fields>>();
  faults: Faults = {};
  /** A field that the user of the token may not see. */
  hidden: string | undefined;
  /** Numbers of requests by method. */
  readonly requests: Record<string, number> = {};
  origin = '';
  private lists = 0;
  private created = 1_000_000;
  private readonly server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const { status, body } = this.answer(
        request.method ?? 'GET',
        new URL(request.url ?? '/', 'http://localhost'),
        request.headers.authorization,
        text,
      );
      const bytes = Buffer.from(this.faults.html ? '<html></html>' : JSON.stringify(body));
      response.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.length });
      if (this.faults.cutOff && status === 200) {
        response.write(bytes.subarray(0, bytes.length / 2));
        response.destroy();
      } else response.end(bytes);
    });
  });

  /** @param file a dump of Django, as of `manage.py dumpdata`; without it there are no objects */
  static async start(file: string, token = 'token'): Promise<NetBoxServer> {
    const server = new NetBoxServer(token);
    const dumped = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Dumped[]) : [];
    for (const { model, pk, fields } of dumped) server.table(model).set(pk, fields);
    await new Promise<void>((resolve) => server.server.listen(0, '127.0.0.1', resolve));
    server.origin = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
    return server;
  }

  private constructor(private readonly token: string) {}

  table(model: string): Map<number, Fields> {
    let table = this.objects.get(model);
    if (!table) this.objects.set(model, (table = new Map()));
    return table;
  }

  /** Changes an object as a user of NetBox would. */
  edit(model: string, pk: number, changes: Fields): void {
    Object.assign(this.table(model).get(pk)!, changes, { last_updated: new Date().toISOString() });
  }

  /** Creates an object. @returns its id */
  create(model: string, fields: Fields): string {
    const pk = ++this.created;
    this.table(model).set(pk, { ...fields, last_updated: new Date().toISOString() });
    return String(pk);
  }

  /** Answers everything with a fault. */
  fail(fault: SourceFault | undefined): void {
    this.faults = {
      ...((fault === 'error' || fault === 'unauthorized') && { status: fault === 'error' ? 500 : 403, all: true }),
      cutOff: fault === 'cut_off',
      html: fault === 'not_json',
    };
  }

  /** Answers so many lists, and then every one with a status. */
  failAfter(lists: number, status = 500): void {
    this.lists = 0;
    this.faults = { after: lists, status };
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private answer(
    method: string,
    url: URL,
    authorization: string | undefined,
    text: string,
  ): { status: number; body: unknown } {
    this.requests[method] = (this.requests[method] ?? 0) + 1;
    if (authorization !== `Token ${this.token}`) return { status: 403, body: { detail: 'Invalid token' } };
    if (this.faults.all) return { status: this.faults.status ?? 500, body: { detail: 'fault' } };
    if (url.pathname === '/api/status/') return { status: 200, body: { 'netbox-version': '3.6.0' } };
    const [, app, kind, id] = /^\/api\/([^/]+)\/([^/]+)\/(?:(\d+)\/)?$/.exec(url.pathname) ?? [];
    const model = Object.entries(ENDPOINTS).find(([, path]) => path === `${app}/${kind}`)?.[0];
    if (model === undefined) return { status: 404, body: { detail: 'Not found.' } };
    if (id !== undefined) {
      const fields = this.table(model).get(Number(id));
      if (!fields) return { status: 404, body: { detail: 'Not found.' } };
      if (method === 'PATCH') this.edit(model, Number(id), JSON.parse(text) as Fields);
      return { status: 200, body: this.show(model, Number(id)) };
    }
    this.lists += 1;
    const { after, status = 500 } = this.faults;
    if (after !== undefined && this.lists > after) return { status, body: { detail: 'fault' } };
    return { status: 200, body: this.list(model, url) };
  }

  private list(model: string, url: URL): unknown {
    const limit = Math.min(Number(url.searchParams.get('limit') ?? 50), 1_000);
    const offset = Number(url.searchParams.get('offset') ?? 0);
    const since = url.searchParams.get('last_updated__gte');
    const ids = url.searchParams.getAll('id').map(Number);
    const after = Number(url.searchParams.get('id__gt') ?? -1);
    const pks = [...this.table(model)]
      .filter(
        ([pk, fields]) =>
          pk > after &&
          (since === null || String(fields['last_updated']) >= since) &&
          (ids.length === 0 || ids.includes(pk)),
      )
      .map(([pk]) => pk)
      .sort((a, b) => a - b);
    const isLast = offset + limit >= pks.length;
    const next = isLast ? null : `${this.origin}${url.pathname}?limit=${limit}&offset=${offset + limit}`;
    return {
      count: pks.length,
      next,
      previous: null,
      results: pks.slice(offset, offset + limit).map((pk) => this.show(model, pk)),
    };
  }

  /** An object as the REST API shows it: foreign keys as nested objects, choices with labels. */
  private show(model: string, pk: number): Fields {
    const fields = this.table(model).get(pk)!;
    const shown: Fields = { id: pk, url: `${this.origin}/api/x/${pk}/`, display: this.displayOf(fields, pk) };
    for (const [key, value] of Object.entries(fields)) {
      if (key.startsWith('_') || key === this.hidden) continue;
      if (key === 'custom_field_data') shown['custom_fields'] = value;
      else if (CHOICES.has(key) && typeof value === 'string') shown[key] = { value, label: value };
      else shown[key] = this.nested(KEYS[`${model}.${key}`] ?? KEYS[key], value);
    }
    return shown;
  }

  /** As NetBox names an object; a device without a name by its type. */
  private displayOf(fields: Fields, pk: number): string {
    if (typeof fields['name'] === 'string') return fields['name'];
    const type = this.table('dcim.devicetype').get(Number(fields['device_type']));
    return type ? `${String(type['model'])} (${pk})` : String(pk);
  }

  private nested(model: string | undefined, value: unknown): unknown {
    if (model === undefined || typeof value !== 'number') return value;
    const fields = this.table(model).get(value);
    // Keys of the dump may name objects that it does not have.
    if (!fields) return null;
    const name = fields['name'] ?? fields['model'] ?? String(value);
    return {
      id: value,
      url: `${this.origin}/api/x/${value}/`,
      display: name,
      name,
      model: fields['model'],
      slug: fields['slug'],
    };
  }
}
