/** The labels of what every card has, in the languages of the platform: the metamodel translates only what it defines. */

const en = {
  type: 'Type',
  subtype: 'Subtype',
  description: 'Description',
  externalId: 'External id',
  approval: 'Approval',
  lifecycle: 'Life cycle',
  dataQuality: 'Data quality',
  phases: { plan: 'Plan', phaseIn: 'Phase in', active: 'Active', phaseOut: 'Phase out', endOfLife: 'End of life' },
  approvals: { DRAFT: 'Draft', APPROVED: 'Approved', BROKEN: 'Broken', REJECTED: 'Rejected' },
};

/** The labels in one language. */
export type FixedTexts = typeof en;

const LANGUAGES: Readonly<Record<string, FixedTexts>> = {
  en,
  de: {
    type: 'Typ',
    subtype: 'Untertyp',
    description: 'Beschreibung',
    externalId: 'Externe Kennung',
    approval: 'Freigabe',
    lifecycle: 'Lebenszyklus',
    dataQuality: 'Datenqualität',
    phases: { plan: 'Planung', phaseIn: 'Einführung', active: 'Aktiv', phaseOut: 'Ablösung', endOfLife: 'Lebensende' },
    approvals: { DRAFT: 'Entwurf', APPROVED: 'Freigegeben', BROKEN: 'Gebrochen', REJECTED: 'Abgelehnt' },
  },
  fr: {
    type: 'Type',
    subtype: 'Sous-type',
    description: 'Description',
    externalId: 'Identifiant externe',
    approval: 'Approbation',
    lifecycle: 'Cycle de vie',
    dataQuality: 'Qualité des données',
    phases: {
      plan: 'Planification',
      phaseIn: 'Introduction',
      active: 'Active',
      phaseOut: 'Retrait',
      endOfLife: 'Fin de vie',
    },
    approvals: { DRAFT: 'Brouillon', APPROVED: 'Approuvée', BROKEN: 'Rompue', REJECTED: 'Rejetée' },
  },
  es: {
    type: 'Tipo',
    subtype: 'Subtipo',
    description: 'Descripción',
    externalId: 'Identificador externo',
    approval: 'Aprobación',
    lifecycle: 'Ciclo de vida',
    dataQuality: 'Calidad de los datos',
    phases: {
      plan: 'Planificación',
      phaseIn: 'Introducción',
      active: 'Activa',
      phaseOut: 'Retirada',
      endOfLife: 'Fin de vida',
    },
    approvals: { DRAFT: 'Borrador', APPROVED: 'Aprobada', BROKEN: 'Rota', REJECTED: 'Rechazada' },
  },
  it: {
    type: 'Tipo',
    subtype: 'Sottotipo',
    description: 'Descrizione',
    externalId: 'Identificativo esterno',
    approval: 'Approvazione',
    lifecycle: 'Ciclo di vita',
    dataQuality: 'Qualità dei dati',
    phases: {
      plan: 'Pianificazione',
      phaseIn: 'Introduzione',
      active: 'Attiva',
      phaseOut: 'Dismissione',
      endOfLife: 'Fine vita',
    },
    approvals: { DRAFT: 'Bozza', APPROVED: 'Approvata', BROKEN: 'Violata', REJECTED: 'Respinta' },
  },
};

/** @param lang a BCP 47 tag, such as `de-CH`; English for other languages */
export function fixedTexts(lang: string): FixedTexts {
  const language = lang.split('-')[0]!.toLowerCase();
  return Object.hasOwn(LANGUAGES, language) ? LANGUAGES[language]! : en;
}
