import { from, known, succeeds, to, type Row } from './model.js';

interface Initiative {
  is: string; kind: 'idea' | 'program' | 'project' | 'epic'; status: 'onTrack' | 'atRisk' | 'offTrack' | 'onHold' | 'completed'; value: 'high' | 'medium' | 'low'; effort: 'high' | 'medium' | 'low';
  /** First and last day. */
  runs: [string, string];
  /** In the currency of the workspace. */
  budget: number; spent: number;
  below?: string; objectives?: string[]; capabilities?: string[]; applications?: string[]; components?: string[]; platforms?: string[]; data?: string[]; by?: string[]; sponsor?: string; manager?: string; follows?: string[];
}

/** What changes the landscape, on its way, done or only thought of. */
const initiativeRows: Record<string, Initiative> = {
  'Ticketing 2028': {
    is: 'Account-based ticketing with all operators; the mainframe ends.',
    kind: 'program', status: 'atRisk', value: 'high', effort: 'high', runs: ['2024-01-01', '2028-12-31'], budget: 24_000_000, spent: 9_400_000,
    objectives: ['One Ticket for All Operators', 'Leave the Mainframe'], platforms: ['Ticketing Platform'], sponsor: 'Ticketing and Revenue',
    manager: 'DO',
  },
  'Revenue Clearing Replacement': {
    is: 'Shares revenue without COBOL.',
    kind: 'project', status: 'atRisk', value: 'high', effort: 'high', runs: ['2025-04-01', '2028-03-31'], budget: 8_200_000, spent: 2_100_000,
    below: 'Ticketing 2028', capabilities: ['Revenue Sharing'], applications: ['Revenue Clearing'],
    components: ['IBM z15 Partition', 'COBOL', 'IBM Db2 for z/OS'], by: ['Northbridge Consulting', 'Kestrel Systems'], sponsor: 'Finance',
    manager: 'GT',
  },
  'TicketHost Switch-off': {
    is: 'Group travel moves to Ticket Core.',
    kind: 'project', status: 'onTrack', value: 'medium', effort: 'medium', runs: ['2025-09-01', '2027-12-31'], budget: 1_900_000, spent: 400_000,
    below: 'Ticketing 2028', applications: ['TicketHost', 'Ticket Core'], data: ['Ticket'], manager: 'DO',
  },
  'Check-in, Check-out': {
    is: 'The app notices where a journey begins and ends.',
    kind: 'project', status: 'onTrack', value: 'high', effort: 'medium', runs: ['2026-02-01', '2027-09-30'], budget: 3_400_000, spent: 300_000,
    below: 'Ticketing 2028', capabilities: ['Digital Sales'], applications: ['Aldermoor App', 'Fare Engine', 'Customer Identity'],
    by: ['Halden Digital'], manager: 'EV',
  },
  'New Ticket Machines': {
    is: 'Fewer machines, cards only in half of them.',
    kind: 'project', status: 'onHold', value: 'low', effort: 'high', runs: ['2027-01-01', '2030-06-30'], budget: 9_000_000, spent: 0,
    below: 'Ticketing 2028', applications: ['Machine Sales'], components: ['Ticket Vending Machines'], by: ['Scheidt & Bachmann'],
  },
  'Crew Planning Renewal': {
    is: 'A successor for CrewPlan, with wishes and fairness.',
    kind: 'project', status: 'offTrack', value: 'high', effort: 'high', runs: ['2025-01-01', '2028-03-31'], budget: 5_600_000, spent: 2_900_000,
    objectives: ['Crew for Every Train', 'Employer of Choice'], capabilities: ['Rostering', 'Duty Planning'],
    applications: ['CrewPlan', 'Crew Companion'], data: ['Roster', 'Duty'], by: ['Railwright Software'], sponsor: 'Operations', manager: 'HW',
  },
  'Operations of Tomorrow': {
    is: 'Decide faster, with one picture.',
    kind: 'program', status: 'onTrack', value: 'high', effort: 'high', runs: ['2023-01-01', '2027-12-31'], budget: 12_500_000, spent: 7_800_000,
    objectives: ['Recover from Disruptions in 60 Minutes', 'Most Reliable Regional Railway'], sponsor: 'Operations', manager: 'HW',
  },
  'Disruption Desk Roll-out': {
    is: 'All regions work with Disruption Desk.',
    kind: 'project', status: 'completed', value: 'high', effort: 'medium', runs: ['2023-05-01', '2025-06-30'], budget: 3_100_000, spent: 3_250_000,
    below: 'Operations of Tomorrow', capabilities: ['Incident Coordination'], applications: ['Disruption Desk'],
    sponsor: 'Network Operations Centre',
  },
  'Dispatch with AI': {
    is: 'Proposals in seconds; people decide.',
    kind: 'project', status: 'onTrack', value: 'high', effort: 'medium', runs: ['2025-01-01', '2026-12-31'], budget: 1_800_000, spent: 900_000,
    below: 'Operations of Tomorrow', capabilities: ['Vehicle and Crew Dispatching'], applications: ['Dispatch Advisor'],
    platforms: ['Data and AI Platform'], manager: 'LC', follows: ['Disruption Desk Roll-out'],
  },
  'Delay Ledger Renewal': {
    is: 'Causes proposed by rule, disputes settled online.',
    kind: 'project', status: 'onTrack', value: 'medium', effort: 'medium', runs: ['2026-03-01', '2027-12-31'], budget: 1_100_000, spent: 90_000,
    below: 'Operations of Tomorrow', capabilities: ['Delay Attribution'], applications: ['Delay Ledger'], data: ['Delay Cause'],
  },
  'Replacement Bus Desk': {
    is: 'Order buses as fast as trains fail.',
    kind: 'idea', status: 'onHold', value: 'medium', effort: 'low', runs: ['2027-01-01', '2027-12-31'], budget: 300_000, spent: 0,
    below: 'Operations of Tomorrow', capabilities: ['Replacement Transport'],
  },
  'Battery Trains North': {
    is: 'Thirty battery trains take the place of diesel.',
    kind: 'program', status: 'onTrack', value: 'high', effort: 'high', runs: ['2024-06-01', '2029-12-31'], budget: 210_000_000, spent: 46_000_000,
    objectives: ['Climate-neutral Trains'], capabilities: ['Fleet Renewal'], by: ['Alstom'], sponsor: 'Fleet and Maintenance', manager: 'JN',
  },
  'Depot Port Wexley Charging': {
    is: 'Chargers and power supply in the depot.',
    kind: 'project', status: 'atRisk', value: 'high', effort: 'high', runs: ['2025-03-01', '2027-10-31'], budget: 18_000_000, spent: 6_200_000,
    below: 'Battery Trains North', capabilities: ['Power Supply Control'], applications: ['Power Control'], sponsor: 'Energy and Traction Power',
  },
  'Predictive Maintenance': {
    is: 'Bearings, doors and switches tell before they fail.',
    kind: 'program', status: 'onTrack', value: 'high', effort: 'medium', runs: ['2024-01-01', '2028-06-30'], budget: 4_400_000, spent: 1_700_000,
    objectives: ['Fewer Train Failures'], capabilities: ['Condition Monitoring'], applications: ['Condition Watch', 'SAP EAM'],
    components: ['Bearing Fault Model'], platforms: ['Connected Train', 'Data and AI Platform'], data: ['Sensor Measurement'],
    sponsor: 'Rolling Stock Engineering', manager: 'JN',
  },
  'Fleet Register Renewal': {
    is: 'The configuration of each vehicle, in one place.',
    kind: 'project', status: 'onTrack', value: 'medium', effort: 'medium', runs: ['2026-01-15', '2028-09-30'], budget: 1_600_000, spent: 120_000,
    below: 'Predictive Maintenance', capabilities: ['Vehicle Configuration Management'], applications: ['Fleet Register'], data: ['Vehicle'],
  },
  'On-board Computers Gen 2': {
    is: 'Replace Gen 1 on diesel trains that stay.',
    kind: 'project', status: 'atRisk', value: 'medium', effort: 'medium', runs: ['2025-06-01', '2027-12-31'], budget: 2_300_000, spent: 700_000,
    components: ['On-board Computer Gen 1', 'On-board Computer Gen 2'], applications: ['Passenger Counter'], platforms: ['Connected Train'],
    by: ['INIT'],
  },
  'Workshop Manager Switch-off': {
    is: 'Archive the orders, end the servers.',
    kind: 'epic', status: 'onTrack', value: 'low', effort: 'low', runs: ['2026-01-01', '2026-12-31'], budget: 120_000, spent: 40_000,
    objectives: ['Fewer, Better Applications'], applications: ['Workshop Manager', 'SAP EAM'], components: ['Windows Server 2012 R2'],
  },
  'One Voice': {
    is: 'One source for all passenger information.',
    kind: 'program', status: 'onTrack', value: 'high', effort: 'medium', runs: ['2023-09-01', '2027-06-30'], budget: 5_200_000, spent: 3_300_000,
    objectives: ['Same Information Everywhere'], capabilities: ['Real-time Information', 'Station Announcements'],
    platforms: ['Passenger Information Platform'], sponsor: 'Passenger Services', manager: 'MF',
  },
  'Lift and Ramp Status': {
    is: 'Is the lift working? In app and on displays.',
    kind: 'project', status: 'onTrack', value: 'medium', effort: 'low', runs: ['2026-04-01', '2027-03-31'], budget: 450_000, spent: 30_000,
    below: 'One Voice', objectives: ['Barrier-free Travel'], capabilities: ['Accessibility Information'],
    applications: ['Station Voice', 'Aldermoor App'],
  },
  'Care Assistant Pilot': {
    is: 'Drafted answers for half of all cases.',
    kind: 'project', status: 'onTrack', value: 'medium', effort: 'low', runs: ['2025-02-01', '2026-09-30'], budget: 380_000, spent: 210_000,
    objectives: ['Easiest Journey in the Country'], capabilities: ['Customer Service'], applications: ['Care Assistant', 'Case Desk'],
    components: ['Azure OpenAI Service'], sponsor: 'Customer Care', manager: 'MF',
  },
  'Train Radio on 5G': {
    is: 'From GSM-R to FRMCS.',
    kind: 'program', status: 'onTrack', value: 'high', effort: 'high', runs: ['2026-01-01', '2032-12-31'], budget: 38_000_000, spent: 1_400_000,
    objectives: ['Safe and Secure Railway'], components: ['GSM-R Radio', 'FRMCS Pilot Network'], platforms: ['Train Control Platform'],
    by: ['Nokia'], sponsor: 'Infrastructure', manager: 'PW',
  },
  'ETCS Roll-out': {
    is: 'European train control on all vehicles.',
    kind: 'program', status: 'atRisk', value: 'high', effort: 'high', runs: ['2023-01-01', '2030-12-31'], budget: 61_000_000, spent: 17_500_000,
    objectives: ['Safe and Secure Railway'], components: ['ETCS On-board Units', 'Electronic Interlockings'], applications: ['Control Centre'],
    by: ['Alstom', 'Siemens Mobility'], sponsor: 'Infrastructure',
  },
  'OT Segmentation': {
    is: 'Fourteen zones, one way out.',
    kind: 'project', status: 'onTrack', value: 'high', effort: 'medium', runs: ['2025-01-01', '2027-12-31'], budget: 2_700_000, spent: 1_000_000,
    objectives: ['Operational Technology Apart'], capabilities: ['Information Security'],
    components: ['OT Data Diode', 'Palo Alto Firewalls', 'Active Directory 2012'],
    applications: ['Power Control', 'Control Centre', 'Signal Asset Log'], sponsor: 'Cyber Security', manager: 'VK',
  },
  'Data Centre Exit': {
    is: 'What can move goes to the cloud; one data centre closes.',
    kind: 'program', status: 'atRisk', value: 'medium', effort: 'high', runs: ['2025-07-01', '2029-12-31'], budget: 7_500_000, spent: 1_900_000,
    objectives: ['Fewer, Better Applications', 'Sound Finances'], components: ['VMware vSphere', 'PowerEdge Servers', 'HPE Nimble Storage'],
    platforms: ['Cloud Foundation'], sponsor: 'Platform Operations', manager: 'VK',
  },
  'Integration Renewal': {
    is: 'The last flows leave the service bus.',
    kind: 'project', status: 'onTrack', value: 'medium', effort: 'medium', runs: ['2024-01-01', '2026-12-31'], budget: 2_200_000, spent: 1_700_000,
    objectives: ['Fewer, Better Applications'], components: ['WebSphere ESB', 'Kong Gateway', 'Apache Kafka'], platforms: ['Integration Platform'],
    sponsor: 'Software Engineering', manager: 'AP',
  },
  'Finance Warehouse Migration': {
    is: 'Reports of finance on the data platform.',
    kind: 'project', status: 'onTrack', value: 'medium', effort: 'medium', runs: ['2025-10-01', '2027-12-31'], budget: 1_300_000, spent: 350_000,
    objectives: ['Decide by Data'], applications: ['Finance Warehouse', 'Rail Data Platform'], components: ['SAP BW 7.5'],
    data: ['Ledger Entry', 'Budget'], by: ['Northbridge Consulting'], sponsor: 'Finance', manager: 'GT',
  },
  'Payroll Renewal': {
    is: 'Payroll in Workday.',
    kind: 'project', status: 'onHold', value: 'medium', effort: 'high', runs: ['2026-09-01', '2028-12-31'], budget: 2_900_000, spent: 60_000,
    objectives: ['Employer of Choice'], capabilities: ['Payroll'], applications: ['Payroll Engine', 'Workday'], data: ['Payroll Record'],
    by: ['Workday'], sponsor: 'People and Culture', manager: 'NH',
  },
  'Freight Digital': {
    is: 'Order, wagon and consignment in one flow.',
    kind: 'program', status: 'atRisk', value: 'medium', effort: 'high', runs: ['2025-01-01', '2028-06-30'], budget: 4_800_000, spent: 1_100_000,
    objectives: ['Freight that Pays'], capabilities: ['Wagon Management', 'Capacity Management'],
    applications: ['Wagon Manager', 'Freight Track and Trace', 'Freight CRM'], data: ['Wagon', 'Consignment'], sponsor: 'Aldermoor Freight Ltd',
    manager: 'RK',
  },
  'Green Driving': {
    is: 'Driver advice on all trains, timetable with reserve where it saves.',
    kind: 'project', status: 'onTrack', value: 'medium', effort: 'low', runs: ['2025-05-01', '2027-04-30'], budget: 900_000, spent: 420_000,
    objectives: ['Save a Tenth of Traction Energy'], capabilities: ['Driver Assistance'], applications: ['Driver Advisory', 'Energy Ledger'],
    data: ['Energy Reading'], sponsor: 'Energy and Traction Power',
  },
  'Contract Archive Replacement': {
    is: 'Contracts move into the ERP.',
    kind: 'epic', status: 'onTrack', value: 'low', effort: 'low', runs: ['2026-02-01', '2027-06-30'], budget: 260_000, spent: 20_000,
    objectives: ['Fewer, Better Applications'], applications: ['Contract Archive', 'SAP S/4HANA'], data: ['Contract'],
    sponsor: 'Legal and Compliance',
  },
};

