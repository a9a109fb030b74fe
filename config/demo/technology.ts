import { known, succeeds, to, type Row } from './model.js';

/** Classes of technology; the second level is what components belong to. */
const categories: Record<string, [description: string, below: Record<string, string>]> = {
  'Compute and Hosting': ['Where software runs.', {
    'Public Cloud': 'Services of a hyperscaler, billed by use.', 'Virtualization': 'Virtual machines in own data centres.', 'Container Platforms': 'Clusters that run containers.',
    'Operating Systems': 'Server and client operating systems.', 'Server Hardware': 'Machines in racks, and those beside the track.',
  }],
  'Data and Storage': ['Where data is kept and moved.', {
    'Relational Databases': 'SQL databases.', 'Analytical Platforms': 'Warehouses, lakes and reporting.', 'Search and Time Series': 'Indexes of text and of measurements.', 'Messaging and Streaming': 'Queues and event logs.',
  }],
  'Integration and Development': ['What software is made and joined with.', {
    'API Management': 'Gateways and portals for interfaces.', 'Languages and Runtimes': 'What code is written in and run by.', 'Delivery Tooling': 'Source code, pipelines, packages.', 'Artificial Intelligence': 'Models and where they run.',
  }],
  'Networks and Security': ['What connects and protects.', {
    'Wide Area and Radio': 'Lines along the track and radio to the train.', 'Network Security': 'Firewalls and segmentation.', 'Identity': 'Who is who, and may what.', 'Monitoring': 'Logs, metrics, alarms.',
  }],
  'Operational Technology': ['What controls trains and power.', { 'Train Control Equipment': 'Interlockings, balises, on-board units.', 'Edge Devices': 'Computers on trains and platforms.' }],
};

export const techCategories: Row[] = Object.entries(categories).flatMap(([name, [description, below]]): Row[] => [
  { type: 'TechCategory', name, description },
  ...Object.entries(below).map(([child, says]): Row => ({ type: 'TechCategory', name: child, description: says, parent: name })),
]);

type Classification = 'standard' | 'phaseIn' | 'tolerated' | 'phaseOut' | 'declined';
type Fit = 'fullyAppropriate' | 'adequate' | 'inappropriate' | 'unreasonable';

interface Component {
  kind: 'software' | 'hardware' | 'saas' | 'paas' | 'iaas' | 'service' | 'aiModel';
  is: string;
  in: string;
  by: string;
  as: Classification;
  fit: Fit;
  /** Per year, in the currency of the workspace. */
  cost?: number;
  version?: string;
  licence?: string;
  since?: string;
  until?: string;
  platform?: string;
  replaces?: string[];
  owner?: string;
}

