import { from, to, type Row } from './model.js';

interface Objective { is: string; kind: 'strategic' | 'tactical' | 'operational'; by: string; progress: number; kpi: string; capabilities: string[]; owner: string; below?: string; people?: string }

const objectiveRows: Record<string, Objective> = {
  'Most Reliable Regional Railway': {
    is: 'Nine in ten trains on time, in all seasons.',
    kind: 'strategic', by: '2029-12-31', progress: 45, kpi: 'Punctuality at 5 min: 91 %', capabilities: ['Train Operations', 'Vehicle Maintenance'],
    owner: 'Aldermoor Rail', people: 'HW',
  },
  'Recover from Disruptions in 60 Minutes': {
    is: 'From the end of an incident to the timetable.',
    kind: 'tactical', by: '2027-12-31', progress: 50, kpi: 'Median recovery: 60 min',
    capabilities: ['Disruption Management', 'Vehicle and Crew Dispatching'], owner: 'Operations', below: 'Most Reliable Regional Railway',
  },
  'Fewer Train Failures': {
    is: 'Find faults in the depot, not on the line.',
    kind: 'tactical', by: '2028-06-30', progress: 30, kpi: 'Failures per million km: 6.5',
    capabilities: ['Condition Monitoring', 'Maintenance Planning'], owner: 'Fleet and Maintenance', below: 'Most Reliable Regional Railway',
    people: 'JN',
  },
  'Crew for Every Train': {
    is: 'No train is cancelled for want of a driver.',
    kind: 'operational', by: '2027-06-30', progress: 60, kpi: 'Cancelled for crew: 0.1 %', capabilities: ['Rostering', 'Recruiting'],
    owner: 'Operations', below: 'Most Reliable Regional Railway',
  },
  'Easiest Journey in the Country': {
    is: 'Plan, pay, travel and be informed without thinking.',
    kind: 'strategic', by: '2030-12-31', progress: 40, kpi: 'Satisfaction: 82 of 100', capabilities: ['Passenger Journey'],
    owner: 'Passenger Services', people: 'DO',
  },
  'One Ticket for All Operators': {
    is: 'Any operator, one ticket, best price at the end of the day.',
    kind: 'tactical', by: '2028-12-10', progress: 25, kpi: 'Account-based journeys: 60 %', capabilities: ['Fare Management', 'Revenue Sharing'],
    owner: 'Ticketing and Revenue', below: 'Easiest Journey in the Country',
  },
  'Same Information Everywhere': {
    is: 'App, display and conductor say the same within 30 seconds.',
    kind: 'tactical', by: '2027-06-30', progress: 65, kpi: 'Consistent messages: 98 %',
    capabilities: ['Real-time Information', 'Station Announcements'], owner: 'Passenger Services', below: 'Easiest Journey in the Country',
    people: 'MF',
  },
  'Barrier-free Travel': {
    is: 'Everybody can plan and make a journey.',
    kind: 'operational', by: '2028-06-28', progress: 35, kpi: 'Barrier-free stations: 120', capabilities: ['Accessibility Information'],
    owner: 'Stations', below: 'Easiest Journey in the Country',
  },
  'Climate-neutral Trains': {
    is: 'No diesel from 2034 on.',
    kind: 'strategic', by: '2034-12-31', progress: 20, kpi: 'Diesel train-km: 0', capabilities: ['Traction Energy', 'Fleet Renewal'],
    owner: 'Aldermoor Rail', people: 'PW',
  },
  'Save a Tenth of Traction Energy': {
    is: 'By driving, by timetable, by feeding back.',
    kind: 'tactical', by: '2028-12-31', progress: 40, kpi: 'kWh per seat-km: −10 %', capabilities: ['Driver Assistance', 'Energy Metering'],
    owner: 'Energy and Traction Power', below: 'Climate-neutral Trains',
  },
  'Safe and Secure Railway': {
    is: 'No harm to people, no stop by attack.',
    kind: 'strategic', by: '2030-12-31', progress: 55, kpi: 'Serious occurrences: 0', capabilities: ['Safety Management', 'Security'],
    owner: 'Safety and Security', people: 'OB',
  },
  'Operational Technology Apart': {
    is: 'Control systems cannot be reached from the office.',
    kind: 'operational', by: '2027-12-31', progress: 45, kpi: 'Zones separated: 14 of 14', capabilities: ['Information Security'],
    owner: 'Cyber Security', below: 'Safe and Secure Railway',
  },
  'Sound Finances': {
    is: 'Costs per train-km below the contract’s index.',
    kind: 'strategic', by: '2029-12-31', progress: 50, kpi: 'Cost per train-km: 11.80', capabilities: ['Finance and Controlling'], owner: 'Finance',
    people: 'GT',
  },
  'Leave the Mainframe': {
    is: 'Nothing runs on the mainframe after June 2028.',
    kind: 'tactical', by: '2028-06-30', progress: 30, kpi: 'Programs left: 0', capabilities: ['Revenue Sharing', 'Software Delivery'],
    owner: 'Digital and IT', below: 'Sound Finances', people: 'TB',
  },
  'Fewer, Better Applications': {
    is: 'One application for one job.',
    kind: 'tactical', by: '2028-12-31', progress: 35, kpi: 'Applications to eliminate: 0', capabilities: ['Enterprise Architecture Management'],
    owner: 'Digital and IT', below: 'Sound Finances', people: 'TB',
  },
  'Freight that Pays': {
    is: 'Freight earns its cost of capital.',
    kind: 'strategic', by: '2029-12-31', progress: 15, kpi: 'Return on capital: 7 %', capabilities: ['Freight Services', 'Capacity Management'],
    owner: 'Aldermoor Freight Ltd', people: 'RK',
  },
  'Employer of Choice': {
    is: 'People come and stay.',
    kind: 'strategic', by: '2029-12-31', progress: 40, kpi: 'Turnover: 6 %', capabilities: ['People Management'], owner: 'People and Culture',
    people: 'NH',
  },
  'Decide by Data': {
    is: 'Every team has its figures by eight in the morning.',
    kind: 'tactical', by: '2027-12-31', progress: 55, kpi: 'Data products in use: 60', capabilities: ['Data and Analytics'], owner: 'Data Office',
    below: 'Sound Finances', people: 'LC',
  },
};

