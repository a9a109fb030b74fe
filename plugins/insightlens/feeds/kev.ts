import { MOST_VULNERABILITIES, type FeedContent, type Vulnerability } from './definition.js';
import type { FeedReader } from './reading.js';

const CVE = /^CVE-\d{4}-\d{4,19}$/;

/**
 * Reads the catalogue of known exploited vulnerabilities in the form of `known_exploited_vulnerabilities.json`.
 * https://www.cisa.gov/known-exploited-vulnerabilities-catalog
 * @param field JSON pointer of the file
 * @throws FeedFaults with everything that is not valid
 */
export function readKev(reader: FeedReader, bytes: Uint8Array, field: string): FeedContent {
  const file = reader.json(bytes, field);
  reader.end();
  const catalogue = reader.object(file, field) ?? {};
  const list = reader.list(catalogue['vulnerabilities'], `${field}/vulnerabilities`, MOST_VULNERABILITIES);
  const published = reader.optional(catalogue['catalogVersion'], `${field}/catalogVersion`, 50);
  const byCve = new Map<string, Vulnerability>();
  for (const [i, value] of list.entries()) {
    const at = `${field}/vulnerabilities/${i}`;
    const read = vulnerabilityOf(reader, value, at);
    if (!read) continue;
    if (byCve.has(read.cve)) reader.fault(`${at}/cveID`, 'occurs twice');
    byCve.set(read.cve, read);
  }
  // A file that lost its entries would end all findings.
  if (list.length === 0) reader.fault(`${field}/vulnerabilities`, 'must not be empty');
  reader.end();
  return { feed: 'kev', published, vulnerabilities: [...byCve.values()] };
}

function vulnerabilityOf(reader: FeedReader, value: unknown, at: string): Vulnerability | undefined {
  const entry = reader.object(value, at);
  if (!entry) return undefined;
  const cve = reader.text(entry['cveID'], `${at}/cveID`, 30);
  if (cve !== undefined && !CVE.test(cve)) reader.fault(`${at}/cveID`, 'must be such as CVE-2021-44228');
  const vendor = reader.text(entry['vendorProject'], `${at}/vendorProject`, 200);
  const product = reader.text(entry['product'], `${at}/product`, 300);
  const name = reader.text(entry['vulnerabilityName'], `${at}/vulnerabilityName`, 500);
  const added = reader.day(entry['dateAdded'], `${at}/dateAdded`);
  const due = reader.optionalDay(entry['dueDate'], `${at}/dueDate`);
  const use = reader.optional(entry['knownRansomwareCampaignUse'], `${at}/knownRansomwareCampaignUse`, 50);
  const action = reader.optional(entry['requiredAction'], `${at}/requiredAction`, 2_000);
  if (cve === undefined || vendor === undefined || product === undefined || name === undefined || added === undefined)
    return undefined;
  return { cve, vendor, product, name, added, due, ransomware: use === 'Known', action };
}