const components: Record<string, Component> = {
  'AWS EC2': { kind: 'iaas', is: 'Virtual machines of the landing zone in Frankfurt.', in: 'Public Cloud', by: 'Amazon Web Services', as: 'standard', fit: 'fullyAppropriate', cost: 640_000, licence: 'pay per use', since: '2019-04-01', platform: 'Cloud Foundation', owner: 'VK' },
  'AWS S3': { kind: 'paas', is: 'Objects: raw data, backups, documents.', in: 'Public Cloud', by: 'Amazon Web Services', as: 'standard', fit: 'fullyAppropriate', cost: 96_000, licence: 'pay per use', since: '2019-04-01', platform: 'Cloud Foundation' },
  'Amazon EKS': { kind: 'paas', is: 'Managed Kubernetes for own services.', in: 'Container Platforms', by: 'Amazon Web Services', as: 'standard', fit: 'fullyAppropriate', cost: 310_000, version: '1.31', since: '2021-02-01', platform: 'Cloud Foundation', replaces: ['Docker Swarm Cluster'], owner: 'VK' },
  'Docker Swarm Cluster': { kind: 'software', is: 'First container cluster; two services are left.', in: 'Container Platforms', by: 'Platform Engineering', as: 'phaseOut', fit: 'inappropriate', cost: 24_000, since: '2017-05-01', until: '2027-03-31' },
  'Red Hat OpenShift': { kind: 'software', is: 'Container platform in the control centre, apart from the internet.', in: 'Container Platforms', by: 'Red Hat', as: 'standard', fit: 'adequate', cost: 180_000, version: '4.16', licence: 'subscription', since: '2020-09-01', owner: 'VK' },
  'VMware vSphere': { kind: 'software', is: 'Virtual machines in both data centres.', in: 'Virtualization', by: 'Broadcom', as: 'tolerated', fit: 'adequate', cost: 420_000, version: '8.0', licence: 'subscription', since: '2012-01-01', owner: 'VK' },
  'Azure Virtual Machines': { kind: 'iaas', is: 'Second cloud, for workloads that come with Microsoft.', in: 'Public Cloud', by: 'Microsoft', as: 'tolerated', fit: 'adequate', cost: 140_000, licence: 'pay per use', since: '2021-06-01' },
  'Red Hat Enterprise Linux': { kind: 'software', is: 'Server system for all that is new.', in: 'Operating Systems', by: 'Red Hat', as: 'standard', fit: 'fullyAppropriate', cost: 88_000, version: '9', licence: 'subscription', since: '2016-01-01' },
  'Windows Server 2022': { kind: 'software', is: 'Server system where a vendor demands it.', in: 'Operating Systems', by: 'Microsoft', as: 'standard', fit: 'adequate', cost: 130_000, version: '2022', since: '2022-03-01', replaces: ['Windows Server 2012 R2'] },
  'Windows Server 2012 R2': { kind: 'software', is: 'Nine servers that no vendor will migrate; behind a firewall of their own.', in: 'Operating Systems', by: 'Microsoft', as: 'phaseOut', fit: 'unreasonable', cost: 45_000, version: '2012 R2', since: '2014-01-01', until: '2026-12-31' },
  'Windows 11 Client': { kind: 'software', is: 'Workplaces of 2,900 employees.', in: 'Operating Systems', by: 'Microsoft', as: 'standard', fit: 'fullyAppropriate', cost: 210_000, version: '24H2', since: '2023-09-01' },
  'PowerEdge Servers': { kind: 'hardware', is: '146 servers in two data centres.', in: 'Server Hardware', by: 'Dell Technologies', as: 'tolerated', fit: 'adequate', cost: 260_000, since: '2018-01-01', until: '2029-12-31' },
  'HPE Nimble Storage': { kind: 'hardware', is: 'Block storage for virtual machines.', in: 'Server Hardware', by: 'Hewlett Packard Enterprise', as: 'phaseOut', fit: 'inappropriate', cost: 110_000, since: '2016-06-01', until: '2027-06-30' },
  'IBM z15 Partition': { kind: 'iaas', is: 'Rented partition that settles revenue since 1998.', in: 'Server Hardware', by: 'Kestrel Systems', as: 'declined', fit: 'unreasonable', cost: 780_000, since: '1998-01-01', until: '2028-06-30', owner: 'TB' },
  'PostgreSQL 17': { kind: 'software', is: 'Standard database for own services.', in: 'Relational Databases', by: 'Platform Engineering', as: 'standard', fit: 'fullyAppropriate', cost: 32_000, version: '17', licence: 'open source', since: '2025-01-15', platform: 'Cloud Foundation', replaces: ['PostgreSQL 13'] },
  'PostgreSQL 13': { kind: 'software', is: 'Out of support; eleven databases are left.', in: 'Relational Databases', by: 'Platform Engineering', as: 'phaseOut', fit: 'inappropriate', cost: 12_000, version: '13', licence: 'open source', since: '2020-11-01', until: '2026-11-30' },
  'Oracle Database 19c': { kind: 'software', is: 'Database of bought applications.', in: 'Relational Databases', by: 'Oracle', as: 'tolerated', fit: 'adequate', cost: 560_000, version: '19c', licence: 'processor', since: '2019-10-01', until: '2029-12-31', owner: 'YT' },
  'Microsoft SQL Server 2019': { kind: 'software', is: 'Database of bought applications on Windows.', in: 'Relational Databases', by: 'Microsoft', as: 'tolerated', fit: 'adequate', cost: 190_000, version: '2019', licence: 'core', since: '2020-02-01', until: '2030-01-08' },
  'SAP HANA': { kind: 'software', is: 'Database below the ERP.', in: 'Relational Databases', by: 'SAP', as: 'standard', fit: 'fullyAppropriate', cost: 350_000, version: '2.0', licence: 'included', since: '2021-01-01', platform: 'ERP Core' },
  'IBM Db2 for z/OS': { kind: 'software', is: 'Database on the mainframe.', in: 'Relational Databases', by: 'Kestrel Systems', as: 'declined', fit: 'unreasonable', cost: 210_000, version: '12', since: '1998-01-01', until: '2028-06-30' },
  'Databricks': { kind: 'paas', is: 'Lakehouse of the data platform.', in: 'Analytical Platforms', by: 'Databricks', as: 'standard', fit: 'fullyAppropriate', cost: 270_000, licence: 'pay per use', since: '2022-05-01', platform: 'Data and AI Platform', owner: 'LC' },
  'Power BI': { kind: 'saas', is: 'Dashboards for everyone.', in: 'Analytical Platforms', by: 'Microsoft', as: 'standard', fit: 'adequate', cost: 74_000, licence: 'per user', since: '2020-01-01', platform: 'Data and AI Platform' },
  'SAP BW 7.5': { kind: 'software', is: 'Old warehouse of finance.', in: 'Analytical Platforms', by: 'SAP', as: 'phaseOut', fit: 'inappropriate', cost: 160_000, version: '7.5', since: '2011-01-01', until: '2027-12-31' },
  'Elasticsearch': { kind: 'software', is: 'Search in timetables, cases and logs.', in: 'Search and Time Series', by: 'Elastic', as: 'standard', fit: 'adequate', cost: 68_000, version: '8', since: '2019-01-01' },
  'InfluxDB': { kind: 'software', is: 'Measurements of vehicles and substations.', in: 'Search and Time Series', by: 'InfluxData', as: 'tolerated', fit: 'adequate', cost: 30_000, version: '2.7', since: '2020-06-01' },
  'TimescaleDB': { kind: 'software', is: 'Measurements beside relational data; to follow InfluxDB.', in: 'Search and Time Series', by: 'Platform Engineering', as: 'phaseIn', fit: 'fullyAppropriate', cost: 18_000, version: '2.17', licence: 'open source', since: '2025-09-01', replaces: ['InfluxDB'] },
  'Apache Kafka': { kind: 'software', is: 'Event log between operational systems.', in: 'Messaging and Streaming', by: 'Confluent', as: 'standard', fit: 'fullyAppropriate', cost: 190_000, version: '3.8', licence: 'subscription', since: '2020-03-01', platform: 'Integration Platform', owner: 'AP' },
  'IBM MQ': { kind: 'software', is: 'Queues of mainframe and control systems.', in: 'Messaging and Streaming', by: 'Kestrel Systems', as: 'tolerated', fit: 'adequate', cost: 92_000, version: '9.3', since: '2004-01-01', until: '2028-12-31' },
  'Mosquitto MQTT Broker': { kind: 'software', is: 'Messages from trains.', in: 'Messaging and Streaming', by: 'Platform Engineering', as: 'standard', fit: 'fullyAppropriate', cost: 8_000, version: '2', licence: 'open source', since: '2021-08-01', platform: 'Integration Platform' },
  'Kong Gateway': { kind: 'software', is: 'Gateway for all APIs, inside and out.', in: 'API Management', by: 'Kong', as: 'standard', fit: 'fullyAppropriate', cost: 120_000, version: '3', licence: 'subscription', since: '2021-10-01', platform: 'Integration Platform', replaces: ['WebSphere ESB'], owner: 'AP' },
  'WebSphere ESB': { kind: 'software', is: 'Service bus of the years before; 31 flows are left.', in: 'API Management', by: 'Kestrel Systems', as: 'phaseOut', fit: 'unreasonable', cost: 140_000, version: '7.5', since: '2009-01-01', until: '2026-12-31' },
  'SFTP Hub': { kind: 'service', is: 'Exchange of files with partners and banks.', in: 'API Management', by: 'Platform Engineering', as: 'tolerated', fit: 'adequate', cost: 15_000, since: '2010-01-01' },
  'Java 21': { kind: 'software', is: 'For services in the background.', in: 'Languages and Runtimes', by: 'Red Hat', as: 'standard', fit: 'fullyAppropriate', version: '21', licence: 'open source', since: '2024-01-01', replaces: ['Java 8'] },
  'Java 8': { kind: 'software', is: 'What older services need.', in: 'Languages and Runtimes', by: 'Oracle', as: 'phaseOut', fit: 'inappropriate', cost: 36_000, version: '8', since: '2014-06-01', until: '2026-12-31' },
  'Node.js': { kind: 'software', is: 'For services close to web and app.', in: 'Languages and Runtimes', by: 'Platform Engineering', as: 'standard', fit: 'fullyAppropriate', version: '22', licence: 'open source', since: '2018-01-01' },
  'Flutter': { kind: 'software', is: 'For apps on telephones and tablets.', in: 'Languages and Runtimes', by: 'Google', as: 'phaseIn', fit: 'fullyAppropriate', version: '3', licence: 'open source', since: '2024-06-01' },
  '.NET Framework 4.8': { kind: 'software', is: 'Desktop applications of depots.', in: 'Languages and Runtimes', by: 'Microsoft', as: 'tolerated', fit: 'inappropriate', version: '4.8', since: '2019-05-01', until: '2028-12-31' },
  'COBOL': { kind: 'software', is: '1.4 million lines that share revenue.', in: 'Languages and Runtimes', by: 'Kestrel Systems', as: 'declined', fit: 'unreasonable', cost: 120_000, since: '1998-01-01', until: '2028-06-30' },
  'GitLab': { kind: 'software', is: 'Source code and pipelines.', in: 'Delivery Tooling', by: 'GitLab', as: 'standard', fit: 'fullyAppropriate', cost: 58_000, version: '17', licence: 'per user', since: '2019-02-01' },
  'JFrog Artifactory': { kind: 'software', is: 'Packages and images.', in: 'Delivery Tooling', by: 'JFrog', as: 'standard', fit: 'adequate', cost: 34_000, version: '7', licence: 'subscription', since: '2020-01-01' },
  'Terraform': { kind: 'software', is: 'Infrastructure as code.', in: 'Delivery Tooling', by: 'HashiCorp', as: 'standard', fit: 'fullyAppropriate', cost: 22_000, version: '1.9', since: '2020-05-01' },
  'Azure OpenAI Service': { kind: 'aiModel', is: 'Language models for customer care and office.', in: 'Artificial Intelligence', by: 'Microsoft', as: 'phaseIn', fit: 'adequate', cost: 65_000, licence: 'pay per use', since: '2024-09-01', platform: 'Data and AI Platform' },
  'Bearing Fault Model': { kind: 'aiModel', is: 'Own model: predicts axle bearing faults from vibration.', in: 'Artificial Intelligence', by: 'Data Science Team', as: 'phaseIn', fit: 'adequate', cost: 20_000, version: '0.9', since: '2025-03-01', platform: 'Data and AI Platform', owner: 'LC' },
  'Passenger Demand Model': { kind: 'aiModel', is: 'Own model: forecasts passengers per train.', in: 'Artificial Intelligence', by: 'Data Science Team', as: 'standard', fit: 'adequate', cost: 16_000, version: '3.2', since: '2023-04-01', platform: 'Data and AI Platform' },
  'MPLS Backbone': { kind: 'service', is: 'Fibre along the track and rented lines.', in: 'Wide Area and Radio', by: 'Nokia', as: 'standard', fit: 'adequate', cost: 480_000, since: '2013-01-01', owner: 'VK' },
  'GSM-R Radio': { kind: 'service', is: 'Train radio; ends with the vendors’ support.', in: 'Wide Area and Radio', by: 'Nokia', as: 'tolerated', fit: 'adequate', cost: 620_000, since: '2007-01-01', until: '2032-12-31', platform: 'Train Control Platform', owner: 'PW' },
  'FRMCS Pilot Network': { kind: 'service', is: 'Successor of GSM-R on 5G; pilot between Northgate and Sedgeford.', in: 'Wide Area and Radio', by: 'Nokia', as: 'phaseIn', fit: 'adequate', cost: 240_000, since: '2026-05-01', platform: 'Train Control Platform', replaces: ['GSM-R Radio'], owner: 'PW' },
  'Train Wi-Fi and LTE Router': { kind: 'hardware', is: 'Connects every train to land; Wi-Fi for passengers.', in: 'Wide Area and Radio', by: 'Cisco', as: 'standard', fit: 'adequate', cost: 170_000, since: '2020-01-01', platform: 'Connected Train' },
  'Palo Alto Firewalls': { kind: 'hardware', is: 'Between office, control systems and internet.', in: 'Network Security', by: 'Palo Alto Networks', as: 'standard', fit: 'fullyAppropriate', cost: 130_000, since: '2019-07-01' },
  'OT Data Diode': { kind: 'hardware', is: 'Lets data out of control systems, and nothing in.', in: 'Network Security', by: 'Thales', as: 'standard', fit: 'fullyAppropriate', cost: 28_000, since: '2022-10-01' },
  'Microsoft Entra ID': { kind: 'saas', is: 'Identities of employees.', in: 'Identity', by: 'Microsoft', as: 'standard', fit: 'fullyAppropriate', cost: 115_000, licence: 'per user', since: '2020-02-01', replaces: ['Active Directory 2012'] },
  'Active Directory 2012': { kind: 'software', is: 'Domain of depots and control rooms.', in: 'Identity', by: 'Microsoft', as: 'phaseOut', fit: 'inappropriate', cost: 20_000, since: '2012-08-01', until: '2027-06-30' },
  'Keycloak': { kind: 'software', is: 'Identities of passengers and partners.', in: 'Identity', by: 'Red Hat', as: 'standard', fit: 'adequate', cost: 26_000, version: '26', licence: 'open source', since: '2021-11-01' },
  'Grafana Stack': { kind: 'software', is: 'Metrics, logs and traces of own services.', in: 'Monitoring', by: 'Grafana Labs', as: 'standard', fit: 'fullyAppropriate', cost: 40_000, version: '11', since: '2021-05-01' },
  'Splunk Enterprise': { kind: 'software', is: 'Security events.', in: 'Monitoring', by: 'Cisco', as: 'tolerated', fit: 'adequate', cost: 230_000, version: '9', licence: 'per volume', since: '2016-09-01', until: '2027-09-30' },
  'Electronic Interlockings': { kind: 'hardware', is: '37 interlockings on own track.', in: 'Train Control Equipment', by: 'Siemens Mobility', as: 'standard', fit: 'fullyAppropriate', cost: 890_000, since: '2006-01-01', platform: 'Train Control Platform', owner: 'PW' },
  'ETCS On-board Units': { kind: 'hardware', is: 'European train control on 140 vehicles.', in: 'Train Control Equipment', by: 'Alstom', as: 'phaseIn', fit: 'adequate', cost: 410_000, version: 'Baseline 3.6', since: '2023-01-01', platform: 'Train Control Platform' },
  'On-board Computer Gen 2': { kind: 'hardware', is: 'Joins doors, displays, counters and radio of a train.', in: 'Edge Devices', by: 'INIT', as: 'standard', fit: 'adequate', cost: 150_000, since: '2019-03-01', platform: 'Connected Train', replaces: ['On-board Computer Gen 1'] },
  'On-board Computer Gen 1': { kind: 'hardware', is: 'Diesel trains only; no updates any more.', in: 'Edge Devices', by: 'INIT', as: 'phaseOut', fit: 'unreasonable', cost: 60_000, since: '2008-01-01', until: '2027-12-31' },
  'Platform Displays': { kind: 'hardware', is: '1,960 displays at stations.', in: 'Edge Devices', by: 'Lumora Displays', as: 'standard', fit: 'adequate', cost: 120_000, since: '2015-01-01' },
  'Ticket Vending Machines': { kind: 'hardware', is: '412 machines.', in: 'Edge Devices', by: 'Scheidt & Bachmann', as: 'tolerated', fit: 'adequate', cost: 540_000, since: '2014-01-01', until: '2030-12-31' },
  'Conductor Handhelds': { kind: 'hardware', is: '900 handhelds for checking and selling.', in: 'Edge Devices', by: 'Zebra Technologies', as: 'standard', fit: 'adequate', cost: 95_000, since: '2021-01-01' },
};

export const itComponents: Row[] = Object.entries(components).map(([name, c]): Row => ({
  type: 'ITComponent', name, subtype: c.kind, description: c.is,
  lifecycle: known({ active: c.since, endOfLife: c.until }) as Record<string, string>,
  attributes: known({ resourceClassification: c.as, technicalSuitability: c.fit, costTotalAnnual: c.cost, version: c.version, licenseType: c.licence, hasAiFeatures: c.kind === 'aiModel' || undefined }),
  links: [
    ...to('ITComponent', 'TechCategory', [c.in]), ...to('ITComponent', 'Platform', c.platform === undefined ? [] : [c.platform]),
    { relation: 'providerToITComponent', type: 'Provider', name: c.by, incoming: true }, ...succeeds('ITComponent', c.replaces),
  ],
  ...(c.owner !== undefined && { people: { responsible: c.owner } }),
}));
