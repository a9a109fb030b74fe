import type { DocumentStatus } from '@lintel/sdk';
import { linksOf } from './links.js';

/** Maximum number of characters of a line that are parsed. */
const MOST_LINE = 4_000;
/** Words that a status begins with, in lower case: English, German, French, Spanish, Italian. */
const beginning = (...alternatives: string[]): RegExp =>
  new RegExp(`^(?:${alternatives.join('|')})(?![\\p{L}\\p{N}])`, 'u');
const SETTLED = beginning(
  'accepted|approved|decided|adopted|agreed|implemented|done|final|active',
  'angenommen|akzeptiert|beschlossen|entschieden|genehmigt|freigegeben|verabschiedet|vereinbart|umgesetzt|gültig|aktiv|in kraft',
  'accept[ée]e?|approuv[ée]e?|adopt[ée]e?|valid[ée]e?|d[ée]cid[ée]e?|impl[ée]ment[ée]e?|en vigueur|acti(?:f|ve)',
  'aceptad[ao]|aprobad[ao]|adoptad[ao]|decidid[ao]|acordad[ao]|implementad[ao]|vigente|en vigor|activ[ao]',
  'accettat[ao]|approvat[ao]|adottat[ao]|decis[ao]|concordat[ao]|implementat[ao]|in vigore|attiv[ao]',
);
const OUT_OF_FORCE = beginning(
  'super[cs]e+ded|replaced|deprecated|obsoleted?|retired|withdrawn',
  // Not "ersetzt ADR 3", which says that the record replaces another one.
  'ersetzt(?= durch| von|[^\\p{L}\\p{N} ]|$)|abgelöst|überholt|veraltet|zurückgezogen|aufgehoben|au(?:ß|ss)er kraft|obsolet',
  'remplac(?:ée?|ee?(?= par))|obsolète|d[ée]pr[ée]ci[ée]e?|retir[ée]e?|abrog[ée]e?|caduc|caduque',
  'reemplazad[ao]|sustituid[ao]|obsolet[ao]|deprecad[ao]|retirad[ao]|derogad[ao]',
  'sostituit[ao]|superat[ao]|rimpiazzat[ao]|deprecat[ao]|ritirat[ao]|abrogat[ao]',
);
/** Not in force: everything else is a draft as well, but may have been meant otherwise. */
const DRAFT = beginning(
  'propos(?:ed|al)|draft|rejected|declined|open|pending|experimental|incomplete|discuss(?:ed|ion)|wip|work in progress',
  'in[ -]?(?:progress|review|discussion)|under (?:review|discussion)|deferred|postponed|on hold|abandoned|cancell?ed|undecided|planned|tbd|todo',
  'vorgeschlagen|vorschlag|entwurf|abgelehnt|verworfen|offen|ausstehend|zurückgestellt|vertagt|geplant|in (?:arbeit|bearbeitung|diskussion|prüfung)',
  'propos[ée]e?|proposition|brouillon|projet|rejet[ée]e?|refus[ée]e?|ouverte?|report[ée]e?|en (?:cours|attente|discussion)',
  'propuest[ao]|borrador|rechazad[ao]|pendiente|abiert[ao]|aplazad[ao]|en (?:curso|revisión|discusión)',
  'propost[ao]|bozza|rifiutat[ao]|respint[ao]|apert[ao]|rinviat[ao]|in (?:corso|revisione|discussione|attesa)',
);

/** A status without braces, quotes, emoji and emphasis. */
export function plainStatus(text: string): string {
  return text
    .slice(0, MOST_LINE)
    .replace(/[{}"'*_`]/g, ' ')
    .replace(/[^\p{L}\p{N}\p{P}\p{S}\s]|\p{Extended_Pictographic}|\uFE0F/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

export type RecordStatus = Extract<DocumentStatus, 'draft' | 'signed' | 'superseded'>;

/**
 * Maps a record's status text: accepted is in force, superseded or deprecated is not in force any more, and everything
 * else, including rejected, is a draft. A list of alternatives from a template is a draft as well.
 * @returns the status, and whether the text is a known one; an empty text is
 */
export function readStatus(text: string): { status: RecordStatus; isKnown: boolean } {
  const plain = plainStatus(text).toLowerCase().normalize('NFC');
  if (plain.includes(' | ')) return { status: 'draft', isKnown: true };
  if (SETTLED.test(plain)) return { status: 'signed', isKnown: true };
  if (OUT_OF_FORCE.test(plain)) return { status: 'superseded', isKnown: true };
  return { status: 'draft', isKnown: plain === '' || DRAFT.test(plain) };
}

/** A reference to another record; by file, by number, or both. */
export interface Reference {
  type: 'supersedes' | 'superseded_by' | 'relates_to';
  /** Relative, as in the link. */
  path?: string;
  number?: number;
}

const NAMED = /(?:\bADR[-_ #]{0,3}|#|\b)(\d{1,6})\b/gi;

const BY =
  /(?:super[cs]e+ded|replaced|obsoleted)\s+by|(?:ersetzt|abgelöst)\s+(?:durch|von)|remplac[ée]e?\s+par|(?:reemplazad|sustituid)[ao]\s+por|(?:sostituit|superat|rimpiazzat)[ao]\s+da(?:l|lla)?/;
const OVER = /super[cs]e+des|replaces|obsoletes|ersetzt|löst|remplace|reemplaza|sustituye|sostituisce|supera|rimpiazza/;
const BESIDE =
  /relate[sd]? to|amend(?:s|ed by)|clarifie[sd]|extends|see also|siehe auch|voir aussi|véase también|vedi anche/;
/** An expression as whole words; `\b` does not know letters with accents. */
const wordsOf = ({ source }: RegExp): RegExp => new RegExp(`(?<![\\p{L}\\p{N}])(?:${source})(?![\\p{L}\\p{N}])`, 'iu');
const RELATIONS = [
  ['superseded_by', wordsOf(BY)],
  ['supersedes', wordsOf(OVER)],
  ['relates_to', wordsOf(BESIDE)],
] as const;

/** The relation that a text states, and the position of its words. */
function relationIn(text: string): { type: Reference['type']; at: number } | undefined {
  for (const [type, pattern] of RELATIONS) {
    const at = text.search(pattern);
    if (at !== -1) return { type, at };
  }
  return undefined;
}

/** The number in a record's file name: `0005-use-dashes.md`, `adr-12.md`. */
export function numberOfFile(path: string): number | undefined {
  const digits = /^(?:adr[-_ ]?)?(\d{1,6})(?!\d)/i.exec(path.split('/').at(-1)!)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/**
 * The records referenced in a line.
 * @param isList whether a link without a relation word counts as `relates_to`
 */
export function referencesOf(line: string, isList: boolean): Reference[] {
  const text = line.slice(0, MOST_LINE);
  const stated = relationIn(text);
  const type = stated?.type ?? (isList ? 'relates_to' : undefined);
  if (type === undefined) return [];
  const links = linksOf(text).flatMap(({ target }): Reference[] => {
    const path = target.split(/[?#]/)[0]!;
    if (!/\.(md|markdown)$/i.test(path) || /^[a-z][a-z+.-]*:|^\//i.test(path)) return [];
    const number = numberOfFile(path);
    return [{ type, path: decoded(path), ...(number !== undefined && { number }) }];
  });
  if (links.length > 0 || !stated) return links;
  // Without a link: the text from the relation words on.
  const after = text.slice(stated.at, stated.at + 500);
  return [...after.matchAll(NAMED)]
    .filter(([whole]) => /^(ADR|#|0)/i.test(whole))
    .map(([, digits]) => ({ type, number: Number(digits) }));
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
