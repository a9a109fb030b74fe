/** The texts of drawings in the languages of the platform; English for all others. */

interface Noun {
  one: string;
  other: string;
}

interface Texts {
  /** The title of a drawing without a name. */
  diagram: string;
  shapes: Noun;
  connections: Noun;
  and: string;
}

const LANGUAGES = {
  en: {
    diagram: 'Diagram',
    shapes: { one: 'shape', other: 'shapes' },
    connections: { one: 'connection', other: 'connections' },
    and: 'and',
  },
  de: {
    diagram: 'Diagramm',
    shapes: { one: 'Form', other: 'Formen' },
    connections: { one: 'Verbindung', other: 'Verbindungen' },
    and: 'und',
  },
  fr: {
    diagram: 'Diagramme',
    shapes: { one: 'forme', other: 'formes' },
    connections: { one: 'connexion', other: 'connexions' },
    and: 'et',
  },
  es: {
    diagram: 'Diagrama',
    shapes: { one: 'forma', other: 'formas' },
    connections: { one: 'conexión', other: 'conexiones' },
    and: 'y',
  },
  it: {
    diagram: 'Diagramma',
    shapes: { one: 'forma', other: 'forme' },
    connections: { one: 'connessione', other: 'connessioni' },
    and: 'e',
  },
} satisfies Record<string, Texts>;
export type Language = keyof typeof LANGUAGES;

/** The language of a drawing. @param lang a BCP 47 tag, such as `de-CH` */
export function languageOf(lang: string): Language {
  const language = lang.split('-')[0]!.toLowerCase();
  return Object.hasOwn(LANGUAGES, language) ? (language as Language) : 'en';
}

export const textsIn = (language: Language): Texts => LANGUAGES[language];

/** What a drawing shows, such as `1 shape and 1,200 connections`. */
export function contentIn(language: Language, shapes: number, connections: number): string {
  const texts = textsIn(language);
  const rules = new Intl.PluralRules(language);
  const number = new Intl.NumberFormat(language);
  const counted = (count: number, { one, other }: Noun): string =>
    `${number.format(count)} ${rules.select(count) === 'one' ? one : other}`;
  return `${counted(shapes, texts.shapes)} ${texts.and} ${counted(connections, texts.connections)}`;
}
