/**
 * Loads a marketplace of cloud services that agencies have authorised:
 *
 *     node dist/test/e2e/load-fedramp.js --token … --data <folder of providers.json>
 *
 * | Data | becomes |
 * |---|---|
 * | offering | Application with its package id as key; the service model is its hosting (several: hybrid), the impact level its criticality, process and authorisation dates its lifecycle |
 * | provider | Provider with its name as key, and `providerToApplication` |
 * | agency, sub-agency | Organization below its agency, with the path of names as key |
 * | letters of an agency | one `organizationToApplication` (user), from the first signature to the last expiry |
 * | authorising agency | `related`, kind "authorizes" |
 * | underlying package | `related`, kind "depends on"; one that is not in the data is reported as dangling |
 *
 * Names that repeat: see distinct-names.ts. Values are trimmed, misspelled names are kept. It can be run again: only
 * differences are written.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  load,
  runLoader,
  type BulkClient,
  type CardKey,
  type CardUpsert,
  type LoadReport,
  type RelationUpsert,
} from './client.js';
import { distinctNames } from './distinct-names.js';
import {
  agencyPath,
  clean,
  commaList,
  day,
  readOfferings,
  webAddress,
  type Letter,
  type Offering,
} from './fedramp-records.js';

/** The criticality of an application by its impact level of FIPS 199. */
const CRITICALITY: Record<string, string> = {
  high: 'missionCritical',
  moderate: 'businessCritical',
  low: 'businessOperational',
  'li-saas': 'administrative',
};
const HOSTING: Record<string, string> = { saas: 'saas', paas: 'paas', iaas: 'iaas' };

const applicationKey = (id: string): CardKey => ({ type: 'Application', external_id: id.trim() });
const providerKey = (offering: Offering): CardKey => ({
  type: 'Provider',
  external_id: offering.Cloud_Service_Provider_Name.trim(),
});
const organizationKey = (path: readonly string[]): CardKey => ({ type: 'Organization', external_id: path.join(' / ') });

/** Omits undefined values, so that an unknown value does not remove a stored one. */
const known = <T>(values: Record<string, T | undefined>): Record<string, T> =>
  Object.fromEntries(Object.entries(values).filter((entry): entry is [string, T] => entry[1] !== undefined));

/** Dates in the order required by the API; one before its predecessor is omitted. */
function lifecycle(offering: Offering): Record<string, string> {
  const phaseIn = day(offering['FedRAMP_In-Process_Date']);
  const active = day(offering.Original_Authorization_Date);
  return known({ phaseIn: phaseIn && active && active < phaseIn ? undefined : phaseIn, active });
}

function applicationCard(offering: Offering): CardUpsert {
  const models = commaList(offering.Service_Model).map((model) => model.toLowerCase());
  return {
    ...applicationKey(offering.Package_ID),
    name: offering.Cloud_Service_Provider_Package.trim(),
    description: clean(offering.CSO_Description) ?? null,
    lifecycle: lifecycle(offering),
    attributes: known({
      hostingType: models.length > 1 ? 'hybrid' : HOSTING[models[0] ?? ''],
      businessCriticality: CRITICALITY[clean(offering.Impact_Level)?.toLowerCase() ?? ''],
    }),
  };
}

/** One card per provider; its website is the first valid one of its offerings. */
function providerCards(offerings: readonly Offering[]): CardUpsert[] {
  const cards = new Map<string, CardUpsert>();
  for (const offering of offerings) {
    const key = providerKey(offering);
    const website = webAddress(offering.CSP_Website);
    const before = cards.get(key.external_id);
    cards.set(key.external_id, {
      ...key,
      name: key.external_id,
      attributes: known({ website, ...before?.attributes }),
    });
  }
  return [...cards.values()];
}

/** One card per organisation, after that of its agency. */
function organizationCards(paths: readonly string[][]): CardUpsert[] {
  const cards = new Map<string, CardUpsert>();
  for (const path of paths) {
    for (let depth = 1; depth <= path.length; depth++) {
      const key = organizationKey(path.slice(0, depth));
      cards.set(key.external_id, {
        ...key,
        name: path[depth - 1]!,
        parent: depth === 1 ? null : organizationKey(path.slice(0, depth - 1)),
      });
    }
  }
  return [...cards.values()];
}

