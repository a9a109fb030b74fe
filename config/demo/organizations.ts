import type { Row } from './model.js';

type Unit = [name: string, description: string, headCount?: number, location?: string];

const units = (parent: string | undefined, subtype: string, rows: Unit[]): Row[] =>
  rows.map(([name, description, headCount, location]) => ({
    type: 'Organization',
    name,
    subtype,
    description,
    ...(parent !== undefined && { parent }),
    attributes: { ...(headCount !== undefined && { headCount }), ...(location !== undefined && { location }) },
  }));

/** Aldermoor Rail: regional passenger trains in four regions, some freight, and its own network in the north. */
export const organizations: Row[] = [
  ...units(undefined, 'legalEntity', [
    [
      'Aldermoor Rail',
      'Regional rail operator: 212 passenger trains, 64 freight locomotives, 1,140 km of own track.',
      6840,
      'Aldermoor',
    ],
  ]),
  ...units('Aldermoor Rail', 'legalEntity', [
    ['Aldermoor Freight Ltd', 'Holds the freight licence and the wagon fleet.', 410, 'Port Wexley'],
    ['Aldermoor Rail Property Ltd', 'Owns stations, depots and land beside the line.', 62, 'Aldermoor'],
  ]),
  ...units('Aldermoor Rail', 'businessUnit', [
    [
      'Passenger Services',
      'Sells journeys and looks after passengers before, during and after them.',
      1480,
      'Aldermoor',
    ],
    ['Operations', 'Plans and runs the trains, day and night.', 1920, 'Aldermoor'],
    ['Fleet and Maintenance', 'Keeps trains safe, clean and available.', 1130, 'Sedgeford'],
    ['Infrastructure', 'Builds and maintains track, signals and power on the own network.', 1040, 'Northgate'],
    ['Corporate Services', 'Finance, people, procurement, law and safety for the whole company.', 470, 'Aldermoor'],
    ['Digital and IT', 'Builds, buys and runs software and the technology below it.', 290, 'Aldermoor'],
  ]),
  ...units('Aldermoor Rail', 'region', [
    ['Region North', 'Northgate and the highland lines; diesel and battery trains, own track.', 610, 'Northgate'],
    ['Region Coast', 'Port Wexley and the resorts; strong seasons, much freight.', 720, 'Port Wexley'],
    ['Region Valley', 'Sedgeford and the commuter towns along the river.', 830, 'Sedgeford'],
    ['Region Metro', 'Aldermoor and its suburbs; trains every six minutes.', 1240, 'Aldermoor'],
  ]),
  ...units('Passenger Services', 'team', [
    ['Customer Care', 'Answers passengers by telephone, mail and chat.', 140],
    ['Ticketing and Revenue', 'Fares, sales channels, revenue sharing with other operators.', 95],
    ['Stations', 'Staff, cleaning and information at 148 stations.', 640],
    ['On-board Services', 'Conductors and catering.', 560],
  ]),
  ...units('Aldermoor Freight Ltd', 'team', [
    ['Freight Sales', 'Contracts with shippers, prices and capacity.', 38],
    ['Freight Operations', 'Wagons, shunting and trains for freight.', 340],
  ]),
  ...units('Operations', 'team', [
    ['Timetable Planning', 'From the yearly timetable to the change for next Sunday.', 60],
    ['Crew Planning', 'Duties and rosters of drivers and conductors.', 48],
    ['Network Operations Centre', 'Supervises every train and decides in disruptions.', 110],
    ['Train Drivers', 'Drive trains, trained per vehicle type and line.', 1390],
  ]),
  ...units('Fleet and Maintenance', 'team', [
    ['Rolling Stock Engineering', 'Technical authority for every vehicle type.', 85],
    ['Depot Sedgeford', 'Electric multiple units of Valley and Metro.', 420],
    ['Depot Port Wexley', 'Diesel, battery and freight locomotives.', 360],
    ['Component Workshop', 'Overhauls bogies, couplers and brakes.', 210],
  ]),
  ...units('Infrastructure', 'team', [
    ['Track and Civil Works', 'Rails, bridges, embankments.', 520],
    ['Signalling and Telecoms', 'Interlockings, axle counters, train radio.', 260],
    ['Energy and Traction Power', 'Substations and overhead line; buys traction current.', 140],
  ]),
  ...units('Corporate Services', 'team', [
    ['Finance', 'Books, budgets, treasury.', 120],
    ['People and Culture', 'Hiring, pay, training.', 110],
    ['Procurement', 'Tenders and contracts above 20,000.', 54],
    ['Legal and Compliance', 'Contracts, data protection, regulator.', 32],
    ['Safety and Security', 'Safety management system and protection of people.', 88],
  ]),
  ...units('Digital and IT', 'team', [
    ['Enterprise Architecture', 'Keeps this landscape and steers where it goes.', 9],
    ['Software Engineering', 'Eight product teams.', 84],
    ['Platform Operations', 'Cloud, data centres, networks.', 76],
    ['Service Desk', 'First line for every employee.', 38],
    ['Data Office', 'Data platform, reporting, data quality.', 31],
    ['Cyber Security', 'Protects information and operational technology.', 22],
  ]),
  ...units(undefined, 'customer', [
    ['Regional Transport Authority', 'Orders and pays for passenger services in all four regions.'],
    ['Freight Customers', 'Shippers of containers, grain, timber and steel.'],
  ]),
];
