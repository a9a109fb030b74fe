import type { FieldMap } from '../mappings/definition.js';
import { direct, externalId, fixed, reference, type Template, type TemplateMapping } from './definition.js';

const BY_EXTERNAL_ID = [{ target: 'external_id' }];

/** Racks of different sites often have the same name, and names of cards without a parent are unique. */
const RACK_NAME: FieldMap = {
  source: 'name',
  target: 'name',
  owner: 'cmdb',
  transform: { kind: 'template', template: '{name} ({site.name})' },
};
/** As in NetBox, names of devices are unique at a site. Devices may have no name. */
const DEVICE_NAME: FieldMap = {
  source: 'name',
  target: 'name',
  owner: 'cmdb',
  transform: {
    kind: 'expression',
    expression:
      'value != null && value != "" ? value + " (" + record.site.name + ")" : (has(record.device_type.model) ? record.device_type.model : "Device") + " (" + id + ")"',
  },
};

/** A table whose records are components. @param fields those of the name, and others */
const component = (
  name: string,
  table: string,
  prefix: string,
  subtype: string,
  relations: TemplateMapping['relations'],
  fields: TemplateMapping['fields'] = [direct('name', 'name')],
): TemplateMapping => ({
  name,
  table,
  card_type: 'ITComponent',
  fields: [...fields, direct('description', 'description'), externalId(prefix), fixed('subtype', subtype)],
  identity: BY_EXTERNAL_ID,
  relations,
});

/** Racks, devices, clusters and virtual machines are components; sites and tenants are organizations. */
export const netbox: Template = {
  key: 'netbox',
  title: 'NetBox',
  description:
    'Tenants and sites as organizations, providers as providers, and racks, clusters, devices and virtual machines as components.',
  connector: 'netbox',
  mappings: [
    {
      name: 'tenants',
      table: 'tenancy.tenants',
      card_type: 'Organization',
      fields: [
        direct('name', 'name'),
        direct('description', 'description'),
        externalId('netbox:tenant'),
        fixed('subtype', 'customer'),
      ],
      identity: BY_EXTERNAL_ID,
      relations: [],
    },
    {
      name: 'sites',
      table: 'dcim.sites',
      card_type: 'Organization',
      fields: [
        direct('name', 'name'),
        direct('description', 'description'),
        direct('physical_address', 'attributes.location'),
        externalId('netbox:site'),
        fixed('subtype', 'region'),
      ],
      identity: BY_EXTERNAL_ID,
      relations: [reference('tenant', 'tenancy.tenants', 'related', 'source')],
    },
    {
      name: 'providers',
      table: 'circuits.providers',
      card_type: 'Provider',
      fields: [
        direct('name', 'name'),
        direct('description', 'description'),
        externalId('netbox:provider'),
        fixed('subtype', 'vendor'),
      ],
      identity: BY_EXTERNAL_ID,
      relations: [],
    },
    component(
      'racks',
      'dcim.racks',
      'netbox:rack',
      'hardware',
      [
        reference('site', 'dcim.sites', 'organizationToITComponent', 'target'),
        reference('tenant', 'tenancy.tenants', 'organizationToITComponent', 'target'),
      ],
      [RACK_NAME],
    ),
    component('clusters', 'virtualization.clusters', 'netbox:cluster', 'iaas', [
      reference('site', 'dcim.sites', 'organizationToITComponent', 'target'),
      reference('tenant', 'tenancy.tenants', 'organizationToITComponent', 'target'),
    ]),
    component(
      'devices',
      'dcim.devices',
      'netbox:device',
      'hardware',
      [
        reference('rack', 'dcim.racks', 'parent', 'source'),
        reference('site', 'dcim.sites', 'organizationToITComponent', 'target'),
        reference('tenant', 'tenancy.tenants', 'organizationToITComponent', 'target'),
        reference('cluster', 'virtualization.clusters', 'related', 'source'),
      ],
      [DEVICE_NAME, direct('serial', 'alias')],
    ),
    component('virtual machines', 'virtualization.virtual-machines', 'netbox:vm', 'iaas', [
      reference('cluster', 'virtualization.clusters', 'parent', 'source'),
      reference('site', 'dcim.sites', 'organizationToITComponent', 'target'),
      reference('tenant', 'tenancy.tenants', 'organizationToITComponent', 'target'),
    ]),
  ],
};
