/**
 * Loads a marketplace of cloud services that agencies have authorised:
 *
 *     node dist/test/e2e/load-fedramp.js --token … --data <folder of providers.json>
 *
 * | Data | becomes |
 * |---|---|
 * | offering | Application, known by its package id; the service model is its hosting (several: hybrid), the impact level its criticality, process and authorisation dates its lifecycle |
 * | provider | Provider, known by its name, with `providerToApplication` |
 * | agency, sub-agency | Organization below its agency, known by the names down to it |
 * | letters of an agency | one `organizationToApplication` (user), from the first signature to the last expiry |
 * | authorising agency | `related`, kind "authorizes" |
 * | underlying package | `related`, kind "depends on"; what lies elsewhere is reported as dangling |
 *
 * Names that repeat: see distinct-names.ts. Blanks around values go, misspelled names stay. Run it again as often as
 * you like: only what differs is written.
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

/** Harm done by a loss, by FIPS 199, as what the application means to its users. */
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

/** Only what is known: a value this run does not know is not taken away. */
const known = <T>(values: Record<string, T | undefined>): Record<string, T> =>
  Object.fromEntries(Object.entries(values).filter((entry): entry is [string, T] => entry[1] !== undefined));

/** Dates in the order the API demands; one that comes before its predecessor is left out. */
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

/** One card a provider; its website is the first usable one of its offerings. */
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

/** One card an organisation, its agency before it. */
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

/** One relation an organisation that has letters for the offering. */
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
    // As long as one of the letters has no end, neither has the use.
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

/** What of an offering could not be taken over, in words. */
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
