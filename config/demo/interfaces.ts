import { from, to, type Row } from './model.js';

type Way = 'api' | 'event' | 'file' | 'logical';
type Often = 'realTime' | 'hourly' | 'daily' | 'weekly' | 'monthly' | 'onDemand';
/** From whom, to whom (names of applications, "+" between several), how, how often, what, and by which component. */
type Line = [provider: string, consumers: string, way: Way, often: Often, data: string[], component: string, format?: string];

const lines: Line[] = [
  ['Timetable Studio', 'Rotation Planner+CrewPlan', 'file', 'daily', ['Timetable'], 'SFTP Hub', 'railML 2.4'],
  ['Timetable Studio', 'Publication Hub+Rail Data Platform', 'event', 'hourly', ['Timetable'], 'Apache Kafka', 'railML 3'],
  ['Timetable Studio', 'Control Centre', 'file', 'daily', ['Timetable', 'Train Path'], 'OT Data Diode', 'railML 2.4'],
  ['Path Exchange', 'Timetable Studio', 'api', 'realTime', ['Train Path'], 'Kong Gateway', 'TAF/TAP TSI'],
  ['Publication Hub', 'Journey Planner', 'file', 'daily', ['Timetable'], 'SFTP Hub', 'NeTEx'],
  ['Publication Hub', 'Aldermoor App+Web Shop', 'api', 'onDemand', ['Timetable'], 'Kong Gateway', 'GTFS'],
  ['Possession Planner', 'Timetable Studio+Control Centre', 'event', 'realTime', ['Possession'], 'Apache Kafka', 'JSON'],
  ['Rotation Planner', 'Depot Board+SAP EAM', 'api', 'hourly', ['Vehicle Rotation'], 'Kong Gateway', 'JSON'],
  ['Rotation Planner', 'Dispatch Advisor', 'event', 'realTime', ['Vehicle Rotation'], 'Apache Kafka', 'Avro'],
  ['CrewPlan', 'Crew Companion', 'api', 'realTime', ['Roster', 'Duty'], 'WebSphere ESB', 'SOAP'],
  ['CrewPlan', 'Payroll Engine', 'file', 'monthly', ['Roster'], 'SFTP Hub', 'CSV'],
  ['CrewPlan', 'Dispatch Advisor', 'file', 'hourly', ['Roster'], 'SFTP Hub', 'CSV'],
  ['Workday', 'CrewPlan+Licence to Drive', 'api', 'daily', ['Employee'], 'Kong Gateway', 'JSON'],
  ['Workday', 'Payroll Engine', 'file', 'daily', ['Employee'], 'SFTP Hub', 'CSV'],
  ['Workday', 'Identity Governance', 'api', 'hourly', ['Employee'], 'Kong Gateway', 'SCIM'],
  ['Licence to Drive', 'CrewPlan', 'file', 'daily', ['Driver Qualification'], 'WebSphere ESB', 'CSV'],
  ['Control Centre', 'Train Tracker', 'event', 'realTime', ['Train Run'], 'OT Data Diode', 'SIRI'],
  ['Control Centre', 'Delay Ledger', 'file', 'daily', ['Train Run'], 'IBM MQ', 'CSV'],
  ['Train Tracker', 'Info Composer+Disruption Desk', 'event', 'realTime', ['Train Position', 'Train Run'], 'Apache Kafka', 'Avro'],
  ['Train Tracker', 'Freight Track and Trace', 'api', 'realTime', ['Train Position'], 'Kong Gateway', 'JSON'],
  ['Train Tracker', 'Journey Planner+Aldermoor App', 'api', 'realTime', ['Train Position'], 'Kong Gateway', 'SIRI-ET'],
  ['Train Tracker', 'Rail Data Platform+Occupancy Forecast', 'event', 'realTime', ['Train Run'], 'Apache Kafka', 'Avro'],
  ['Disruption Desk', 'Info Composer', 'event', 'realTime', ['Disruption'], 'Apache Kafka', 'JSON'],
  ['Disruption Desk', 'Crew Companion+Case Desk', 'api', 'realTime', ['Disruption'], 'Kong Gateway', 'JSON'],
  ['Dispatch Advisor', 'Disruption Desk', 'api', 'onDemand', ['Vehicle Rotation', 'Roster'], 'Kong Gateway', 'JSON'],
  ['Weather Watch', 'Disruption Desk+Power Control', 'api', 'hourly', ['Weather Forecast'], 'Kong Gateway', 'JSON'],
  ['Info Composer', 'Station Voice', 'event', 'realTime', ['Disruption'], 'Apache Kafka', 'JSON'],
  ['Info Composer', 'Aldermoor App+Journey Planner', 'api', 'realTime', ['Disruption'], 'Kong Gateway', 'SIRI-SX'],
  ['Delay Ledger', 'Contract Billing', 'file', 'monthly', ['Delay Cause'], 'SFTP Hub', 'CSV'],
  ['Delay Ledger', 'Case Desk+Delay Refund', 'api', 'daily', ['Delay Cause'], 'WebSphere ESB', 'SOAP'],
  ['Fare Engine', 'Ticket Core+Machine Sales+Inspector', 'api', 'realTime', ['Fare'], 'Kong Gateway', 'JSON'],
  ['Fare Engine', 'TicketHost+Revenue Clearing', 'file', 'weekly', ['Fare'], 'IBM MQ', 'Fixed length'],
  ['Ticket Core', 'Aldermoor App+Web Shop+Inspector', 'api', 'realTime', ['Ticket', 'Season Pass'], 'Kong Gateway', 'JSON'],
  ['Ticket Core', 'Rail Data Platform', 'event', 'realTime', ['Ticket'], 'Apache Kafka', 'Avro'],
  ['Ticket Core', 'Revenue Clearing', 'file', 'daily', ['Ticket'], 'IBM MQ', 'Fixed length'],
  ['TicketHost', 'Revenue Clearing', 'logical', 'daily', ['Ticket'], 'IBM Db2 for z/OS'],
  ['Machine Sales', 'Ticket Core', 'api', 'realTime', ['Ticket', 'Payment'], 'MPLS Backbone', 'XML'],
  ['Payment Hub', 'Ticket Core+Delay Refund', 'api', 'realTime', ['Payment'], 'Kong Gateway', 'JSON'],
  ['Payment Hub', 'SAP S/4HANA', 'file', 'daily', ['Payment'], 'SFTP Hub', 'CAMT.053'],
  ['Customer Identity', 'Aldermoor App+Web Shop+Case Desk', 'api', 'realTime', ['Customer Account'], 'Keycloak', 'OpenID Connect'],
  ['Revenue Clearing', 'SAP S/4HANA', 'file', 'monthly', ['Invoice'], 'WebSphere ESB', 'IDoc'],
  ['Passenger Counter', 'Occupancy Forecast+Contract Billing', 'file', 'daily', ['Passenger Count'], 'Mosquitto MQTT Broker', 'CSV'],
  ['Occupancy Forecast', 'Journey Planner+Timetable Studio', 'api', 'hourly', ['Demand Forecast'], 'Kong Gateway', 'JSON'],
  ['Contract Billing', 'SAP S/4HANA', 'api', 'monthly', ['Invoice'], 'Kong Gateway', 'OData'],
  ['Condition Watch', 'SAP EAM', 'api', 'realTime', ['Vehicle Fault'], 'Kong Gateway', 'OData'],
  ['Condition Watch', 'Rail Data Platform', 'event', 'realTime', ['Sensor Measurement'], 'Apache Kafka', 'Avro'],
  ['Fleet Register', 'SAP EAM+Rotation Planner', 'file', 'daily', ['Vehicle'], 'WebSphere ESB', 'XML'],
  ['SAP EAM', 'Depot Board+Warehouse Scan', 'api', 'realTime', ['Maintenance Order', 'Spare Part'], 'Kong Gateway', 'OData'],
  ['SAP EAM', 'SAP S/4HANA', 'logical', 'realTime', ['Purchase Order'], 'SAP HANA'],
  ['Track Geometry Analyst', 'SAP EAM+GeoRail', 'file', 'monthly', ['Inspection Result'], 'SFTP Hub', 'CSV'],
  ['Energy Ledger', 'SAP S/4HANA+Driver Advisory', 'file', 'monthly', ['Energy Reading', 'Invoice'], 'SFTP Hub', 'CSV'],
  ['Wagon Manager', 'Freight Track and Trace+Yard Master', 'file', 'hourly', ['Consignment', 'Wagon'], 'WebSphere ESB', 'XML'],
  ['Freight CRM', 'Wagon Manager', 'api', 'realTime', ['Freight Order'], 'Kong Gateway', 'JSON'],
  ['SAP S/4HANA', 'Finance Warehouse+Planning Cockpit', 'logical', 'daily', ['Ledger Entry'], 'SAP HANA'],
  ['SAP S/4HANA', 'Rail Data Platform', 'file', 'daily', ['Ledger Entry'], 'AWS S3', 'Parquet'],
  ['Identity Governance', 'IT Desk+Access and Video', 'api', 'hourly', ['User Identity'], 'Microsoft Entra ID', 'SCIM'],
  ['Safety Log', 'Rail Data Platform', 'file', 'weekly', ['Safety Occurrence'], 'SFTP Hub', 'CSV'],
  ['Access and Video', 'Security Operations', 'event', 'realTime', ['Security Event'], 'Splunk Enterprise', 'Syslog'],
];

const INTERFACE = 'Interface';
const PROTOCOL: Record<Way, string> = { api: 'HTTPS', event: 'Kafka', file: 'SFTP', logical: 'in the database' };

export const interfaces: Row[] = lines.map(([provider, consumers, way, often, data, component, format]) => ({
  type: INTERFACE, name: `${provider}: ${data.join(' and ')} to ${consumers.split('+')[0]!}`, subtype: way, lifecycle: { active: '2021-01-01' },
  description: `${provider} gives ${data.join(' and ')} to ${consumers.split('+').join(', ')}.`,
  attributes: { frequency: often, protocol: PROTOCOL[way], ...(format !== undefined && { dataFormat: format }) },
  links: [
    ...from('Application', INTERFACE, [provider], { flowDirection: 'provides' }), ...from('Application', INTERFACE, consumers.split('+'), { flowDirection: 'consumes' }),
    ...to(INTERFACE, 'DataObject', data), ...to(INTERFACE, 'ITComponent', [component]),
  ],
}));
