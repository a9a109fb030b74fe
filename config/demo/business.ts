import { from, to, type Row } from './model.js';

type Maturity = 'initial' | 'managed' | 'defined' | 'measured' | 'optimized';
type Context = [name: string, subtype: 'valueStream' | 'customerJourney' | 'product' | 'service', maturity: Maturity, description: string, capabilities: string[], organizations: string[]];

export const contexts: Row[] = ([
  ['Plan to Run', 'valueStream', 'measured', 'From demand to a train that can depart.', ['Demand Forecasting', 'Path Ordering', 'Timetable Construction', 'Vehicle Rotation Planning', 'Duty Planning'], ['Timetable Planning', 'Crew Planning']],
  ['Run to Recover', 'valueStream', 'defined', 'From departure to arrival, whatever happens.', ['Train Supervision', 'Conflict Resolution', 'Incident Coordination', 'Vehicle and Crew Dispatching'], ['Network Operations Centre', 'Train Drivers']],
  ['Search to Travel', 'valueStream', 'defined', 'From wish to journey.', ['Journey Planning', 'Fare Management', 'Digital Sales', 'Ticket Inspection'], ['Passenger Services', 'Ticketing and Revenue']],
  ['Fault to Fit', 'valueStream', 'managed', 'From a fault to a vehicle that is fit for service.', ['Condition Monitoring', 'Maintenance Planning', 'Workshop Execution', 'Parts Planning'], ['Fleet and Maintenance']],
  ['Order to Delivery', 'valueStream', 'managed', 'From a shipper’s order to goods at their place.', ['Freight Quotation', 'Capacity Management', 'Wagon Management', 'Consignment Tracking'], ['Aldermoor Freight Ltd']],
  ['Contract to Settlement', 'valueStream', 'defined', 'From service contract to money.', ['Service Contract Planning', 'Delay Attribution', 'Grant and Contract Billing', 'Revenue Sharing'], ['Finance', 'Regional Transport Authority']],
  ['Purchase to Pay', 'valueStream', 'measured', 'From need to paid invoice.', ['Tendering', 'Supplier Management', 'Accounting'], ['Procurement', 'Finance']],
  ['Hire to Retire', 'valueStream', 'defined', 'From applicant to pensioner.', ['Recruiting', 'Learning and Development', 'Payroll', 'Competence Assurance'], ['People and Culture']],
  ['Idea to Service', 'valueStream', 'managed', 'From an idea to software in use.', ['Software Delivery', 'IT Service Operation', 'Enterprise Architecture Management'], ['Digital and IT']],
  ['Safe Railway', 'valueStream', 'defined', 'From hazard to measure.', ['Hazard and Risk Assessment', 'Occurrence Investigation', 'Information Security'], ['Safety and Security', 'Cyber Security']],
  ['Everyday Commute', 'customerJourney', 'defined', 'The same train, five days a week.', ['Real-time Information', 'Loyalty and Season Passes'], ['Region Metro', 'Region Valley']],
  ['Leisure Trip', 'customerJourney', 'managed', 'To the coast on Sunday, with bicycles.', ['Journey Planning', 'Digital Sales'], ['Region Coast']],
  ['Disrupted Journey', 'customerJourney', 'managed', 'The train does not come. What now?', ['Real-time Information', 'Replacement Transport', 'Compensation Handling'], ['Customer Care', 'Network Operations Centre']],
  ['Assisted Journey', 'customerJourney', 'initial', 'Travelling with a wheelchair, or without seeing.', ['Accessibility Information', 'Station Announcements'], ['Stations']],
  ['Regional Passenger Service', 'product', 'measured', 'Trains ordered by the transport authority.', ['Train Operations', 'Service Planning'], ['Passenger Services']],
  ['Season Pass', 'product', 'defined', 'A month or a year, on all lines.', ['Loyalty and Season Passes'], ['Ticketing and Revenue']],
  ['Container Shuttle', 'product', 'managed', 'Port Wexley to Sedgeford, six days a week.', ['Freight Transport'], ['Freight Sales']],
  ['Track Access', 'service', 'defined', 'Paths on own track for other operators.', ['Path Ordering', 'Traffic Management'], ['Infrastructure']],
] satisfies Context[]).map(([name, subtype, maturity, description, capabilities, organizations]) => ({
  type: 'BusinessContext', name, subtype, description, attributes: { maturity },
  links: [...to('BusinessContext', 'BusinessCapability', capabilities), ...from('Organization', 'BusinessContext', organizations)],
}));

