import { readFileSync } from 'node:fs';

/** The letter of an agency that authorises an offering; unknown members are absent or null. */
export interface Letter {
  Authorizing_Agency?: string | null;
  Authorizing_Subagency?: string | null;
  Letter_Date?: string | null;
  Authorizing_Letter_Last_Sign_Date?: string | null;
  Letter_Expiration_Date?: string | null;
}

/** An offering of a cloud provider, as the marketplace publishes it. */
export interface Offering {
  Package_ID: string;
  Cloud_Service_Provider_Name: string;
  Cloud_Service_Provider_Package: string;
  CSO_Description?: string | null;
  CSP_Website?: string | null;
  /** Each value may be a comma-separated list. */
  Service_Model?: string[] | null;
  Impact_Level?: string | null;
  'FedRAMP_In-Process_Date'?: string | null;
  Original_Authorization_Date?: string | null;
  Authorizing_Agency?: string | null;
  Authorizing_Subagency?: string | null;
  Leveraged_ATO_Letters?: Letter[] | null;
  Underlying_CSP_Package_ID?: string[] | null;
}

/** The trimmed text; undefined if it is empty. */
export const clean = (text: string | null | undefined): string | undefined => text?.trim() || undefined;

/** The values of a list whose items may be comma-separated lists. */
export const commaList = (values: readonly string[] | null | undefined): string[] => [
  ...new Set(
    (values ?? [])
      .flatMap((value) => value.split(','))
      .map((value) => value.trim())
      .filter(Boolean),
  ),
];

/**
 * The day of a time in the data, which is midnight on the American east coast in UTC.
 * @returns YYYY-MM-DD; undefined for other values, such as `2/29/2023`
 */
export function day(time: string | null | undefined): string | undefined {
  const date = /^(\d{4}-\d\d-\d\d)T0[45]:00:00\.000Z$/.exec(time ?? '')?.[1];
  // The parser accepts the 30th of February as a day of March.
  return date !== undefined && new Date(date).toJSON()?.startsWith(date) ? date : undefined;
}

/** A web address; a missing scheme is added, anything else gives undefined. */
export function webAddress(text: string | null | undefined): string | undefined {
  const address = clean(text);
  if (address === undefined) return undefined;
  if (/^https?:\/\/\S+$/i.test(address)) return address;
  return /^[\w-]+(\.[\w-]+)+(\/\S*)?$/.test(address) ? `https://${address}` : undefined;
}

/** The organisations from the agency to the one that signs; a sub-agency may be a path. */
export function agencyPath({ Authorizing_Agency, Authorizing_Subagency }: Letter): string[] {
  const agency = clean(Authorizing_Agency);
  if (agency === undefined) return [];
  return [
    agency,
    ...(Authorizing_Subagency ?? '')
      .split(' / ')
      .map((part) => part.trim())
      .filter(Boolean),
  ];
}

/**
 * Reads the offerings, one per package id: entries with the same id are merged; the values of the first one take
 * precedence, and lists are concatenated.
 * @returns the offerings, and the ids that were listed more than once
 */
export function readOfferings(file: string): { offerings: Offering[]; repeated: string[] } {
  const { data } = JSON.parse(readFileSync(file, 'utf8')) as { data: { Providers: Offering[] } };
  const byId = new Map<string, Offering>();
  const repeated: string[] = [];
  for (const entry of data.Providers) {
    const id = entry.Package_ID.trim();
    const known = byId.get(id);
    if (known) repeated.push(id);
    byId.set(id, known ? merged(known, entry) : { ...entry, Package_ID: id });
  }
  return { offerings: [...byId.values()], repeated };
}

function merged(first: Offering, second: Offering): Offering {
  const given = Object.fromEntries(
    Object.entries(first).filter(([, value]) => value !== null && value !== undefined),
  ) as unknown as Offering;
  return {
    ...second,
    ...given,
    Service_Model: [...(first.Service_Model ?? []), ...(second.Service_Model ?? [])],
    Leveraged_ATO_Letters: [...(first.Leveraged_ATO_Letters ?? []), ...(second.Leveraged_ATO_Letters ?? [])],
    Underlying_CSP_Package_ID: [
      ...(first.Underlying_CSP_Package_ID ?? []),
      ...(second.Underlying_CSP_Package_ID ?? []),
    ],
  };
}