const INITIATIVE = 'Initiative';

export const initiatives: Row[] = Object.entries(initiativeRows).map(([name, i]) => ({
  type: INITIATIVE, name, subtype: i.kind, description: i.is, ...(i.below !== undefined && { parent: i.below }), lifecycle: known({ plan: i.runs[0], active: i.kind === 'idea' ? undefined : i.runs[0], endOfLife: i.runs[1] }) as Record<string, string>,
  attributes: { initiativeStatus: i.status, businessValue: i.value, effort: i.effort, costBudget: i.budget, costActual: i.spent, startDate: i.runs[0], endDate: i.runs[1] },
  links: [
    ...to(INITIATIVE, 'Objective', i.objectives), ...to(INITIATIVE, 'BusinessCapability', i.capabilities), ...to(INITIATIVE, 'Application', i.applications), ...to(INITIATIVE, 'ITComponent', i.components),
    ...to(INITIATIVE, 'Platform', i.platforms), ...to(INITIATIVE, 'DataObject', i.data), ...from('Provider', INITIATIVE, i.by), ...from('Organization', INITIATIVE, i.sponsor === undefined ? [] : [i.sponsor]), ...succeeds(INITIATIVE, i.follows),
  ],
  ...(i.manager !== undefined && { people: { project_manager: i.manager } }),
}));
