/** The texts of the pictures and tables of decisions, in the languages of the platform; English for all others. */
import { countWords, inLanguage, type CountedNoun, type DocumentStatus, type Translated } from '@lintel/sdk';

/** The texts in one language. */
interface Texts {
  title: string;
  decision: CountedNoun;
  /** What is counted, as a unit. */
  unit: string;
  /** @param decisions number with its noun @param from and to: days as they are written */
  begun(decisions: string, from: string, to: string): string;
  /** @param quarter from 1 to 4 */
  quarter(year: string, quarter: string): string;
  statuses: Readonly<Record<DocumentStatus, string>>;
  column: { period: string; from: string; to: string; decisions: string };
}

const TEXTS: Translated<Texts> = {
  en: {
    title: 'Architecture decisions over time',
    decision: { one: 'decision', other: 'decisions' },
    unit: 'decisions',
    begun: (decisions, from, to) => `${decisions} begun from ${from} to ${to}, by their status now`,
    quarter: (year, quarter) => `Q${quarter} ${year}`,
    statuses: { draft: 'Draft', in_review: 'In review', signed: 'Signed', superseded: 'Superseded' },
    column: { period: 'Period', from: 'From', to: 'To', decisions: 'Decisions' },
  },
  de: {
    title: 'Architekturentscheidungen im Zeitverlauf',
    decision: { one: 'Entscheidung', other: 'Entscheidungen' },
    unit: 'Entscheidungen',
    begun: (decisions, from, to) => `${decisions}, begonnen vom ${from} bis ${to}, nach heutigem Status`,
    quarter: (year, quarter) => `Q${quarter} ${year}`,
    statuses: { draft: 'Entwurf', in_review: 'In Prüfung', signed: 'Unterzeichnet', superseded: 'Abgelöst' },
    column: { period: 'Zeitraum', from: 'Von', to: 'Bis', decisions: 'Entscheidungen' },
  },
  fr: {
    title: 'Décisions d’architecture dans le temps',
    decision: { one: 'décision', other: 'décisions' },
    unit: 'décisions',
    begun: (decisions, from, to) => `${decisions}, du ${from} au ${to} (date de début), selon le statut actuel`,
    quarter: (year, quarter) => `T${quarter} ${year}`,
    statuses: { draft: 'Brouillon', in_review: 'En relecture', signed: 'Signée', superseded: 'Remplacée' },
    column: { period: 'Période', from: 'Du', to: 'Au', decisions: 'Décisions' },
  },
  es: {
    title: 'Decisiones de arquitectura en el tiempo',
    decision: { one: 'decisión', other: 'decisiones' },
    unit: 'decisiones',
    begun: (decisions, from, to) => `${decisions}, del ${from} al ${to} (fecha de inicio), según su estado actual`,
    quarter: (year, quarter) => `T${quarter} ${year}`,
    statuses: { draft: 'Borrador', in_review: 'En revisión', signed: 'Firmada', superseded: 'Sustituida' },
    column: { period: 'Período', from: 'Desde', to: 'Hasta', decisions: 'Decisiones' },
  },
  it: {
    title: 'Decisioni di architettura nel tempo',
    decision: { one: 'decisione', other: 'decisioni' },
    unit: 'decisioni',
    begun: (decisions, from, to) => `${decisions}, dal ${from} al ${to} (data di inizio), secondo lo stato attuale`,
    quarter: (year, quarter) => `T${quarter} ${year}`,
    statuses: { draft: 'Bozza', in_review: 'In revisione', signed: 'Firmata', superseded: 'Sostituita' },
    column: { period: 'Periodo', from: 'Dal', to: 'Al', decisions: 'Decisioni' },
  },
};

/** @param lang BCP 47 tag */
export const textsOf = (lang: string): Texts => inLanguage(TEXTS, lang);

/** A number of decisions with its noun. @param lang BCP 47 tag */
export const countDecisionWords = (count: number, lang: string): string =>
  countWords(count, TEXTS, ({ decision }) => decision, lang);
