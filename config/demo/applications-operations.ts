import { applicationRows, type Application } from './application-row.js';
import { from, to, type Row } from './model.js';

/** What plans and runs trains, and keeps vehicles and tracks. */
const applications: Record<string, Application> = {
  'Timetable Studio': {
    is: 'Constructs the yearly timetable and every change of it.',
    alias: 'TTS', product: 'Railwright Plan', hosting: 'onPremise', criticality: 'missionCritical', functional: 'appropriate', technical: 'adequate',
    time: 'invest', cost: 620_000, users: 74, since: '2014-12-14', capabilities: ['Timetable Construction', 'Engineering Works Timetabling'],
    masters: ['Timetable', 'Train Path'], reads: ['Possession', 'Demand Forecast'],
    runsOn: ['Oracle Database 19c', 'VMware vSphere', 'Windows Server 2022'], by: ['Railwright Software'], owner: 'Timetable Planning',
    contexts: ['Plan to Run'], people: ['IS', 'AP'],
  },
  'Path Exchange': {
    is: 'Orders paths from neighbouring networks by the European message standard.',
    hosting: 'paas', criticality: 'businessCritical', functional: 'appropriate', technical: 'fullyAppropriate', time: 'invest', cost: 140_000,
    users: 22, since: '2021-06-01', capabilities: ['Path Ordering'], masters: ['Train Path'], reads: ['Timetable'],
    runsOn: ['Amazon EKS', 'PostgreSQL 17', 'Java 21'], by: ['Product Engineering'], owner: 'Timetable Planning', contexts: ['Plan to Run'],
    people: ['IS', 'AP'],
  },
  'Publication Hub': {
    is: 'Publishes timetables as NeTEx, GTFS and HAFAS files.',
    hosting: 'paas', criticality: 'businessCritical', functional: 'perfect', technical: 'fullyAppropriate', time: 'invest', cost: 90_000, users: 9,
    since: '2022-03-01', capabilities: ['Timetable Publication'], reads: ['Timetable'], runsOn: ['Amazon EKS', 'AWS S3', 'Java 21'],
    by: ['Product Engineering'], owner: 'Timetable Planning', platform: 'Passenger Information Platform', people: ['IS', 'AP'],
  },
  'Rotation Planner': {
    is: 'Plans rotations of vehicles, depot by depot.',
    product: 'Railwright Fleet', hosting: 'onPremise', criticality: 'businessCritical', functional: 'appropriate', technical: 'adequate',
    time: 'tolerate', cost: 210_000, users: 31, since: '2016-05-01', capabilities: ['Vehicle Rotation Planning'], masters: ['Vehicle Rotation'],
    reads: ['Timetable', 'Vehicle'], runsOn: ['Oracle Database 19c', 'VMware vSphere'], by: ['Railwright Software'], owner: 'Timetable Planning',
    users_in: ['Depot Sedgeford', 'Depot Port Wexley'], contexts: ['Plan to Run'],
  },
  'CrewPlan': {
    is: 'Cuts duties and rosters drivers and conductors.',
    product: 'Railwright Crew', hosting: 'onPremise', criticality: 'missionCritical', functional: 'insufficient', technical: 'inappropriate',
    time: 'migrate', cost: 480_000, users: 120, since: '2009-04-01', until: '2028-03-31', capabilities: ['Rostering', 'Duty Planning'],
    masters: ['Duty', 'Roster'], reads: ['Timetable', 'Employee', 'Driver Qualification'],
    runsOn: ['Oracle Database 19c', 'Windows Server 2012 R2', 'Java 8'], by: ['Railwright Software'], owner: 'Crew Planning',
    users_in: ['Train Drivers', 'On-board Services'], contexts: ['Plan to Run', 'Hire to Retire'], people: ['HW', 'AP'],
  },
  'Crew Companion': {
    is: 'App of drivers and conductors: duties, documents, swaps.',
    hosting: 'paas', criticality: 'businessCritical', functional: 'appropriate', technical: 'fullyAppropriate', time: 'invest', cost: 160_000,
    users: 1950, since: '2024-10-01', capabilities: ['Rostering', 'Train Preparation'], reads: ['Roster', 'Duty', 'Disruption'],
    runsOn: ['Flutter', 'Amazon EKS', 'Keycloak'], by: ['Product Engineering', 'Halden Digital'], owner: 'Crew Planning',
    users_in: ['Train Drivers', 'On-board Services'], people: ['HW', 'EV'],
  },
  'Control Centre': {
    is: 'Supervises trains on own track and sets routes.',
    alias: 'TMS', product: 'Signet Traffic', hosting: 'onPremise', criticality: 'missionCritical', functional: 'appropriate', technical: 'adequate',
    time: 'tolerate', cost: 1_350_000, users: 96, since: '2012-09-01', capabilities: ['Train Supervision', 'Route Setting', 'Conflict Resolution'],
    masters: ['Train Run', 'Control Command'], reads: ['Timetable', 'Possession', 'Train Position'],
    runsOn: ['Red Hat OpenShift', 'Electronic Interlockings', 'IBM MQ', 'OT Data Diode'], by: ['Signet Control Systems'],
    owner: 'Network Operations Centre', users_in: ['Region North'], contexts: ['Run to Recover'], platform: 'Train Control Platform',
    people: ['HW', 'PW'],
  },
  'Disruption Desk': {
    is: 'One picture of every incident: decisions, tasks, messages.',
    hosting: 'paas', criticality: 'missionCritical', functional: 'appropriate', technical: 'fullyAppropriate', time: 'invest', cost: 230_000,
    users: 180, since: '2023-05-15', capabilities: ['Incident Coordination', 'Vehicle and Crew Dispatching', 'Replacement Transport'],
    masters: ['Disruption'], reads: ['Train Run', 'Weather Forecast', 'Roster'], runsOn: ['Amazon EKS', 'PostgreSQL 17', 'Apache Kafka'],
    by: ['Product Engineering'], owner: 'Network Operations Centre', users_in: ['Region Coast', 'Region Valley', 'Region Metro'],
    contexts: ['Run to Recover'], people: ['HW', 'AP'],
  },
  'Dispatch Advisor': {
    is: 'Proposes new rotations and duties in disruptions.',
    hosting: 'paas', criticality: 'businessOperational', functional: 'insufficient', technical: 'adequate', time: 'invest', cost: 120_000, users: 36,
    since: '2025-09-01', ai: true, capabilities: ['Vehicle and Crew Dispatching', 'Conflict Resolution'],
    reads: ['Train Run', 'Vehicle Rotation', 'Roster', 'Disruption'], runsOn: ['Databricks', 'Amazon EKS'], by: ['Data Science Team'],
    owner: 'Network Operations Centre', contexts: ['Run to Recover'], platform: 'Data and AI Platform', people: ['HW', 'LC'],
  },
  'Train Tracker': {
    is: 'Positions of all trains from satellites and track circuits.',
    hosting: 'paas', criticality: 'missionCritical', functional: 'perfect', technical: 'fullyAppropriate', time: 'invest', cost: 130_000, users: 400,
    since: '2020-11-01', capabilities: ['Train Supervision', 'Real-time Information'], masters: ['Train Position'],
    runsOn: ['Amazon EKS', 'Apache Kafka', 'Mosquitto MQTT Broker', 'TimescaleDB'], by: ['Product Engineering'], owner: 'Network Operations Centre',
    platform: 'Connected Train', people: ['HW', 'EV'],
  },
  'Driver Advisory': {
    is: 'Advises speed on the driver’s tablet.',
    product: 'EcoDrive', hosting: 'saas', criticality: 'businessOperational', functional: 'appropriate', technical: 'adequate', time: 'tolerate',
    cost: 95_000, users: 1390, since: '2019-02-01', capabilities: ['Driver Assistance'], reads: ['Timetable', 'Train Position', 'Energy Reading'],
    runsOn: ['Train Wi-Fi and LTE Router'], by: ['Siemens Mobility'], owner: 'Train Drivers', platform: 'Connected Train',
  },
  'Delay Ledger': {
    is: 'Gives every minute of delay a cause; basis of penalties.',
    hosting: 'onPremise', criticality: 'businessCritical', functional: 'appropriate', technical: 'inappropriate', time: 'migrate', cost: 75_000,
    users: 140, since: '2011-01-01', until: '2027-12-31', capabilities: ['Delay Attribution', 'Punctuality Reporting'], masters: ['Delay Cause'],
    reads: ['Train Run'], runsOn: ['PostgreSQL 13', 'Java 8', 'VMware vSphere'], by: ['Product Engineering'], owner: 'Network Operations Centre',
    users_in: ['Region North', 'Region Coast', 'Region Valley', 'Region Metro'], contexts: ['Contract to Settlement'], people: ['HW', 'AP'],
  },
  'Yard Master': {
    is: 'Tracks and shunting moves in depots and yards.',
    product: 'YardView', hosting: 'onPremise', criticality: 'businessOperational', functional: 'insufficient', technical: 'inappropriate',
    time: 'eliminate', cost: 60_000, users: 45, since: '2007-03-01', until: '2027-06-30', capabilities: ['Shunting'],
    reads: ['Vehicle Rotation', 'Wagon'], runsOn: ['.NET Framework 4.8', 'Windows Server 2012 R2'], by: ['Signet Control Systems'],
    owner: 'Depot Port Wexley', users_in: ['Freight Operations'],
  },
  'Fleet Register': {
    is: 'Vehicles with configuration, approvals and papers.',
    hosting: 'onPremise', criticality: 'businessCritical', functional: 'appropriate', technical: 'inappropriate', time: 'migrate', cost: 85_000,
    users: 160, since: '2010-06-01', until: '2028-12-31', capabilities: ['Vehicle Configuration Management', 'Fleet Renewal'], masters: ['Vehicle'],
    runsOn: ['Microsoft SQL Server 2019', '.NET Framework 4.8'], by: ['Product Engineering'], owner: 'Rolling Stock Engineering',
    contexts: ['Fault to Fit'], people: ['JN', 'YT'],
  },
  'SAP EAM': {
    is: 'Maintenance orders, parts and labour of vehicles and tracks.',
    product: 'SAP S/4HANA Asset Management', hosting: 'hybrid', criticality: 'missionCritical', functional: 'appropriate',
    technical: 'fullyAppropriate', time: 'invest', cost: 720_000, users: 980, since: '2021-10-01',
    capabilities: ['Maintenance Planning', 'Workshop Execution', 'Parts Planning', 'Asset Register Keeping'],
    masters: ['Maintenance Order', 'Spare Part', 'Track Asset'], reads: ['Vehicle', 'Vehicle Fault', 'Inspection Result'],
    runsOn: ['SAP HANA', 'AWS EC2', 'Red Hat Enterprise Linux'], by: ['SAP', 'Northbridge Consulting'], owner: 'Fleet and Maintenance',
    users_in: ['Infrastructure'], contexts: ['Fault to Fit'], platform: 'ERP Core', replaces: ['Workshop Manager'], people: ['JN', 'SM'],
  },
  'Workshop Manager': {
    is: 'Orders of the component workshop; read only since 2024.',
    product: 'WerkPro 4', hosting: 'onPremise', criticality: 'administrative', functional: 'unreasonable', technical: 'unreasonable',
    time: 'eliminate', cost: 52_000, users: 18, since: '2003-01-01', until: '2026-12-31', capabilities: ['Component Overhaul'],
    reads: ['Maintenance Order'], runsOn: ['Windows Server 2012 R2', 'Microsoft SQL Server 2019'], by: ['Kestrel Systems'],
    owner: 'Component Workshop',
  },
  'Condition Watch': {
    is: 'Sensors of vehicles and switches: alarms and forecasts.',
    hosting: 'paas', criticality: 'businessCritical', functional: 'insufficient', technical: 'fullyAppropriate', time: 'invest', cost: 190_000,
    users: 65, since: '2024-02-01', ai: true, capabilities: ['Condition Monitoring', 'Maintenance Planning'],
    masters: ['Sensor Measurement', 'Vehicle Fault'], reads: ['Vehicle', 'Maintenance Order'],
    runsOn: ['Bearing Fault Model', 'InfluxDB', 'Mosquitto MQTT Broker', 'Amazon EKS'], by: ['Product Engineering', 'Data Science Team'],
    owner: 'Rolling Stock Engineering', users_in: ['Depot Sedgeford', 'Depot Port Wexley'], contexts: ['Fault to Fit'], platform: 'Connected Train',
    people: ['JN', 'LC'],
  },
  'Depot Board': {
    is: 'Who cleans, fills and repairs what, tonight.',
    hosting: 'paas', criticality: 'businessOperational', functional: 'appropriate', technical: 'adequate', time: 'tolerate', cost: 40_000,
    users: 310, since: '2020-01-01', capabilities: ['Cleaning and Servicing', 'Workshop Execution'],
    reads: ['Vehicle Rotation', 'Maintenance Order'], runsOn: ['Node.js', 'PostgreSQL 13', 'Docker Swarm Cluster'], by: ['Product Engineering'],
    owner: 'Depot Sedgeford', contexts: ['Fault to Fit'],
  },
  'Warehouse Scan': {
    is: 'Picking and counting by handheld.',
    product: 'SAP EWM', hosting: 'hybrid', criticality: 'businessOperational', functional: 'appropriate', technical: 'adequate', time: 'tolerate',
    cost: 110_000, users: 85, since: '2022-01-01', capabilities: ['Warehouse Management', 'Parts Planning'], reads: ['Spare Part', 'Purchase Order'],
    runsOn: ['SAP HANA', 'Conductor Handhelds'], by: ['SAP'], owner: 'Component Workshop', platform: 'ERP Core',
  },
  'Track Geometry Analyst': {
    is: 'Evaluates runs of the measuring train.',
    product: 'RailScan', hosting: 'onPremise', criticality: 'businessCritical', functional: 'appropriate', technical: 'adequate', time: 'tolerate',
    cost: 88_000, users: 24, since: '2017-07-01', capabilities: ['Track Inspection', 'Renewal Planning'], masters: ['Inspection Result'],
    reads: ['Track Asset', 'Geodata'], runsOn: ['VMware vSphere', 'HPE Nimble Storage', 'PostgreSQL 13'], by: ['Thales'],
    owner: 'Track and Civil Works', people: ['PW', 'YT'],
  },
  'Signal Asset Log': {
    is: 'Interlockings, balises and their software versions.',
    hosting: 'onPremise', criticality: 'businessCritical', functional: 'insufficient', technical: 'unreasonable', time: 'migrate', cost: 35_000,
    users: 40, since: '2005-01-01', until: '2027-12-31', capabilities: ['Signalling Maintenance'], masters: ['Signal Asset'],
    runsOn: ['Windows Server 2012 R2', 'Active Directory 2012'], by: ['Control Systems Engineering'], owner: 'Signalling and Telecoms',
    people: ['PW', 'YT'],
  },
  'Possession Planner': {
    is: 'Plans closures of track, and who may work inside.',
    hosting: 'paas', criticality: 'businessCritical', functional: 'appropriate', technical: 'fullyAppropriate', time: 'invest', cost: 115_000,
    users: 210, since: '2023-01-09', capabilities: ['Possession Planning', 'Engineering Works Timetabling'], masters: ['Possession'],
    reads: ['Timetable', 'Track Asset'], runsOn: ['Amazon EKS', 'PostgreSQL 17', 'Java 21'], by: ['Product Engineering'], owner: 'Infrastructure',
    users_in: ['Timetable Planning'], contexts: ['Plan to Run'], people: ['PW', 'AP'],
  },
  'GeoRail': {
    is: 'Maps of lines, assets and land.',
    product: 'ArcGIS Enterprise', hosting: 'iaas', criticality: 'businessOperational', functional: 'appropriate', technical: 'adequate',
    time: 'tolerate', cost: 98_000, users: 350, since: '2018-09-01', capabilities: ['Asset Register Keeping', 'Vegetation and Winter Service'],
    masters: ['Geodata'], runsOn: ['Azure Virtual Machines', 'Microsoft SQL Server 2019'], by: ['Esri'], owner: 'Infrastructure',
    users_in: ['Aldermoor Rail Property Ltd'],
  },
  'Power Control': {
    is: 'Switches substations and overhead line.',
    product: 'Signet Grid', hosting: 'onPremise', criticality: 'missionCritical', functional: 'perfect', technical: 'adequate', time: 'tolerate',
    cost: 540_000, users: 28, since: '2015-05-01', capabilities: ['Power Supply Control'], masters: ['Control Command'], reads: ['Energy Reading'],
    runsOn: ['Red Hat OpenShift', 'OT Data Diode', 'IBM MQ'], by: ['Signet Control Systems'], owner: 'Energy and Traction Power',
    platform: 'Train Control Platform', people: ['PW', 'VK'],
  },
  'Energy Ledger': {
    is: 'Meters current on board, buys and settles it.',
    hosting: 'paas', criticality: 'businessCritical', functional: 'appropriate', technical: 'adequate', time: 'tolerate', cost: 70_000, users: 26,
    since: '2019-01-01', capabilities: ['Energy Metering', 'Energy Procurement'], masters: ['Energy Reading'], reads: ['Train Run', 'Contract'],
    runsOn: ['InfluxDB', 'Amazon EKS', 'Power BI'], by: ['Product Engineering'], owner: 'Energy and Traction Power',
    contexts: ['Contract to Settlement'],
  },
  'Weather Watch': {
    is: 'Warnings along the lines, by kilometre and hour.',
    product: 'Meteo Rail', hosting: 'saas', criticality: 'businessOperational', functional: 'appropriate', technical: 'fullyAppropriate',
    time: 'tolerate', cost: 48_000, users: 130, since: '2021-10-01', capabilities: ['Vegetation and Winter Service', 'Incident Coordination'],
    masters: ['Weather Forecast'], runsOn: ['Kong Gateway'], by: ['Google'], owner: 'Network Operations Centre', users_in: ['Track and Civil Works'],
  },
  'Wagon Manager': {
    is: 'Freight wagons: where, whose, loaded with what.',
    hosting: 'onPremise', criticality: 'businessCritical', functional: 'insufficient', technical: 'inappropriate', time: 'migrate', cost: 130_000,
    users: 70, since: '2006-08-01', until: '2028-06-30', capabilities: ['Wagon Management', 'Dangerous Goods Handling'],
    masters: ['Wagon', 'Consignment'], reads: ['Freight Order', 'Train Run'], runsOn: ['Oracle Database 19c', 'WebSphere ESB', 'Java 8'],
    by: ['Kestrel Systems'], owner: 'Freight Operations', contexts: ['Order to Delivery'], people: ['RK', 'AP'],
  },
  'Freight Track and Trace': {
    is: 'Shows shippers where their goods are.',
    hosting: 'paas', criticality: 'businessOperational', functional: 'appropriate', technical: 'fullyAppropriate', time: 'invest', cost: 60_000,
    users: 640, since: '2023-11-01', capabilities: ['Consignment Tracking'], reads: ['Consignment', 'Train Position'],
    runsOn: ['Amazon EKS', 'Keycloak', 'Elasticsearch'], by: ['Product Engineering'], owner: 'Freight Sales', users_in: ['Freight Customers'],
    contexts: ['Order to Delivery'], people: ['RK', 'EV'],
  },
};

