/** The tables and fields of the simulated instance: those of ServiceNow with these names, as far as tests need them. */

/** [name, label, internal_type, table of a reference]; `!` in front of the name: read only; `?` in front of the label: with choices. */
type FieldDefinition = readonly [string, string, string, string?];
interface TableDefinition {
  label: string;
  extends?: string;
  fields: readonly FieldDefinition[];
}

const SYSTEM: readonly FieldDefinition[] = [
  ['!sys_id', 'Sys ID', 'GUID'],
  ['!sys_created_on', 'Created', 'glide_date_time'],
  ['!sys_created_by', 'Created by', 'string'],
  ['!sys_updated_on', 'Updated', 'glide_date_time'],
  ['!sys_updated_by', 'Updated by', 'string'],
  ['!sys_mod_count', 'Updates', 'integer'],
];

export const TABLES: Readonly<Record<string, TableDefinition>> = {
  sys_db_object: {
    label: 'Table',
    fields: [
      ...SYSTEM,
      ['name', 'Name', 'string'],
      ['label', 'Label', 'string'],
      ['super_class', 'Extends table', 'reference', 'sys_db_object'],
    ],
  },
  sys_dictionary: {
    label: 'Dictionary Entry',
    fields: [
      ...SYSTEM,
      ['name', 'Table', 'string'],
      ['element', 'Column name', 'string'],
      ['column_label', 'Column label', 'string'],
      ['internal_type', 'Type', 'reference', 'sys_glide_object'],
      ['reference', 'Reference', 'reference', 'sys_db_object'],
      ['read_only', 'Read only', 'boolean'],
      ['active', 'Active', 'boolean'],
      ['choice', 'Choice', 'integer'],
    ],
  },
  cmn_department: {
    label: 'Department',
    fields: [
      ...SYSTEM,
      ['name', 'Name', 'string'],
      ['id', 'ID', 'string'],
      ['description', 'Description', 'string'],
      ['parent', 'Parent', 'reference', 'cmn_department'],
    ],
  },
  cmdb: {
    label: 'Base Configuration Item',
    fields: [
      ...SYSTEM,
      ['sys_class_name', 'Class', 'sys_class_name'],
      ['name', 'Name', 'string'],
      ['department', 'Department', 'reference', 'cmn_department'],
      ['install_date', 'Installed', 'glide_date_time'],
      ['cost', 'Cost', 'decimal'],
    ],
  },
  cmdb_ci: {
    label: 'Configuration Item',
    extends: 'cmdb',
    fields: [
      ['short_description', 'Description', 'string'],
      ['serial_number', 'Serial number', 'string'],
      ['correlation_id', 'Correlation ID', 'string'],
      ['operational_status', '?Operational status', 'integer'],
      ['monitor', 'Monitor', 'boolean'],
      ['related', 'Related', 'glide_list', 'cmdb_ci'],
    ],
  },
  cmdb_ci_hardware: {
    label: 'Hardware',
    extends: 'cmdb_ci',
    fields: [['warranty_expiration', 'Warranty', 'glide_date']],
  },
  cmdb_ci_computer: {
    label: 'Computer',
    extends: 'cmdb_ci_hardware',
    fields: [
      ['os_version', 'OS Version', 'string'],
      ['ram', 'RAM (MB)', 'integer'],
      ['!fqdn', 'Fully qualified domain name', 'string'],
    ],
  },
  cmdb_ci_server: {
    label: 'Server',
    extends: 'cmdb_ci_computer',
    fields: [
      ['used_for', '?Used for', 'string'],
      ['short_description', 'Purpose', 'string'],
    ],
  },
  cmdb_ci_linux_server: { label: 'Linux Server', extends: 'cmdb_ci_server', fields: [] },
  cmdb_ci_appl: { label: 'Application', extends: 'cmdb_ci', fields: [['version', 'Version', 'string']] },
};

/** Labels of choices by field. */
export const CHOICES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  operational_status: { '1': 'Operational', '2': 'Non-Operational', '6': 'Retired' },
  used_for: { Production: 'In production', Test: 'Under test' },
};

/** An entry of the dictionary. */
export interface Entry {
  name: string;
  element: string;
  column_label: string;
  internal_type: string;
  reference: string;
  read_only: string;
  active: string;
  choice: string;
}

/** The dictionary of a table. */
export const entriesOf = (name: string): Entry[] =>
  TABLES[name]!.fields.map(([element, label, internal_type, reference = '']) => ({
    name,
    element: element.replace('!', ''),
    column_label: label.replace('?', ''),
    internal_type,
    reference,
    read_only: String(element.startsWith('!')),
    active: 'true',
    choice: label.startsWith('?') ? '3' : '',
  }));
