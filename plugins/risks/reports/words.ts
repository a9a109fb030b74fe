/** The texts of the pictures and tables of risks, in the languages of the platform; English for all others. */
import { countWords, inLanguage, type CountedNoun, type Translated } from '@lintel/sdk';
import type { Impact, Kind, Level, Probability } from '../scales.js';

/** The texts in one language. */
interface Texts {
  risk: CountedNoun;
  /** What is counted, as a unit. */
  unit: string;
  heatMap: Readonly<Record<Kind, string>>;
  matrix: Readonly<Record<Kind, string>>;
  judged: Readonly<Record<Kind, string>>;
  /** @param risks number with its noun */
  byBoth(risks: string): string;
  /** @param count as it is written */
  notJudged(count: string): string;
  /** @param count as it is written */
  more(count: string): string;
  /** What a cell of the matrix shows. */
  cell(probability: string, impact: string, risks: string): string;
  column: { probability: string; impact: string; level: string; risks: string };
  /** The labels of scales that the settings have by default. */
  probabilities: Readonly<Record<Probability, string>>;
  impacts: Readonly<Record<Impact, string>>;
  levels: Readonly<Record<Level, string>>;
}

const TEXTS: Translated<Texts> = {
  en: {
    risk: { one: 'risk', other: 'risks' },
    unit: 'risks',
    heatMap: { initial: 'Risks before mitigation', residual: 'Risks with mitigation as it stands' },
    matrix: { initial: 'Risk matrix: initial', residual: 'Risk matrix: residual' },
    judged: { initial: 'Before mitigation', residual: 'With mitigation as it stands' },
    byBoth: (risks) => `${risks} by probability and impact`,
    notJudged: (count) => `Not judged: ${count}`,
    more: (count) => `+${count} more`,
    cell: (probability, impact, risks) => `${probability} probability, ${impact} impact: ${risks}`,
    column: { probability: 'Probability', impact: 'Impact', level: 'Level', risks: 'Risks' },
    probabilities: { very_high: 'Very high', high: 'High', medium: 'Medium', low: 'Low' },
    impacts: { critical: 'Critical', high: 'High', medium: 'Medium', low: 'Low' },
    levels: { critical: 'Critical', high: 'High', medium: 'Medium', low: 'Low' },
  },
  de: {
    risk: { one: 'Risiko', other: 'Risiken' },
    unit: 'Risiken',
    heatMap: { initial: 'Risiken vor Maßnahmen', residual: 'Risiken beim jetzigen Stand der Maßnahmen' },
    matrix: { initial: 'Risikomatrix: Anfangsrisiko', residual: 'Risikomatrix: Restrisiko' },
    judged: { initial: 'Vor Maßnahmen', residual: 'Beim jetzigen Stand der Maßnahmen' },
    byBoth: (risks) => `${risks} nach Wahrscheinlichkeit und Auswirkung`,
    notJudged: (count) => `Nicht bewertet: ${count}`,
    more: (count) => `+${count} weitere`,
    cell: (probability, impact, risks) => `Wahrscheinlichkeit: ${probability}, Auswirkung: ${impact}: ${risks}`,
    column: { probability: 'Wahrscheinlichkeit', impact: 'Auswirkung', level: 'Stufe', risks: 'Risiken' },
    probabilities: { very_high: 'Sehr hoch', high: 'Hoch', medium: 'Mittel', low: 'Gering' },
    impacts: { critical: 'Kritisch', high: 'Hoch', medium: 'Mittel', low: 'Gering' },
    levels: { critical: 'Kritisch', high: 'Hoch', medium: 'Mittel', low: 'Gering' },
  },
  fr: {
    risk: { one: 'risque', other: 'risques' },
    unit: 'risques',
    heatMap: { initial: 'Risques avant mesures', residual: 'Risques avec les mesures en l’état' },
    matrix: { initial: 'Matrice des risques : initiaux', residual: 'Matrice des risques : résiduels' },
    judged: { initial: 'Avant mesures', residual: 'Avec les mesures en l’état' },
    byBoth: (risks) => `${risks} par probabilité et impact`,
    notJudged: (count) => `Non évalués : ${count}`,
    more: (count) => `+${count} autres`,
    cell: (probability, impact, risks) => `Probabilité : ${probability}, impact : ${impact} : ${risks}`,
    column: { probability: 'Probabilité', impact: 'Impact', level: 'Niveau', risks: 'Risques' },
    probabilities: { very_high: 'Très élevée', high: 'Élevée', medium: 'Moyenne', low: 'Faible' },
    impacts: { critical: 'Critique', high: 'Élevé', medium: 'Moyen', low: 'Faible' },
    levels: { critical: 'Critique', high: 'Élevé', medium: 'Moyen', low: 'Faible' },
  },
  es: {
    risk: { one: 'riesgo', other: 'riesgos' },
    unit: 'riesgos',
    heatMap: { initial: 'Riesgos antes de las medidas', residual: 'Riesgos con las medidas en su estado actual' },
    matrix: { initial: 'Matriz de riesgos: iniciales', residual: 'Matriz de riesgos: residuales' },
    judged: { initial: 'Antes de las medidas', residual: 'Con las medidas en su estado actual' },
    byBoth: (risks) => `${risks} por probabilidad e impacto`,
    notJudged: (count) => `Sin evaluar: ${count}`,
    more: (count) => `+${count} más`,
    cell: (probability, impact, risks) => `Probabilidad: ${probability}, impacto: ${impact}: ${risks}`,
    column: { probability: 'Probabilidad', impact: 'Impacto', level: 'Nivel', risks: 'Riesgos' },
    probabilities: { very_high: 'Muy alta', high: 'Alta', medium: 'Media', low: 'Baja' },
    impacts: { critical: 'Crítico', high: 'Alto', medium: 'Medio', low: 'Bajo' },
    levels: { critical: 'Crítico', high: 'Alto', medium: 'Medio', low: 'Bajo' },
  },
  it: {
    risk: { one: 'rischio', other: 'rischi' },
    unit: 'rischi',
    heatMap: { initial: 'Rischi prima delle misure', residual: 'Rischi con le misure allo stato attuale' },
    matrix: { initial: 'Matrice dei rischi: iniziali', residual: 'Matrice dei rischi: residui' },
    judged: { initial: 'Prima delle misure', residual: 'Con le misure allo stato attuale' },
    byBoth: (risks) => `${risks} per probabilità e impatto`,
    notJudged: (count) => `Non valutati: ${count}`,
    more: (count) => `altri ${count}`,
    cell: (probability, impact, risks) => `Probabilità: ${probability}, impatto: ${impact}: ${risks}`,
    column: { probability: 'Probabilità', impact: 'Impatto', level: 'Livello', risks: 'Rischi' },
    probabilities: { very_high: 'Molto alta', high: 'Alta', medium: 'Media', low: 'Bassa' },
    impacts: { critical: 'Critico', high: 'Alto', medium: 'Medio', low: 'Basso' },
    levels: { critical: 'Critico', high: 'Alto', medium: 'Medio', low: 'Basso' },
  },
};