const REGIONS = ['North', 'Coast', 'Valley', 'Metro'];

/** Applications of which every region has an installation of its own, beside the track. */
const REGIONAL: Record<string, { is: string; runsOn: string[]; cost: number }> = {
  'Control Centre': { is: 'Regional control room', runsOn: ['Red Hat OpenShift', 'PowerEdge Servers'], cost: 85_000 },
  'Disruption Desk': { is: 'Screens and telephony of the regional desk', runsOn: ['Windows 11 Client', 'Amazon EKS'], cost: 12_000 },
  'Station Voice': { is: 'Announcements and displays', runsOn: ['Platform Displays', 'MPLS Backbone'], cost: 26_000 },
  'Machine Sales': { is: 'Ticket machines', runsOn: ['Ticket Vending Machines', 'MPLS Backbone'], cost: 58_000 },
  'Depot Board': { is: 'Board of the regional depot', runsOn: ['Docker Swarm Cluster', 'Windows 11 Client'], cost: 6_000 },
};

const deployments = Object.entries(REGIONAL).flatMap(([parent, { is, runsOn, cost }]) => REGIONS.map((region): Row => ({
  type: 'Application', name: `${parent} ${region}`, subtype: 'deployment', parent, description: `${is} of Region ${region}.`, lifecycle: { active: '2019-01-01' },
  attributes: { hostingType: 'onPremise', costTotalAnnual: cost, businessCriticality: 'businessCritical', timeModel: 'tolerate', technicalSuitability: 'adequate' },
  links: [...to('Application', 'ITComponent', runsOn), ...from('Organization', 'Application', [`Region ${region}`], { usageType: 'user' })],
})));

export const operationsApplications: Row[] = [...applicationRows(applications), ...deployments];
