import type { Row } from './model.js';

type Sensitivity = 'public' | 'internal' | 'confidential' | 'restricted';
type Item = [name: string, sensitivity: Sensitivity, description: string, personal?: { retentionMonths: number }];

const of = (group: string, description: string, items: Item[]): Row[] => [
  { type: 'DataObject', name: group, description, attributes: { dataSensitivity: 'internal', isPersonalData: false } },
  ...items.map(
    ([name, dataSensitivity, says, personal]): Row => ({
      type: 'DataObject',
      name,
      description: says,
      parent: group,
      attributes: { dataSensitivity, isPersonalData: personal !== undefined, ...personal },
    }),
  ),
];

/** Data objects by subject area. */
export const dataObjects: Row[] = [
  ...of('Planning Data', 'What shall run.', [
    ['Timetable', 'public', 'Trains with stops and times, by day.'],
    ['Train Path', 'internal', 'Right to run at a time on a track.'],
    ['Vehicle Rotation', 'internal', 'Chain of train runs of one vehicle.'],
    ['Duty', 'internal', 'A shift of work, not yet given to anyone.'],
    ['Possession', 'internal', 'Closure of a track for work.'],
    ['Demand Forecast', 'confidential', 'Passengers expected per train and stop.'],
  ]),
  ...of('Operational Data', 'What runs, and how.', [
    ['Train Run', 'internal', 'A train on a day, with times planned and real.'],
    ['Train Position', 'public', 'Where a train is.'],
    ['Disruption', 'public', 'What is wrong, where, and until when.'],
    ['Delay Cause', 'internal', 'Minutes, cause and who answers for it.'],
    ['Passenger Count', 'internal', 'People in and out per stop.'],
    ['Control Command', 'restricted', 'What was set, by whom.'],
    ['Weather Forecast', 'public', 'Wind, snow and heat along the lines.'],
  ]),
  ...of('Asset Data', 'What we own, and its state.', [
    ['Vehicle', 'internal', 'A train or locomotive.'],
    ['Vehicle Fault', 'internal', 'Reported or measured.'],
    ['Maintenance Order', 'internal', 'Work to be done and done.'],
    ['Spare Part', 'internal', 'Material with stock.'],
    ['Track Asset', 'internal', 'Rail, switch, bridge.'],
    ['Signal Asset', 'restricted', 'Interlocking, balise, axle counter.'],
    ['Inspection Result', 'internal', 'Measured or seen.'],
    ['Energy Reading', 'internal', 'Current taken and fed back.'],
    ['Sensor Measurement', 'internal', 'Vibration, temperature, pressure.'],
    ['Geodata', 'internal', 'Lines, places, terrain.'],
  ]),
  ...of('Customer Data', 'Who travels and ships.', [
    ['Customer Account', 'confidential', 'A passenger who registered.', { retentionMonths: 36 }],
    ['Ticket', 'confidential', 'Right to travel.', { retentionMonths: 14 }],
    ['Season Pass', 'confidential', 'Right to travel for a month or a year.', { retentionMonths: 24 }],
    ['Fare', 'public', 'Product, price and rule.'],
    ['Payment', 'restricted', 'Money received or returned.', { retentionMonths: 120 }],
    ['Customer Case', 'confidential', 'Question, praise or complaint.', { retentionMonths: 36 }],
    ['Compensation Claim', 'confidential', 'Refund asked for a delay.', { retentionMonths: 60 }],
    ['Freight Order', 'confidential', 'What a shipper wants carried.'],
    ['Consignment', 'confidential', 'Goods on their way.'],
    ['Wagon', 'internal', 'A freight wagon.'],
  ]),
  ...of('Corporate Data', 'What every company has.', [
    ['Employee', 'restricted', 'A person employed.', { retentionMonths: 120 }],
    ['Driver Qualification', 'confidential', 'Licence, vehicle types, lines.', { retentionMonths: 60 }],
    ['Roster', 'confidential', 'Who works when.', { retentionMonths: 36 }],
    ['Payroll Record', 'restricted', 'Pay and tax.', { retentionMonths: 120 }],
    ['Ledger Entry', 'confidential', 'A booking.'],
    ['Invoice', 'confidential', 'Sent and received.'],
    ['Budget', 'confidential', 'Plan by cost centre.'],
    ['Supplier', 'internal', 'Who delivers.'],
    ['Contract', 'confidential', 'What was agreed.'],
    ['Purchase Order', 'internal', 'What was ordered.'],
    ['Safety Occurrence', 'restricted', 'What happened or nearly did.', { retentionMonths: 120 }],
    ['Risk', 'confidential', 'What may happen.'],
    ['User Identity', 'restricted', 'Who may log in.', { retentionMonths: 12 }],
    ['Security Event', 'restricted', 'What systems noticed.', { retentionMonths: 12 }],
    ['IT Service Ticket', 'internal', 'Incident, request or change in IT.'],
  ]),
];
