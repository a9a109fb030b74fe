import type { EntryMember } from '../sections/schema.js';
import type { Note } from './model.js';

/** Titles of columns, values and notes of tables in one language. */
export interface Words {
  card: string;
  type: string;
  gap: string;
  date: string;
  detail: string;
  reference: string;
  title: string;
  level: string;
  status: string;
  sum: string;
  yes: string;
  no: string;
  gaps: { end_of_life: string; phase_out: string; missing_relation: string };
  notes: Record<Note, string>;
  hidden: string;
  entries: Record<EntryMember, string>;
}

const en: Words = {
  card: 'Card',
  type: 'Type',
  gap: 'Gap',
  date: 'Date',
  detail: 'Detail',
  reference: 'Reference',
  title: 'Title',
  level: 'Level',
  status: 'Status',
  sum: 'Sum',
  yes: 'Yes',
  no: 'No',
  gaps: {
    end_of_life: 'End of life without a successor',
    phase_out: 'Phased out before the target date',
    missing_relation: 'Required relation is missing',
  },
  notes: {
    module_disabled: 'The module with these data is disabled.',
    not_permitted: 'Withheld: a permission is missing.',
    filter_refused: 'The filter of the table cannot be applied.',
    truncated: 'The table has more rows than are shown.',
  },
  hidden: 'Withheld',
  entries: {
    role: 'Role',
    name: 'Name',
    user_id: 'Account',
    responsibilities: 'Responsibilities',
    deliverable: 'Deliverable',
    description: 'Description',
    due_date: 'Due date',
    criterion: 'Criterion',
    measure: 'Measure',
    work_item: 'Work item',
    start_date: 'Start',
    end_date: 'End',
    owner: 'Owner',
    effort: 'Effort',
    risk: 'Risk',
    mitigation: 'Mitigation',
  },
};
const de: Words = {
  card: 'Karte',
  type: 'Typ',
  gap: 'Lücke',
  date: 'Datum',
  detail: 'Einzelheit',
  reference: 'Nummer',
  title: 'Titel',
  level: 'Stufe',
  status: 'Status',
  sum: 'Summe',
  yes: 'Ja',
  no: 'Nein',
  gaps: {
    end_of_life: 'Lebensende ohne Nachfolger',
    phase_out: 'Läuft vor dem Zieldatum aus',
    missing_relation: 'Erforderliche Beziehung fehlt',
  },
  notes: {
    module_disabled: 'Das Modul mit diesen Daten ist ausgeschaltet.',
    not_permitted: 'Zurückgehalten: Eine Berechtigung fehlt.',
    filter_refused: 'Der Filter der Tabelle kann nicht angewendet werden.',
    truncated: 'Die Tabelle hat mehr Zeilen, als gezeigt werden.',
  },
  hidden: 'Zurückgehalten',
  entries: {
    role: 'Rolle',
    name: 'Name',
    user_id: 'Konto',
    responsibilities: 'Verantwortung',
    deliverable: 'Liefergegenstand',
    description: 'Beschreibung',
    due_date: 'Fällig am',
    criterion: 'Kriterium',
    measure: 'Messgröße',
    work_item: 'Arbeitspaket',
    start_date: 'Beginn',
    end_date: 'Ende',
    owner: 'Verantwortlich',
    effort: 'Aufwand',
    risk: 'Risiko',
    mitigation: 'Gegenmaßnahme',
  },
};
const fr: Words = {
  card: 'Fiche',
  type: 'Type',
  gap: 'Écart',
  date: 'Date',
  detail: 'Détail',
  reference: 'Référence',
  title: 'Titre',
  level: 'Niveau',
  status: 'Statut',
  sum: 'Total',
  yes: 'Oui',
  no: 'Non',
  gaps: {
    end_of_life: 'Fin de vie sans successeur',
    phase_out: 'Retiré avant la date cible',
    missing_relation: 'Relation requise manquante',
  },
  notes: {
    module_disabled: 'Le module qui fournit ces données est désactivé.',
    not_permitted: 'Non communiqué : une autorisation manque.',
    filter_refused: 'Le filtre du tableau ne peut pas être appliqué.',
    truncated: 'Le tableau comporte plus de lignes que celles affichées.',
  },
  hidden: 'Non communiqué',
  entries: {
    role: 'Rôle',
    name: 'Nom',
    user_id: 'Compte',
    responsibilities: 'Responsabilités',
    deliverable: 'Livrable',
    description: 'Description',
    due_date: 'Échéance',
    criterion: 'Critère',
    measure: 'Mesure',
    work_item: 'Lot de travail',
    start_date: 'Début',
    end_date: 'Fin',
    owner: 'Responsable',
    effort: 'Charge',
    risk: 'Risque',
    mitigation: 'Mesure de réduction',
  },
};
const es: Words = {
  card: 'Ficha',
  type: 'Tipo',
  gap: 'Brecha',
  date: 'Fecha',
  detail: 'Detalle',
  reference: 'Referencia',
  title: 'Título',
  level: 'Nivel',
  status: 'Estado',
  sum: 'Total',
  yes: 'Sí',
  no: 'No',
  gaps: {
    end_of_life: 'Fin de vida sin sucesor',
    phase_out: 'Se retira antes de la fecha objetivo',
    missing_relation: 'Falta una relación obligatoria',
  },
  notes: {
    module_disabled: 'El módulo con estos datos está desactivado.',
    not_permitted: 'No mostrado: falta un permiso.',
    filter_refused: 'El filtro de la tabla no se puede aplicar.',
    truncated: 'La tabla tiene más filas de las que se muestran.',
  },
  hidden: 'No mostrado',
  entries: {
    role: 'Rol',
    name: 'Nombre',
    user_id: 'Cuenta',
    responsibilities: 'Responsabilidades',
    deliverable: 'Entregable',
    description: 'Descripción',
    due_date: 'Fecha de entrega',
    criterion: 'Criterio',
    measure: 'Medida',
    work_item: 'Paquete de trabajo',
    start_date: 'Inicio',
    end_date: 'Fin',
    owner: 'Responsable',
    effort: 'Esfuerzo',
    risk: 'Riesgo',
    mitigation: 'Mitigación',
  },
};
const it: Words = {
  card: 'Scheda',
  type: 'Tipo',
  gap: 'Lacuna',
  date: 'Data',
  detail: 'Dettaglio',
  reference: 'Riferimento',
  title: 'Titolo',
  level: 'Livello',
  status: 'Stato',
  sum: 'Totale',
  yes: 'Sì',
  no: 'No',
  gaps: {
    end_of_life: 'Fine vita senza successore',
    phase_out: 'Dismesso prima della data obiettivo',
    missing_relation: 'Manca una relazione obbligatoria',
  },
  notes: {
    module_disabled: 'Il modulo con questi dati è disattivato.',
    not_permitted: 'Non mostrato: manca un’autorizzazione.',
    filter_refused: 'Il filtro della tabella non può essere applicato.',
    truncated: 'La tabella ha più righe di quelle mostrate.',
  },
  hidden: 'Non mostrato',
  entries: {
    role: 'Ruolo',
    name: 'Nome',
    user_id: 'Account',
    responsibilities: 'Responsabilità',
    deliverable: 'Risultato',
    description: 'Descrizione',
    due_date: 'Scadenza',
    criterion: 'Criterio',
    measure: 'Misura',
    work_item: 'Attività',
    start_date: 'Inizio',
    end_date: 'Fine',
    owner: 'Responsabile',
    effort: 'Impegno',
    risk: 'Rischio',
    mitigation: 'Mitigazione',
  },
};
const ALL: Readonly<Record<string, Words>> = { en, de, fr, es, it };

/** The words of a language, or the English ones. @param lang BCP 47 tag */
export function wordsIn(lang: string): Words {
  const [language = 'en'] = lang.toLowerCase().split('-');
  return (Object.hasOwn(ALL, language) ? ALL[language] : undefined) ?? en;
}
