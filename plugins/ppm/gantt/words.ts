/** The fixed texts of the chart in the languages of the platform; English for all others. */
export interface Words {
  item: string;
  start: string;
  finish: string;
  today: string;
  task: string;
  done: string;
  critical: string;
  milestone: string;
  summary: string;
  baseline: string;
  /** Before the number of an ISO week. */
  week: string;
  quarter: string;
  noItems: string;
  /** @param count as it is written */
  items(count: string): string;
  part(first: string, last: string, total: string): string;
  hidden(count: string): string;
  chart(title: string): string;
}

const WORDS: Record<string, Words> & { en: Words } = {
  en: {
    item: 'Item',
    start: 'Start',
    finish: 'Finish',
    today: 'Today',
    task: 'Task',
    done: 'Completed',
    critical: 'Critical',
    milestone: 'Milestone',
    summary: 'Summary',
    baseline: 'Baseline',
    week: 'W',
    quarter: 'Q',
    noItems: 'The plan has no items.',
    items: (count) => `${count} items`,
    part: (first, last, total) => `Items ${first} to ${last} of ${total}`,
    hidden: (count) => `${count} dependencies between distant rows are not drawn.`,
    chart: (title) => `Gantt chart: ${title}`,
  },
  de: {
    item: 'Vorgang',
    start: 'Anfang',
    finish: 'Ende',
    today: 'Heute',
    task: 'Vorgang',
    done: 'Abgeschlossen',
    critical: 'Kritisch',
    milestone: 'Meilenstein',
    summary: 'Sammelvorgang',
    baseline: 'Basisplan',
    week: 'KW',
    quarter: 'Q',
    noItems: 'Der Plan hat keine Vorgänge.',
    items: (count) => `${count} Vorgänge`,
    part: (first, last, total) => `Vorgänge ${first} bis ${last} von ${total}`,
    hidden: (count) => `${count} Abhängigkeiten zwischen weit entfernten Zeilen sind nicht gezeichnet.`,
    chart: (title) => `Gantt-Diagramm: ${title}`,
  },
  fr: {
    item: 'Tâche',
    start: 'Début',
    finish: 'Fin',
    today: 'Aujourd’hui',
    task: 'Tâche',
    done: 'Achevé',
    critical: 'Critique',
    milestone: 'Jalon',
    summary: 'Récapitulatif',
    baseline: 'Référence',
    week: 'S',
    quarter: 'T',
    noItems: 'Le plan n’a pas de tâches.',
    items: (count) => `${count} tâches`,
    part: (first, last, total) => `Tâches ${first} à ${last} sur ${total}`,
    hidden: (count) => `${count} dépendances entre lignes éloignées ne sont pas dessinées.`,
    chart: (title) => `Diagramme de Gantt : ${title}`,
  },
  es: {
    item: 'Tarea',
    start: 'Inicio',
    finish: 'Fin',
    today: 'Hoy',
    task: 'Tarea',
    done: 'Completado',
    critical: 'Crítica',
    milestone: 'Hito',
    summary: 'Resumen',
    baseline: 'Línea base',
    week: 'S',
    quarter: 'T',
    noItems: 'El plan no tiene tareas.',
    items: (count) => `${count} tareas`,
    part: (first, last, total) => `Tareas ${first} a ${last} de ${total}`,
    hidden: (count) => `No se dibujan ${count} dependencias entre filas distantes.`,
    chart: (title) => `Diagrama de Gantt: ${title}`,
  },
  it: {
    item: 'Attività',
    start: 'Inizio',
    finish: 'Fine',
    today: 'Oggi',
    task: 'Attività',
    done: 'Completato',
    critical: 'Critica',
    milestone: 'Cardine',
    summary: 'Riepilogo',
    baseline: 'Previsione',
    week: 'S',
    quarter: 'T',
    noItems: 'Il piano non ha attività.',
    items: (count) => `${count} attività`,
    part: (first, last, total) => `Attività da ${first} a ${last} di ${total}`,
    hidden: (count) => `${count} dipendenze tra righe distanti non sono disegnate.`,
    chart: (title) => `Diagramma di Gantt: ${title}`,
  },
};

/** @param lang BCP 47 tag */
export const wordsOf = (lang: string): Words => WORDS[lang.toLowerCase().split('-')[0]!] ?? WORDS.en;
