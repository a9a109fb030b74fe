import { from, known, succeeds, to, type Row } from './model.js';

/** The data of an application; every list contains names of cards. */
export interface Application {
  is: string;
  product?: string;
  hosting: 'onPremise' | 'saas' | 'paas' | 'iaas' | 'hybrid';
  criticality: 'missionCritical' | 'businessCritical' | 'businessOperational' | 'administrative';
  functional: 'perfect' | 'appropriate' | 'insufficient' | 'unreasonable';
  technical: 'fullyAppropriate' | 'adequate' | 'inappropriate' | 'unreasonable';
  time: 'tolerate' | 'invest' | 'migrate' | 'eliminate';
  /** Per year, in the currency of the workspace. */
  cost: number;
  users: number;
  since: string;
  until?: string;
  ai?: boolean;
  /** The first one is its main capability. */
  capabilities: string[];
  /** Data objects it is the source of, and those it only reads. */
  masters?: string[];
  reads?: string[];
  runsOn: string[];
  by: string[];
  owner: string;
  users_in?: string[];
  contexts?: string[];
  platform?: string;
  replaces?: string[];
  /** Initials of the business owner and of the technical owner. */
  people?: [business: string, technical: string];
  alias?: string;
}

const APPLICATION = 'Application';

/** A card of an application with its relations, built from its row. */
function applicationRow(name: string, a: Application): Row {
  const [first, ...others] = a.capabilities;
  return {
    type: APPLICATION,
    name,
    subtype: a.ai ? 'aiAgent' : 'businessApplication',
    description: a.is,
    ...(a.alias !== undefined && { alias: a.alias }),
    lifecycle: known({ active: a.since, endOfLife: a.until }) as Record<string, string>,
    attributes: known({
      hostingType: a.hosting,
      numberOfUsers: a.users,
      productName: a.product,
      commercial: a.product !== undefined,
      hasAiFeatures: a.ai ?? false,
      businessCriticality: a.criticality,
      functionalSuitability: a.functional,
      technicalSuitability: a.technical,
      timeModel: a.time,
      costTotalAnnual: a.cost,
    }),
    links: [
      ...to(APPLICATION, 'BusinessCapability', first === undefined ? [] : [first], { supportType: 'leading' }),
      ...to(APPLICATION, 'BusinessCapability', others, { supportType: 'supporting' }),
      ...to(APPLICATION, 'DataObject', a.masters, { create: true, read: true, update: true, delete: true }),
      ...to(APPLICATION, 'DataObject', a.reads, { create: false, read: true, update: false, delete: false }),
      ...to(APPLICATION, 'ITComponent', a.runsOn),
      ...to(APPLICATION, 'BusinessContext', a.contexts),
      ...from('Organization', APPLICATION, [a.owner], { usageType: 'owner' }),
      ...from('Organization', APPLICATION, a.users_in, { usageType: 'user' }),
      ...from('Provider', APPLICATION, a.by),
      ...from('Platform', APPLICATION, a.platform === undefined ? [] : [a.platform]),
      ...succeeds(APPLICATION, a.replaces),
    ],
    ...(a.people && { people: { business_owner: a.people[0], technical_owner: a.people[1] } }),
  };
}

export const applicationRows = (all: Record<string, Application>): Row[] =>
  Object.entries(all).map(([name, a]) => applicationRow(name, a));