/** The English labels of scales, which the settings have by default. */
export const { probabilities: PROBABILITY_LABELS, impacts: IMPACT_LABELS, levels: LEVEL_LABELS } = TEXTS.en;

/** @param lang BCP 47 tag */
export const textsOf = (lang: string): Texts => inLanguage(TEXTS, lang);

/** A number of risks with its noun. @param lang BCP 47 tag */
export const countRisks = (count: number, lang: string): string => countWords(count, TEXTS, ({ risk }) => risk, lang);

type Scale = 'probabilities' | 'impacts' | 'levels';
/** Steps of a scale with labels. */
type Steps = readonly { key: string; label: string }[];

function translated<S extends Steps>(steps: S, scale: Scale, lang: string): S {
  const [english, own] = [TEXTS.en[scale], textsOf(lang)[scale]] as readonly Readonly<Record<string, string>>[];
  return steps.map((step) => (step.label === english![step.key] ? { ...step, label: own![step.key]! } : step)) as never;
}

/**
 * The scales with labels in the language of a request. Labels that the settings change stay as they are, because they have no
 * translations.
 * @param lang BCP 47 tag
 */
export const inLanguageOf = <V extends Record<Scale, Steps>>(view: V, lang: string): V => ({
  ...view,
  probabilities: translated(view.probabilities, 'probabilities', lang),
  impacts: translated(view.impacts, 'impacts', lang),
  levels: translated(view.levels, 'levels', lang),
});
