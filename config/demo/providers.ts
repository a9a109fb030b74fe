import { known, type Row } from './model.js';

type Supplier = [name: string, description: string, website?: string, contractEnd?: string];

const of = (subtype: string, rows: Supplier[]): Row[] =>
  rows.map(([name, description, website, contractEnd]) => ({
    type: 'Provider',
    name,
    subtype,
    description,
    attributes: known({ website, contractEnd }),
  }));

/** Aldermoor Rail is fictional, and so are the contracts and their end dates. */
export const providers: Row[] = [
  ...of('vendor', [
    ['SAP', 'ERP, its database and maintenance of assets.', 'https://www.sap.com/', '2030-12-31'],
    ['Microsoft', 'Workplace, identities, second cloud.', 'https://www.microsoft.com/', '2027-06-30'],
    ['Amazon Web Services', 'First cloud.', 'https://aws.amazon.com/', '2028-03-31'],
    ['Oracle', 'Databases of bought applications.', 'https://www.oracle.com/', '2029-12-31'],
    [
      'Siemens Mobility',
      'Interlockings and electric multiple units.',
      'https://www.mobility.siemens.com/',
      '2034-12-31',
    ],
    ['Alstom', 'Battery trains and train control on board.', 'https://www.alstom.com/', '2031-12-31'],
    ['Thales', 'Axle counters and data diodes.', 'https://www.thalesgroup.com/', '2028-12-31'],
    ['Nokia', 'Train radio and backbone.', 'https://www.nokia.com/', '2032-12-31'],
    ['Cisco', 'Routers, switches, security events.', 'https://www.cisco.com/', '2027-09-30'],
    ['Salesforce', 'Customer cases and freight sales.', 'https://www.salesforce.com/', '2027-12-31'],
    ['ServiceNow', 'IT service management.', 'https://www.servicenow.com/', '2028-06-30'],
    ['Workday', 'People and pay.', 'https://www.workday.com/', '2029-03-31'],
    ['Esri', 'Geographic information.', 'https://www.esri.com/', '2027-12-31'],
    ['Red Hat', 'Linux, containers, identities of passengers.', 'https://www.redhat.com/', '2027-12-31'],
    ['Broadcom', 'Virtualization.', 'https://www.broadcom.com/', '2027-10-31'],
    ['Dell Technologies', 'Servers.', 'https://www.dell.com/', '2029-12-31'],
    ['Hewlett Packard Enterprise', 'Storage.', 'https://www.hpe.com/', '2027-06-30'],
    ['Palo Alto Networks', 'Firewalls.', 'https://www.paloaltonetworks.com/', '2028-07-31'],
    ['Elastic', 'Search.', 'https://www.elastic.co/', '2027-01-31'],
    ['Confluent', 'Event streaming.', 'https://www.confluent.io/', '2028-02-29'],
    ['Databricks', 'Lakehouse.', 'https://www.databricks.com/', '2027-05-31'],
    ['Kong', 'API gateway.', 'https://konghq.com/', '2027-10-31'],
    ['GitLab', 'Source code and pipelines.', 'https://about.gitlab.com/', '2027-02-28'],
    ['JFrog', 'Packages.', 'https://jfrog.com/', '2027-01-31'],
    ['HashiCorp', 'Infrastructure as code.', 'https://www.hashicorp.com/'],
    ['Grafana Labs', 'Observability.', 'https://grafana.com/', '2027-05-31'],
    ['InfluxData', 'Time series.', 'https://www.influxdata.com/', '2026-12-31'],
    ['Google', 'App framework and maps.', 'https://www.google.com/'],
    ['Atlassian', 'Tickets and wiki.', 'https://www.atlassian.com/', '2027-04-30'],
    ['Genesys', 'Contact centre.', 'https://www.genesys.com/', '2028-12-31'],
    ['Adyen', 'Payments in all channels.', 'https://www.adyen.com/', '2028-09-30'],
    ['INIT', 'Computers on board and their background system.', 'https://www.initse.com/', '2030-12-31'],
    ['Scheidt & Bachmann', 'Ticket machines.', 'https://www.scheidt-bachmann.de/', '2030-12-31'],
    ['Zebra Technologies', 'Handhelds.', 'https://www.zebra.com/', '2027-12-31'],
    ['Lumora Displays', 'Displays at stations.', undefined, '2029-06-30'],
    ['Railwright Software', 'Planning of timetables, vehicles and crews.', undefined, '2031-12-31'],
    ['Signet Control Systems', 'Control centre and power supply control.', undefined, '2033-12-31'],
  ]),
  ...of('partner', [
    ['Kestrel Systems', 'Runs the mainframe and all on it.', undefined, '2028-06-30'],
    ['Northbridge Consulting', 'System integrator for ERP and data.', undefined, '2027-12-31'],
    ['Halden Digital', 'Agency for app and web.', undefined, '2027-08-31'],
  ]),
  ...of('internal', [
    ['Platform Engineering', 'Own teams for cloud, databases and integration.'],
    ['Product Engineering', 'Own product teams.'],
    ['Data Science Team', 'Own models and analyses.'],
    ['Control Systems Engineering', 'Own engineers of operational technology.'],
  ]),
];