interface Process {
  is: string; type: 'core' | 'support' | 'management'; maturity: Maturity; automation: 'manual' | 'partial' | 'full'; risk: 'low' | 'medium' | 'high' | 'critical';
  every: 'adHoc' | 'daily' | 'weekly' | 'monthly' | 'quarterly' | 'yearly' | 'continuous';
  for: string[]; with: string[]; on?: string[]; by: string; in?: string; after?: string[]; owner?: string;
}

/** Processes by group. */
const groups: Record<string, Record<string, Process>> = {
  'Plan Services': {
    'Forecast Demand': {
      is: 'Passengers per train, two weeks and two years ahead.',
      type: 'core', maturity: 'managed', automation: 'partial', risk: 'medium', every: 'monthly', for: ['Demand Forecasting'],
      with: ['Occupancy Forecast'], on: ['Passenger Count', 'Demand Forecast'], by: 'Timetable Planning', in: 'Plan to Run',
    },
    'Order Train Paths': {
      is: 'Yearly, and in between for changes.',
      type: 'core', maturity: 'measured', automation: 'partial', risk: 'high', every: 'daily', for: ['Path Ordering'],
      with: ['Path Exchange', 'Timetable Studio'], on: ['Train Path'], by: 'Timetable Planning', in: 'Plan to Run', after: ['Forecast Demand'],
      owner: 'IS',
    },
    'Construct the Timetable': {
      is: 'To the second, without conflict.',
      type: 'core', maturity: 'measured', automation: 'partial', risk: 'high', every: 'yearly', for: ['Timetable Construction'],
      with: ['Timetable Studio'], on: ['Timetable', 'Train Path'], by: 'Timetable Planning', in: 'Plan to Run', after: ['Order Train Paths'],
      owner: 'IS',
    },
    'Replan around Works': {
      is: 'Closures of track, weekend by weekend.',
      type: 'core', maturity: 'defined', automation: 'manual', risk: 'medium', every: 'weekly', for: ['Engineering Works Timetabling'],
      with: ['Timetable Studio', 'Possession Planner'], on: ['Possession', 'Timetable'], by: 'Timetable Planning', in: 'Plan to Run',
      after: ['Construct the Timetable'],
    },
    'Publish Timetables': {
      is: 'To channels, partners and national hubs.',
      type: 'core', maturity: 'optimized', automation: 'full', risk: 'medium', every: 'daily', for: ['Timetable Publication'],
      with: ['Publication Hub'], on: ['Timetable'], by: 'Timetable Planning', in: 'Plan to Run', after: ['Construct the Timetable'],
    },
    'Plan Rotations': {
      is: 'A vehicle for each train.',
      type: 'core', maturity: 'defined', automation: 'partial', risk: 'medium', every: 'weekly', for: ['Vehicle Rotation Planning'],
      with: ['Rotation Planner'], on: ['Vehicle Rotation'], by: 'Timetable Planning', in: 'Plan to Run', after: ['Construct the Timetable'],
    },
    'Roster Crews': {
      is: 'A crew for each train, four weeks ahead.',
      type: 'core', maturity: 'managed', automation: 'partial', risk: 'high', every: 'monthly', for: ['Rostering', 'Duty Planning'],
      with: ['CrewPlan', 'Crew Companion'], on: ['Duty', 'Roster'], by: 'Crew Planning', in: 'Plan to Run', after: ['Plan Rotations'], owner: 'HW',
    },
  },
  'Run Trains': {
    'Prepare a Train': {
      is: 'Check, heat, couple, log on.',
      type: 'core', maturity: 'defined', automation: 'manual', risk: 'high', every: 'daily', for: ['Train Preparation'],
      with: ['Crew Companion', 'Depot Board'], on: ['Vehicle'], by: 'Train Drivers', in: 'Run to Recover',
    },
    'Supervise Traffic': {
      is: 'See every train, act on conflicts.',
      type: 'core', maturity: 'measured', automation: 'partial', risk: 'critical', every: 'continuous',
      for: ['Train Supervision', 'Conflict Resolution'], with: ['Control Centre', 'Train Tracker'], on: ['Train Run', 'Train Position'],
      by: 'Network Operations Centre', in: 'Run to Recover', owner: 'HW',
    },
    'Manage a Disruption': {
      is: 'From the first call to the last train in its place.',
      type: 'core', maturity: 'managed', automation: 'partial', risk: 'critical', every: 'adHoc',
      for: ['Incident Coordination', 'Vehicle and Crew Dispatching'], with: ['Disruption Desk', 'Dispatch Advisor'], on: ['Disruption'],
      by: 'Network Operations Centre', in: 'Run to Recover', after: ['Supervise Traffic'], owner: 'HW',
    },
    'Order Replacement Buses': {
      is: 'By telephone, mostly.',
      type: 'core', maturity: 'initial', automation: 'manual', risk: 'medium', every: 'adHoc', for: ['Replacement Transport'],
      with: ['Disruption Desk'], on: ['Disruption'], by: 'Network Operations Centre', in: 'Disrupted Journey', after: ['Manage a Disruption'],
    },
    'Attribute Delays': {
      is: 'A cause for each minute.',
      type: 'core', maturity: 'measured', automation: 'partial', risk: 'medium', every: 'daily', for: ['Delay Attribution'], with: ['Delay Ledger'],
      on: ['Delay Cause', 'Train Run'], by: 'Network Operations Centre', in: 'Contract to Settlement', after: ['Supervise Traffic'],
    },
    'Control Traction Power': {
      is: 'Switch, watch, isolate for work.',
      type: 'core', maturity: 'optimized', automation: 'partial', risk: 'critical', every: 'continuous', for: ['Power Supply Control'],
      with: ['Power Control'], on: ['Control Command'], by: 'Energy and Traction Power', owner: 'PW',
    },
  },
  'Serve Passengers': {
    'Maintain Fares': {
      is: 'Products, prices and rules of all partners.',
      type: 'core', maturity: 'defined', automation: 'partial', risk: 'high', every: 'quarterly', for: ['Fare Management'], with: ['Fare Engine'],
      on: ['Fare'], by: 'Ticketing and Revenue', in: 'Search to Travel',
    },
    'Sell a Ticket': {
      is: 'In app, web, machine and counter.',
      type: 'core', maturity: 'measured', automation: 'full', risk: 'high', every: 'continuous', for: ['Digital Sales', 'Station Sales'],
      with: ['Ticket Core', 'Aldermoor App', 'Web Shop', 'Payment Hub'], on: ['Ticket', 'Payment'], by: 'Ticketing and Revenue',
      in: 'Search to Travel', after: ['Maintain Fares'], owner: 'DO',
    },
    'Inspect Tickets': {
      is: 'On board, with handhelds.',
      type: 'core', maturity: 'defined', automation: 'partial', risk: 'medium', every: 'continuous', for: ['Ticket Inspection'], with: ['Inspector'],
      on: ['Ticket'], by: 'On-board Services', in: 'Search to Travel', after: ['Sell a Ticket'],
    },
    'Inform Passengers': {
      is: 'One message, all channels.',
      type: 'core', maturity: 'managed', automation: 'partial', risk: 'high', every: 'continuous',
      for: ['Real-time Information', 'Station Announcements'], with: ['Info Composer', 'Station Voice', 'Journey Planner'],
      on: ['Disruption', 'Train Run'], by: 'Network Operations Centre', in: 'Disrupted Journey', owner: 'MF',
    },
    'Answer a Passenger': {
      is: 'Within a day.',
      type: 'core', maturity: 'defined', automation: 'partial', risk: 'low', every: 'continuous', for: ['Customer Service'],
      with: ['Case Desk', 'Contact Centre', 'Care Assistant'], on: ['Customer Case'], by: 'Customer Care', in: 'Disrupted Journey',
    },
    'Compensate a Delay': {
      is: 'By passenger rights, most by rule.',
      type: 'core', maturity: 'managed', automation: 'partial', risk: 'medium', every: 'daily', for: ['Compensation Handling'],
      with: ['Delay Refund', 'Case Desk'], on: ['Compensation Claim', 'Payment'], by: 'Customer Care', in: 'Disrupted Journey',
      after: ['Attribute Delays'],
    },
    'Share Revenue': {
      is: 'With eleven operators, every month.',
      type: 'core', maturity: 'managed', automation: 'full', risk: 'high', every: 'monthly', for: ['Revenue Sharing'], with: ['Revenue Clearing'],
      on: ['Ticket', 'Payment'], by: 'Ticketing and Revenue', in: 'Contract to Settlement', after: ['Sell a Ticket'], owner: 'GT',
    },
  },
  'Carry Freight': {
    'Quote a Transport': {
      is: 'Price and capacity within a day.',
      type: 'core', maturity: 'managed', automation: 'manual', risk: 'low', every: 'daily', for: ['Freight Quotation'], with: ['Freight CRM'],
      on: ['Freight Order'], by: 'Freight Sales', in: 'Order to Delivery',
    },
    'Dispatch Wagons': {
      is: 'The right wagons at the siding.',
      type: 'core', maturity: 'managed', automation: 'manual', risk: 'medium', every: 'daily', for: ['Wagon Management'],
      with: ['Wagon Manager', 'Yard Master'], on: ['Wagon', 'Consignment'], by: 'Freight Operations', in: 'Order to Delivery',
      after: ['Quote a Transport'], owner: 'RK',
    },
    'Declare Dangerous Goods': {
      is: 'Papers and placards.',
      type: 'core', maturity: 'defined', automation: 'partial', risk: 'critical', every: 'daily', for: ['Dangerous Goods Handling'],
      with: ['Wagon Manager'], on: ['Consignment'], by: 'Freight Operations', in: 'Order to Delivery',
    },
    'Track a Consignment': {
      is: 'For shippers, online.',
      type: 'core', maturity: 'defined', automation: 'full', risk: 'low', every: 'continuous', for: ['Consignment Tracking'],
      with: ['Freight Track and Trace'], on: ['Consignment', 'Train Position'], by: 'Freight Operations', in: 'Order to Delivery',
      after: ['Dispatch Wagons'],
    },
  },
  'Maintain Assets': {
    'Plan Vehicle Maintenance': {
      is: 'By time, distance and condition.',
      type: 'core', maturity: 'defined', automation: 'partial', risk: 'high', every: 'weekly', for: ['Maintenance Planning'],
      with: ['SAP EAM', 'Condition Watch'], on: ['Maintenance Order', 'Vehicle Fault'], by: 'Rolling Stock Engineering', in: 'Fault to Fit',
      owner: 'JN',
    },
    'Repair a Vehicle': {
      is: 'From fault to release.',
      type: 'core', maturity: 'defined', automation: 'manual', risk: 'high', every: 'daily', for: ['Workshop Execution'],
      with: ['SAP EAM', 'Depot Board'], on: ['Maintenance Order', 'Spare Part'], by: 'Depot Sedgeford', in: 'Fault to Fit',
      after: ['Plan Vehicle Maintenance'],
    },
    'Overhaul Components': {
      is: 'Bogies, brakes, couplers.',
      type: 'support', maturity: 'defined', automation: 'manual', risk: 'medium', every: 'weekly', for: ['Component Overhaul'], with: ['SAP EAM'],
      on: ['Maintenance Order'], by: 'Component Workshop', in: 'Fault to Fit',
    },
    'Supply Spare Parts': {
      is: 'Forecast, order, store, pick.',
      type: 'support', maturity: 'managed', automation: 'partial', risk: 'medium', every: 'daily', for: ['Parts Planning', 'Warehouse Management'],
      with: ['Warehouse Scan', 'SAP EAM'], on: ['Spare Part', 'Purchase Order'], by: 'Component Workshop', in: 'Fault to Fit',
    },
    'Inspect Tracks': {
      is: 'With the measuring train and on foot.',
      type: 'core', maturity: 'defined', automation: 'partial', risk: 'critical', every: 'monthly', for: ['Track Inspection'],
      with: ['Track Geometry Analyst'], on: ['Inspection Result', 'Track Asset'], by: 'Track and Civil Works', owner: 'PW',
    },
    'Maintain Signalling': {
      is: 'Interlockings, balises, axle counters.',
      type: 'core', maturity: 'defined', automation: 'manual', risk: 'critical', every: 'weekly', for: ['Signalling Maintenance'],
      with: ['Signal Asset Log', 'SAP EAM'], on: ['Signal Asset'], by: 'Signalling and Telecoms',
    },
    'Plan Possessions': {
      is: 'Which track is closed when, for whom.',
      type: 'core', maturity: 'managed', automation: 'partial', risk: 'high', every: 'weekly', for: ['Possession Planning'],
      with: ['Possession Planner'], on: ['Possession'], by: 'Infrastructure', in: 'Plan to Run',
    },
    'Buy and Settle Energy': {
      is: 'Markets, meters, invoices.',
      type: 'support', maturity: 'managed', automation: 'partial', risk: 'high', every: 'monthly', for: ['Energy Procurement', 'Energy Metering'],
      with: ['Energy Ledger'], on: ['Energy Reading', 'Invoice'], by: 'Energy and Traction Power', in: 'Contract to Settlement',
    },
  },
  'Manage the Company': {
    'Close the Books': {
      is: 'Five working days after the month.',
      type: 'support', maturity: 'optimized', automation: 'partial', risk: 'medium', every: 'monthly', for: ['Accounting'],
      with: ['SAP S/4HANA', 'Finance Warehouse'], on: ['Ledger Entry'], by: 'Finance', in: 'Purchase to Pay', owner: 'GT',
    },
    'Bill the Transport Authority': {
      is: 'By kilometre, seat and punctuality.',
      type: 'core', maturity: 'defined', automation: 'partial', risk: 'high', every: 'monthly', for: ['Grant and Contract Billing'],
      with: ['Contract Billing', 'SAP S/4HANA'], on: ['Invoice', 'Contract'], by: 'Finance', in: 'Contract to Settlement',
      after: ['Attribute Delays'],
    },
    'Plan the Budget': {
      is: 'Bottom up, then top down.',
      type: 'management', maturity: 'measured', automation: 'partial', risk: 'medium', every: 'yearly', for: ['Budgeting and Forecasting'],
      with: ['Planning Cockpit'], on: ['Budget'], by: 'Finance',
    },
    'Award a Contract': {
      is: 'Tender, evaluate, award.',
      type: 'support', maturity: 'defined', automation: 'partial', risk: 'medium', every: 'weekly', for: ['Tendering'],
      with: ['Tender Portal', 'SAP S/4HANA', 'Contract Archive'], on: ['Contract', 'Supplier'], by: 'Procurement', in: 'Purchase to Pay',
    },
    'Hire a Driver': {
      is: 'From application to first shift: eleven months.',
      type: 'support', maturity: 'managed', automation: 'partial', risk: 'high', every: 'weekly', for: ['Recruiting', 'Competence Assurance'],
      with: ['Workday', 'Licence to Drive'], on: ['Employee', 'Driver Qualification'], by: 'People and Culture', in: 'Hire to Retire', owner: 'NH',
    },
    'Pay Salaries': {
      is: 'By eleven collective agreements.',
      type: 'support', maturity: 'optimized', automation: 'full', risk: 'medium', every: 'monthly', for: ['Payroll'],
      with: ['Payroll Engine', 'Workday'], on: ['Payroll Record'], by: 'People and Culture', in: 'Hire to Retire', after: ['Roster Crews'],
    },
    'Investigate an Occurrence': {
      is: 'What happened, why, and what we change.',
      type: 'management', maturity: 'defined', automation: 'manual', risk: 'critical', every: 'adHoc', for: ['Occurrence Investigation'],
      with: ['Safety Log'], on: ['Safety Occurrence'], by: 'Safety and Security', in: 'Safe Railway', owner: 'OB',
    },
    'Respond to a Security Incident': {
      is: 'Detect, contain, recover, learn.',
      type: 'management', maturity: 'managed', automation: 'partial', risk: 'critical', every: 'adHoc',
      for: ['Information Security', 'Business Continuity'], with: ['Security Operations', 'IT Desk'], on: ['Security Event'], by: 'Cyber Security',
      in: 'Safe Railway',
    },
    'Deliver Software': {
      is: 'From backlog to production, in small steps.',
      type: 'support', maturity: 'managed', automation: 'partial', risk: 'medium', every: 'continuous', for: ['Software Delivery'],
      with: ['Code Forge', 'Team Board'], by: 'Software Engineering', in: 'Idea to Service',
    },
    'Resolve an IT Incident': {
      is: 'First line, second line, problem.',
      type: 'support', maturity: 'measured', automation: 'partial', risk: 'low', every: 'continuous', for: ['IT Service Operation'],
      with: ['IT Desk'], on: ['IT Service Ticket'], by: 'Service Desk', in: 'Idea to Service',
    },
    'Steer the Landscape': {
      is: 'Principles, roadmaps, decisions.',
      type: 'management', maturity: 'managed', automation: 'manual', risk: 'low', every: 'monthly', for: ['Enterprise Architecture Management'],
      with: ['Architecture Repository'], by: 'Enterprise Architecture', in: 'Idea to Service', owner: 'TB',
    },
  },
};

const PROCESS = 'BusinessProcess';

const processRow = (group: string, name: string, p: Process): Row => ({
  type: PROCESS, name, subtype: 'process', parent: group, description: p.is, lifecycle: { active: '2018-01-01' },
  attributes: { processType: p.type, maturity: p.maturity, automationLevel: p.automation, riskLevel: p.risk, frequency: p.every },
  links: [
    ...to(PROCESS, 'BusinessCapability', p.for, { supportType: 'leading' }), ...to(PROCESS, 'Application', p.with, { usageType: 'updates' }), ...to(PROCESS, 'DataObject', p.on, { create: true, read: true, update: true, delete: false }),
    ...to(PROCESS, 'Organization', [p.by]), ...to(PROCESS, 'BusinessContext', p.in === undefined ? [] : [p.in]), ...to(PROCESS, PROCESS, p.after),
  ],
  ...(p.owner !== undefined && { people: { process_owner: p.owner } }),
});

export const processes: Row[] = Object.entries(groups).flatMap(([group, all]): Row[] => [
  { type: PROCESS, name: group, subtype: 'group', attributes: { processType: group === 'Manage the Company' ? 'management' : 'core' } },
  ...Object.entries(all).map(([name, p]) => processRow(group, name, p)),
]);
