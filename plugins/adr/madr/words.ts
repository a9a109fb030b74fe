/** Kinds of sections of a record. */
export type Kind =
  | 'status'
  | 'context'
  | 'drivers'
  | 'options'
  | 'decision'
  | 'consequences'
  | 'positive'
  | 'negative'
  | 'prosCons'
  | 'links';

/**
 * How a stored source was read when it was imported. A record is read again to see what was changed since, which has to find the same
 * sections: 1: English headings only, and front matter as a whole or not at all; 2: all that this folder reads.
 */
export type Reader = 1 | 2;
export const READER: Reader = 2;

/** English headings, of all versions of MADR and of Nygard's format. */
const ENGLISH: Record<Kind, readonly string[]> = {
  status: ['status'],
  context: [
    'context and problem statement',
    'context',
    'problem statement',
    'problem',
    'context problem statement',
    'background',
    'issue',
  ],
  drivers: ['decision drivers', 'drivers', 'forces'],
  options: [
    'considered options',
    'options',
    'options considered',
    'considered alternatives',
    'alternatives',
    'alternatives considered',
  ],
  decision: ['decision outcome', 'decision', 'outcome'],
  consequences: ['consequences'],
  positive: ['positive consequences'],
  negative: ['negative consequences'],
  prosCons: ['pros and cons of the options', 'pros and cons'],
  links: ['links', 'more information', 'related', 'related decisions', 'references'],
};

/** German, French, Spanish and Italian headings, without accents. */
const OTHERS: Record<Kind, readonly string[]> = {
  status: ['zustand', 'statut', 'etat', 'estado', 'stato'],
  context: [
    ...[
      'kontext',
      'kontext und problemstellung',
      'kontext und problem',
      'problemstellung',
      'hintergrund',
      'ausgangslage',
    ],
    ...[
      'contexte',
      'contexte et enonce du probleme',
      'contexte et probleme',
      'contexte et problematique',
      'problematique',
    ],
    ...['enonce du probleme', 'probleme'],
    ...[
      'contexto',
      'contexto y planteamiento del problema',
      'contexto y problema',
      'planteamiento del problema',
      'problema',
    ],
    ...['contesto', 'contesto e problema', 'contesto e definizione del problema', 'definizione del problema'],
    ...['contesto e descrizione del problema', 'descrizione del problema'],
  ],
  drivers: [
    ...[
      'entscheidungstreiber',
      'treiber',
      'entscheidungskriterien',
      'entscheidungsfaktoren',
      'einflussfaktoren',
      'kriterien',
    ],
    ...[
      'facteurs de decision',
      'facteurs de la decision',
      'criteres de decision',
      'moteurs de la decision',
      'criteres',
    ],
    ...[
      'factores de decision',
      'factores de la decision',
      'criterios de decision',
      'impulsores de la decision',
      'criterios',
    ],
    ...['fattori decisionali', 'fattori di decisione', 'fattori della decisione', 'criteri di decisione', 'criteri'],
  ],
  options: [
    ...['betrachtete optionen', 'erwogene optionen', 'betrachtete varianten', 'betrachtete alternativen', 'optionen'],
    ...['alternativen', 'varianten', 'erwogene alternativen', 'untersuchte optionen', 'untersuchte alternativen'],
    ...[
      'options envisagees',
      'options considerees',
      'options etudiees',
      'alternatives envisagees',
      'alternatives considerees',
    ],
    ...['opciones consideradas', 'opciones', 'alternativas', 'alternativas consideradas'],
    ...['opzioni considerate', 'opzioni valutate', 'opzioni', 'alternative', 'alternative considerate'],
  ],
  decision: [
    ...[
      'entscheidung',
      'entscheidungsergebnis',
      'ergebnis der entscheidung',
      'getroffene entscheidung',
      'beschluss',
      'ergebnis',
    ],
    ...['resultat de la decision', 'decision retenue', 'decision prise'],
    ...['resultado de la decision', 'decision tomada'],
    ...['decisione', 'esito della decisione', 'risultato della decisione', 'decisione presa'],
  ],
  consequences: ['konsequenzen', 'auswirkungen', 'folgen', 'consecuencias', 'conseguenze'],
  positive: [
    ...['positive konsequenzen', 'positive auswirkungen', 'positive folgen', 'consequences positives'],
    ...['consecuencias positivas', 'conseguenze positive'],
  ],
  negative: [
    ...['negative konsequenzen', 'negative auswirkungen', 'negative folgen', 'consequences negatives'],
    ...['consecuencias negativas', 'conseguenze negative'],
  ],
  prosCons: [
    ...['vor und nachteile der optionen', 'vor und nachteile', 'pro und contra der optionen', 'pro und contra'],
    ...['pro und kontra der optionen', 'pro und kontra'],
    ...['avantages et inconvenients des options', 'avantages et inconvenients'],
    ...[
      'pros y contras de las opciones',
      'pros y contras',
      'ventajas y desventajas de las opciones',
      'ventajas y desventajas',
    ],
    ...['pro e contro delle opzioni', 'pro e contro', 'vantaggi e svantaggi delle opzioni', 'vantaggi e svantaggi'],
  ],
  links: [
    ...['verweise', 'weitere informationen', 'weiterfuhrende informationen', 'referenzen', 'verwandte entscheidungen'],
    ...['liens', 'plus d informations', 'informations complementaires', 'decisions liees'],
    ...['enlaces', 'mas informacion', 'referencias', 'decisiones relacionadas'],
    ...['collegamenti', 'ulteriori informazioni', 'maggiori informazioni', 'riferimenti', 'decisioni correlate'],
  ],
};

const kindsOf = (...tables: Record<Kind, readonly string[]>[]): ReadonlyMap<string, Kind> =>
  new Map(
    tables.flatMap((table) =>
      Object.entries(table).flatMap(([kind, titles]) => titles.map((title) => [title, kind as Kind] as const)),
    ),
  );
const KINDS = { 1: kindsOf(ENGLISH), 2: kindsOf(OTHERS, ENGLISH) };

const words = (text: string): string => text.replace(/[^\p{L}]+/gu, ' ').trim();

/** The kind of a section by its heading; undefined for other headings. */
export function kindOf(title: string, reader: Reader): Kind | undefined {
  const key = title.slice(0, 200).toLowerCase();
  return KINDS[reader].get(words(reader === 1 ? key : key.normalize('NFD').replace(/\p{M}/gu, '')));
}

/** Names of members of the front matter and of lines of the header. */
export const NAMES = {
  status: ['status', 'statut', 'état', 'etat', 'estado', 'stato', 'zustand'],
  date: ['date', 'datum', 'fecha', 'data'],
  title: ['title', 'titel', 'titre', 'título', 'titulo', 'titolo'],
} as const;
