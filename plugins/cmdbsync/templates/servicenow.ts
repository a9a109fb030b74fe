import { direct, externalId, fixed, reference, type Template } from './definition.js';

const BY_EXTERNAL_ID = [{ target: 'external_id' }];

/** Departments, servers and applications of the CMDB of ServiceNow. */
export const servicenow: Template = {
  key: 'servicenow',
  title: 'ServiceNow',
  description:
    'Departments as organizations, servers as components, and applications as applications. The account reads sys_db_object and sys_dictionary too.',
  connector: 'servicenow',
  mappings: [
    {
      name: 'departments',
      table: 'cmn_department',
      card_type: 'Organization',
      fields: [
        direct('name', 'name'),
        direct('description', 'description'),
        externalId('servicenow', 'sys_id'),
        fixed('subtype', 'businessUnit'),
      ],
      identity: BY_EXTERNAL_ID,
      relations: [reference('parent', 'cmn_department', 'parent', 'source')],
    },
    {
      name: 'servers',
      table: 'cmdb_ci_server',
      card_type: 'ITComponent',
      fields: [
        direct('name', 'name'),
        direct('short_description', 'description'),
        direct('serial_number', 'alias'),
        direct('os_version', 'attributes.version'),
        externalId('servicenow', 'sys_id'),
        fixed('subtype', 'hardware'),
      ],
      identity: BY_EXTERNAL_ID,
      relations: [reference('department', 'cmn_department', 'organizationToITComponent', 'target')],
    },
    {
      name: 'applications',
      table: 'cmdb_ci_appl',
      card_type: 'Application',
      fields: [
        direct('name', 'name'),
        direct('short_description', 'description'),
        externalId('servicenow', 'sys_id'),
        fixed('subtype', 'deployment'),
      ],
      identity: BY_EXTERNAL_ID,
      relations: [reference('department', 'cmn_department', 'organizationToApplication', 'target')],
    },
  ],
};