export const objectives: Row[] = Object.entries(objectiveRows).map(([name, o]) => ({
  type: 'Objective', name, subtype: o.kind, description: o.is, ...(o.below !== undefined && { parent: o.below }), lifecycle: { active: '2025-01-01', endOfLife: o.by },
  attributes: { targetDate: o.by, progress: o.progress, kpi: o.kpi },
  links: [...to('Objective', 'BusinessCapability', o.capabilities), ...from('Organization', 'Objective', [o.owner])],
  ...(o.people !== undefined && { people: { responsible: o.people } }),
}));

type PlatformRow = [name: string, subtype: 'digital' | 'technical', description: string, objectives: string[], owner: string];

export const platforms: Row[] = ([
  ['Cloud Foundation', 'technical', 'Accounts, networks and services of the first cloud.', ['Fewer, Better Applications'], 'VK'],
  ['Integration Platform', 'technical', 'Gateway, event log and message broker.', ['Fewer, Better Applications', 'Leave the Mainframe'], 'AP'],
  ['Data and AI Platform', 'technical', 'Data, reports and models.', ['Decide by Data'], 'LC'],
  ['Train Control Platform', 'technical', 'What sets routes and switches power.', ['Most Reliable Regional Railway', 'Operational Technology Apart'], 'PW'],
  ['Connected Train', 'digital', 'The train as a part of the network.', ['Fewer Train Failures', 'Save a Tenth of Traction Energy'], 'JN'],
  ['Ticketing Platform', 'digital', 'Fares, tickets, payments and accounts for all channels.', ['One Ticket for All Operators', 'Easiest Journey in the Country'], 'DO'],
  ['Passenger Information Platform', 'digital', 'Everything passengers are told.', ['Same Information Everywhere', 'Barrier-free Travel'], 'MF'],
  ['ERP Core', 'digital', 'Money, material and maintenance.', ['Sound Finances'], 'GT'],
  ['Digital Workplace', 'digital', 'What every employee works with.', ['Employer of Choice'], 'NH'],
] satisfies PlatformRow[]).map(([name, subtype, description, aims, owner]) => ({
  type: 'Platform', name, subtype, description, lifecycle: { active: '2022-01-01' }, links: to('Platform', 'Objective', aims), people: { responsible: owner },
}));