/** One relation per organisation with letters for the offering. */
function letterRelations(offering: Offering): RelationUpsert[] {
  const byOrganization = new Map<string, { source: CardKey; letters: Letter[] }>();
  for (const letter of offering.Leveraged_ATO_Letters ?? []) {
    const source = organizationKey(agencyPath(letter));
    if (source.external_id === '') continue;
    const { letters } = byOrganization.get(source.external_id) ?? { letters: [] };
    byOrganization.set(source.external_id, { source, letters: [...letters, letter] });
  }
  return [...byOrganization.values()].map(({ source, letters }) => {
    const signed = letters
      .map((l) => day(l.Letter_Date) ?? day(l.Authorizing_Letter_Last_Sign_Date))
      .filter((d) => d !== undefined)
      .sort();
    const expiries = letters
      .map((l) => day(l.Letter_Expiration_Date))
      .filter((d) => d !== undefined)
      .sort();
    // If one of the letters has no expiry, the relation has no end.
    const last = expiries.length === letters.length ? expiries.at(-1) : undefined;
    const [first] = signed;
    return {
      type: 'organizationToApplication',
      source,
      target: applicationKey(offering.Package_ID),
      attributes: { usageType: 'user' },
      description: `Letters of authorization: ${letters.length}`,
      valid_from: first ?? null,
      valid_to: last !== undefined && (first === undefined || last >= first) ? last : null,
    };
  });
}

const related = (kind: string, source: CardKey, target: CardKey): RelationUpsert => ({
  type: 'related',
  source,
  target,
  attributes: { kind },
});

function relationsOf(offering: Offering): RelationUpsert[] {
  const application = applicationKey(offering.Package_ID);
  const authorizer = agencyPath(offering);
  return [
    { type: 'providerToApplication', source: providerKey(offering), target: application },
    ...letterRelations(offering),
    ...(authorizer.length > 0 ? [related('authorizes', organizationKey(authorizer), application)] : []),
    ...commaList(offering.Underlying_CSP_Package_ID).map((id) =>
      related('depends on', application, applicationKey(id)),
    ),
  ];
}

/** Omitted values of an offering, as text. */
function leftOut(offering: Offering): string[] {
  const { Package_ID: id, CSP_Website: website, Leveraged_ATO_Letters: letters } = offering;
  const dates = (letters ?? []).flatMap((l) => [
    l.Letter_Date,
    l.Authorizing_Letter_Last_Sign_Date,
    l.Letter_Expiration_Date,
  ]);
  return [
    ...dates
      .filter((date) => clean(date) !== undefined && day(date) === undefined)
      .map((date) => `${id}: ${JSON.stringify(date)} in a letter is no date`),
    ...(clean(website) !== undefined && webAddress(website) === undefined
      ? [`${id}: ${JSON.stringify(website)} is no web address`]
      : []),
    ...(day(offering['FedRAMP_In-Process_Date']) !== undefined && lifecycle(offering)['phaseIn'] === undefined
      ? [`${id}: the process began after the authorization; its date was left out`]
      : []),
  ];
}

/** @param dataDir folder with `providers.json` */
export async function loadFedramp(client: BulkClient, dataDir: string): Promise<LoadReport> {
  const { offerings, repeated } = readOfferings(join(dataDir, 'providers.json'));
  const { cards, suffixed } = distinctNames([
    ...providerCards(offerings),
    ...organizationCards(
      offerings.flatMap((offering) => [offering, ...(offering.Leveraged_ATO_Letters ?? [])]).map(agencyPath),
    ),
    ...offerings.map(applicationCard),
  ]);
  const notes = [
    ...repeated.map((id) => `package ${id} is listed more than once; its entries were put together`),
    ...(suffixed > 0 ? [`${suffixed} names repeat and got their external id behind them`] : []),
    ...offerings.flatMap(leftOut),
  ];
  return load(client, cards, offerings.flatMap(relationsOf), notes);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await runLoader(loadFedramp);
