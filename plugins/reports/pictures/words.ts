/** The texts that drawings have besides their content, in the languages of the platform; English for all others. */

/** What can be left out of a drawing: one, and several, each with the word for "more" where it agrees with the noun. */
const ENGLISH = {
  areas: ['area', 'areas'],
  bars: ['bar', 'bars'],
  boxes: ['box', 'boxes'],
  colours: ['colour', 'colours'],
  columns: ['column', 'columns'],
  edges: ['edge', 'edges'],
  figures: ['figure', 'figures'],
  lines: ['line', 'lines'],
  nodes: ['node', 'nodes'],
  notes: ['note', 'notes'],
  panels: ['panel', 'panels'],
  rows: ['row', 'rows'],
  series: ['series', 'series'],
} as const;

/** A kind of elements that can be left out. */
export type Omitted = keyof typeof ENGLISH;
type Nouns = Record<Omitted, readonly [one: string, other: string]>;

/** The fixed texts in one language. */
export interface Words {
  noData: string;
  /** The texts of a large graph are smaller than others. */
  small: string;
  /** @param unit what the area of a tree map stands for */
  area(unit: string): string;
  /** @param count as it is written @param noun in its number */
  more(count: string, noun: string): string;
  nouns: Nouns;
}

const WORDS: Record<string, Words> & { en: Words } = {
  en: {
    noData: 'No data',
    small: 'The texts are small: ask for a greater width, or enlarge the picture.',
    area: (unit) => `Area: ${unit}`,
    more: (count, noun) => `… and ${count} more ${noun}`,
    nouns: ENGLISH,
  },
  de: {
    noData: 'Keine Daten',
    small: 'Die Texte sind klein: Fordern Sie eine größere Breite an, oder vergrößern Sie das Bild.',
    area: (unit) => `Fläche: ${unit}`,
    more: (count, noun) => `… und ${count} ${noun}`,
    nouns: {
      areas: ['weitere Fläche', 'weitere Flächen'],
      bars: ['weiterer Balken', 'weitere Balken'],
      boxes: ['weiterer Kasten', 'weitere Kästen'],
      colours: ['weitere Farbe', 'weitere Farben'],
      columns: ['weitere Spalte', 'weitere Spalten'],
      edges: ['weitere Verbindung', 'weitere Verbindungen'],
      figures: ['weitere Kennzahl', 'weitere Kennzahlen'],
      lines: ['weitere Linie', 'weitere Linien'],
      nodes: ['weiterer Knoten', 'weitere Knoten'],
      notes: ['weiterer Hinweis', 'weitere Hinweise'],
      panels: ['weiteres Diagramm', 'weitere Diagramme'],
      rows: ['weitere Zeile', 'weitere Zeilen'],
      series: ['weitere Datenreihe', 'weitere Datenreihen'],
    },
  },
  fr: {
    noData: 'Aucune donnée',
    small: 'Les textes sont petits : demandez une largeur plus grande ou agrandissez l’image.',
    area: (unit) => `Surface : ${unit}`,
    more: (count, noun) => `… et ${count} ${noun}`,
    nouns: {
      areas: ['autre surface', 'autres surfaces'],
      bars: ['autre barre', 'autres barres'],
      boxes: ['autre case', 'autres cases'],
      colours: ['autre couleur', 'autres couleurs'],
      columns: ['autre colonne', 'autres colonnes'],
      edges: ['autre lien', 'autres liens'],
      figures: ['autre chiffre', 'autres chiffres'],
      lines: ['autre courbe', 'autres courbes'],
      nodes: ['autre nœud', 'autres nœuds'],
      notes: ['autre remarque', 'autres remarques'],
      panels: ['autre graphique', 'autres graphiques'],
      rows: ['autre ligne', 'autres lignes'],
      series: ['autre série', 'autres séries'],
    },
  },
  es: {
    noData: 'Sin datos',
    small: 'Los textos son pequeños: pida una anchura mayor o amplíe la imagen.',
    area: (unit) => `Área: ${unit}`,
    more: (count, noun) => `… y ${count} ${noun} más`,
    nouns: {
      areas: ['área', 'áreas'],
      bars: ['barra', 'barras'],
      boxes: ['cuadro', 'cuadros'],
      colours: ['color', 'colores'],
      columns: ['columna', 'columnas'],
      edges: ['conexión', 'conexiones'],
      figures: ['cifra', 'cifras'],
      lines: ['línea', 'líneas'],
      nodes: ['nodo', 'nodos'],
      notes: ['nota', 'notas'],
      panels: ['gráfico', 'gráficos'],
      rows: ['fila', 'filas'],
      series: ['serie', 'series'],
    },
  },
  it: {
    noData: 'Nessun dato',
    small: 'I testi sono piccoli: richieda una larghezza maggiore o ingrandisca l’immagine.',
    area: (unit) => `Area: ${unit}`,
    more: (count, noun) => `… e ${count} ${noun}`,
    nouns: {
      areas: ['altra area', 'altre aree'],
      bars: ['altra barra', 'altre barre'],
      boxes: ['altro riquadro', 'altri riquadri'],
      colours: ['altro colore', 'altri colori'],
      columns: ['altra colonna', 'altre colonne'],
      edges: ['altro collegamento', 'altri collegamenti'],
      figures: ['altra cifra', 'altre cifre'],
      lines: ['altra linea', 'altre linee'],
      nodes: ['altro nodo', 'altri nodi'],
      notes: ['altra nota', 'altre note'],
      panels: ['altro grafico', 'altri grafici'],
      rows: ['altra riga', 'altre righe'],
      series: ['altra serie', 'altre serie'],
    },
  },
};

/** @param lang a BCP 47 tag that `Intl` knows, such as `de-CH` */
export function wordsOf(lang: string): Words {
  const [language = 'en'] = lang.split('-');
  return Object.hasOwn(WORDS, language) ? WORDS[language]! : WORDS.en;
}

/** The line for what is left out. @param count at least 1 @param number the count as it is written */
export function omitted({ nouns, more }: Words, lang: string, count: number, number: string, what: Omitted): string {
  const [one, other] = nouns[what];
  return more(number, new Intl.PluralRules(lang).select(count) === 'one' ? one : other);
}
