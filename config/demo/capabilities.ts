import type { Row } from './model.js';

type Importance = 'low' | 'medium' | 'high' | 'critical';
type Maturity = 'initial' | 'managed' | 'defined' | 'measured' | 'optimized';

interface Node {
  says: string;
  importance: Importance;
  maturity: Maturity;
  core?: boolean;
  owner?: string;
  below?: Record<string, Node>;
}

const cap = (
  importance: Importance,
  maturity: Maturity,
  says: string,
  below?: Record<string, Node>,
  more: { core?: boolean; owner?: string } = {},
): Node => ({ says, importance, maturity, ...more, ...(below && { below }) });

/** What a rail operator must be able to do, in three levels. */
const tree: Record<string, Node> = {
  'Service Planning': cap(
    'critical',
    'measured',
    'Decide which trains run, with which vehicles and crews.',
    {
      'Network and Offer Planning': cap(
        'high',
        'defined',
        'Shape lines, frequencies and stops for the years to come.',
        {
          'Demand Forecasting': cap('high', 'managed', 'Estimate who will travel where and when.'),
          'Line Concept Design': cap('medium', 'defined', 'Weigh lines, frequencies and connections against cost.'),
          'Service Contract Planning': cap(
            'high',
            'defined',
            'Agree volumes and quality with the transport authority.',
          ),
        },
      ),
      Timetabling: cap(
        'critical',
        'measured',
        'Turn the offer into conflict-free train paths.',
        {
          'Path Ordering': cap('critical', 'measured', 'Order train paths from infrastructure managers.'),
          'Timetable Construction': cap(
            'critical',
            'measured',
            'Construct paths to the second, checked for conflicts.',
          ),
          'Engineering Works Timetabling': cap('high', 'defined', 'Replan around closures of track.'),
          'Timetable Publication': cap('high', 'optimized', 'Publish to channels, partners and national data hubs.'),
        },
        { core: true, owner: 'IS' },
      ),
      'Resource Planning': cap('high', 'defined', 'Give every train a vehicle and a crew.', {
        'Vehicle Rotation Planning': cap('high', 'defined', 'Chain train runs into rotations that end at a depot.'),
        'Duty Planning': cap('high', 'defined', 'Cut shifts that keep to labour law and agreements.'),
        Rostering: cap('high', 'managed', 'Assign shifts to people fairly and early.'),
      }),
    },
    { core: true, owner: 'IS' },
  ),
  'Train Operations': cap(
    'critical',
    'defined',
    'Run trains safely and on time.',
    {
      'Traffic Management': cap(
        'critical',
        'measured',
        'Supervise trains and settle conflicts as they arise.',
        {
          'Train Supervision': cap('critical', 'measured', 'Know where every train is and how late.'),
          'Conflict Resolution': cap('critical', 'defined', 'Decide who goes first, and tell all concerned.'),
          'Route Setting': cap('critical', 'optimized', 'Set routes through interlockings on own track.'),
        },
        { core: true },
      ),
      'Disruption Management': cap(
        'critical',
        'managed',
        'Return to the timetable after an incident.',
        {
          'Incident Coordination': cap('critical', 'defined', 'Lead responders and keep one picture of the situation.'),
          'Vehicle and Crew Dispatching': cap('critical', 'managed', 'Re-plan rotations and duties within minutes.'),
          'Replacement Transport': cap('high', 'initial', 'Put buses on the road when trains cannot run.'),
        },
        { owner: 'HW' },
      ),
      'Train Running': cap('critical', 'defined', 'Drive, by the rules and with little energy.', {
        'Train Preparation': cap('high', 'defined', 'Check, heat and couple before departure.'),
        'Driver Assistance': cap('medium', 'managed', 'Advise speed for punctuality and energy.'),
        Shunting: cap('medium', 'managed', 'Move vehicles in yards and depots.'),
      }),
      'Performance Analysis': cap('high', 'measured', 'Learn why trains were late.', {
        'Delay Attribution': cap('high', 'measured', 'Give each minute of delay a cause and an owner.'),
        'Punctuality Reporting': cap('high', 'optimized', 'Report to authority, regulator and public.'),
      }),
    },
    { core: true, owner: 'HW' },
  ),
  'Passenger Journey': cap(
    'critical',
    'defined',
    'Sell journeys, inform and care.',
    {
      'Sales and Ticketing': cap(
        'critical',
        'defined',
        'Offer, sell and check tickets in all channels.',
        {
          'Fare Management': cap('high', 'defined', 'Keep fares, products and rules of all partners.'),
          'Digital Sales': cap('critical', 'measured', 'Sell in app and web.'),
          'Station Sales': cap('medium', 'managed', 'Sell at machines and counters.'),
          'Ticket Inspection': cap('high', 'defined', 'Check tickets on board and act on missing ones.'),
          'Revenue Sharing': cap('high', 'managed', 'Settle with partners what was sold for them.'),
        },
        { core: true, owner: 'DO' },
      ),
      'Passenger Information': cap(
        'critical',
        'managed',
        'Say what runs, when and from where, the same everywhere.',
        {
          'Journey Planning': cap('high', 'measured', 'Find connections door to door.'),
          'Real-time Information': cap('critical', 'managed', 'Tell of delays, platforms and occupancy.'),
          'Station Announcements': cap('high', 'defined', 'Displays and loudspeakers at stations.'),
          'Accessibility Information': cap('medium', 'initial', 'Lifts, ramps and help on request.'),
        },
        { core: true },
      ),
      'Customer Relationship': cap(
        'high',
        'managed',
        'Know customers and answer them.',
        {
          'Customer Service': cap('high', 'defined', 'Answer questions and complaints.'),
          'Compensation Handling': cap('high', 'managed', 'Refund by passenger rights.'),
          'Loyalty and Season Passes': cap('medium', 'managed', 'Bind regular travellers.'),
          'Lost Property': cap('low', 'initial', 'Bring people and things together again.'),
        },
        { owner: 'MF' },
      ),
    },
    { core: true, owner: 'DO' },
  ),
  'Freight Services': cap('medium', 'managed', 'Carry goods for shippers.', {
    'Freight Sales and Contracting': cap('medium', 'managed', 'Quote, contract and plan capacity.', {
      'Freight Quotation': cap('medium', 'managed', 'Price a transport within a day.'),
      'Capacity Management': cap('medium', 'initial', 'Fill trains and keep promises.'),
    }),
    'Freight Transport': cap(
      'medium',
      'defined',
      'Move wagons from siding to siding.',
      {
        'Wagon Management': cap('medium', 'defined', 'Know, rent and repair wagons.'),
        'Consignment Tracking': cap('high', 'managed', 'Tell shippers where their goods are.'),
        'Dangerous Goods Handling': cap('high', 'defined', 'Keep to the rules for dangerous goods.'),
      },
      { owner: 'RK' },
    ),
  }),
  'Fleet Management': cap(
    'critical',
    'defined',
    'Own, maintain and renew vehicles.',
    {
      'Fleet Engineering': cap('high', 'defined', 'Be the technical authority for vehicles.', {
        'Vehicle Configuration Management': cap('high', 'managed', 'Know what is built into each vehicle.'),
        'Fleet Renewal': cap('high', 'defined', 'Specify, buy and accept vehicles.'),
      }),
      'Vehicle Maintenance': cap(
        'critical',
        'defined',
        'Keep vehicles safe and available.',
        {
          'Maintenance Planning': cap('critical', 'defined', 'Plan work by time, distance and condition.'),
          'Workshop Execution': cap('high', 'defined', 'Do the work, record it, release the vehicle.'),
          'Condition Monitoring': cap('high', 'initial', 'See faults before they stop a train.'),
          'Component Overhaul': cap('medium', 'defined', 'Overhaul bogies, brakes and couplers.'),
          'Cleaning and Servicing': cap('medium', 'managed', 'Clean, fill, empty.'),
        },
        { core: true, owner: 'JN' },
      ),
      'Spare Parts Supply': cap('high', 'managed', 'Have the part when it is needed.', {
        'Parts Planning': cap('high', 'managed', 'Forecast demand and stock.'),
        'Warehouse Management': cap('medium', 'defined', 'Store, pick and count.'),
      }),
    },
    { core: true, owner: 'JN' },
  ),
  'Infrastructure Management': cap(
    'high',
    'defined',
    'Build and keep the own network.',
    {
      'Asset Management': cap(
        'high',
        'managed',
        'Decide what to renew, and when.',
        {
          'Asset Register Keeping': cap('high', 'managed', 'Know every asset, its place and state.'),
          'Renewal Planning': cap('high', 'defined', 'Plan renewal over thirty years.'),
        },
        { owner: 'PW' },
      ),
      'Infrastructure Maintenance': cap('critical', 'defined', 'Inspect and repair.', {
        'Track Inspection': cap('critical', 'defined', 'Measure track geometry and rails.'),
        'Signalling Maintenance': cap('critical', 'defined', 'Keep interlockings and balises working.'),
        'Possession Planning': cap('high', 'managed', 'Close track for work with least harm.'),
        'Vegetation and Winter Service': cap('medium', 'managed', 'Trees, leaves and snow.'),
      }),
      'Traction Energy': cap('high', 'managed', 'Buy, distribute and save current.', {
        'Energy Procurement': cap('high', 'managed', 'Buy at markets and by contract.'),
        'Power Supply Control': cap('critical', 'optimized', 'Switch substations and overhead line.'),
        'Energy Metering': cap('medium', 'defined', 'Meter on board and settle.'),
      }),
    },
    { owner: 'PW' },
  ),
  'Safety and Assurance': cap('critical', 'defined', 'Keep people safe and show that we do.', {
    'Safety Management': cap(
      'critical',
      'defined',
      'Run the safety management system.',
      {
        'Hazard and Risk Assessment': cap('critical', 'defined', 'Find hazards, assess and treat them.'),
        'Occurrence Investigation': cap('critical', 'defined', 'Find causes and learn.'),
        'Competence Assurance': cap('high', 'measured', 'Nobody drives without licence and training.'),
      },
      { owner: 'OB' },
    ),
    Security: cap('high', 'managed', 'Protect people, property and information.', {
      'Physical Security': cap('medium', 'defined', 'Guards, cameras, access.'),
      'Information Security': cap('critical', 'managed', 'Protect information and operational technology.'),
      'Business Continuity': cap('high', 'initial', 'Go on in bad times.'),
    }),
    Compliance: cap('high', 'defined', 'Keep to the law and prove it.', {
      'Data Protection': cap('high', 'managed', 'Handle personal data lawfully.'),
      'Regulatory Reporting': cap('high', 'defined', 'Report to regulator and authority.'),
    }),
  }),
  'Corporate Management': cap('medium', 'measured', 'Run the company.', {
    'Finance and Controlling': cap(
      'high',
      'optimized',
      'Keep books, plan and steer money.',
      {
        Accounting: cap('high', 'optimized', 'Ledgers, closing, tax.'),
        'Budgeting and Forecasting': cap('high', 'measured', 'Plan and compare.'),
        'Grant and Contract Billing': cap('high', 'defined', 'Bill the transport authority by service and quality.'),
      },
      { owner: 'GT' },
    ),
    'People Management': cap(
      'high',
      'defined',
      'Find, pay, train and keep people.',
      {
        Recruiting: cap('high', 'managed', 'Find drivers, above all.'),
        Payroll: cap('high', 'optimized', 'Pay rightly and in time.'),
        'Learning and Development': cap('medium', 'managed', 'Train and retrain.'),
      },
      { owner: 'NH' },
    ),
    'Procurement and Supply': cap('medium', 'defined', 'Buy well and lawfully.', {
      Tendering: cap('medium', 'defined', 'Publish, evaluate and award.'),
      'Supplier Management': cap('medium', 'managed', 'Know how suppliers perform.'),
    }),
    'Information Management': cap(
      'high',
      'managed',
      'Provide software, data and technology.',
      {
        'Enterprise Architecture Management': cap('medium', 'managed', 'Know the landscape and steer it.', undefined, {
          owner: 'TB',
        }),
        'Software Delivery': cap('high', 'managed', 'Build, buy and integrate software.'),
        'IT Service Operation': cap('high', 'measured', 'Run services, help users.'),
        'Data and Analytics': cap('high', 'managed', 'Make data usable and used.', undefined, { owner: 'LC' }),
      },
      { owner: 'TB' },
    ),
  }),
};

function rowsOf(nodes: Record<string, Node>, parent?: string): Row[] {
  return Object.entries(nodes).flatMap(([name, { says, importance, maturity, core, owner, below }]): Row[] => [
    {
      type: 'BusinessCapability',
      name,
      description: says,
      lifecycle: { active: '2015-01-01' },
      ...(parent !== undefined && { parent }),
      attributes: { strategicImportance: importance, maturity, isCoreCapability: core ?? false },
      ...(owner !== undefined && { people: { responsible: owner } }),
    },
    ...rowsOf(below ?? {}, name),
  ]);
}

export const capabilities: Row[] = rowsOf(tree);
