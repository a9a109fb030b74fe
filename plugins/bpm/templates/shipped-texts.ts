/** The texts of the templates that ship with the module. */
import type { Language } from '../words/index.js';
import type { Shipped } from './shipped.js';

interface TemplateTexts {
  name: string;
  lanes: readonly [string, string];
  /** By the id of a node, or the ids of the two nodes of a flow. */
  steps: Readonly<Record<string, string>>;
}

export const SHIPPED_TEXTS: Readonly<Record<Language, Readonly<Record<Shipped, TemplateTexts>>>> = {
  en: {
    four_eyes: {
      name: 'Approval with four eyes',
      lanes: ['Requester', 'Approver'],
      steps: {
        ...{ Requested: 'Need arises', Prepare: 'Prepare request', Check: 'Check request', Decision: 'Approved?' },
        ...{ CarryOut: 'Carry out request', Done: 'Request carried out', Rejected: 'Request rejected' },
        ...{ Decision_CarryOut: 'Yes', Decision_Rejected: 'No', Decision_Prepare: 'To be revised' },
      },
    },
    incident: {
      name: 'Incident handling',
      lanes: ['Service desk', 'Specialists'],
      steps: {
        ...{ Reported: 'Incident reported', Record: 'Record and classify', Known: 'Solution known?' },
        ...{ Resolve: 'Apply solution', Analyse: 'Analyse and resolve', Confirm: 'Confirm with reporter' },
        ...{ Solved: 'Solved?', Closed: 'Incident closed', Known_Resolve: 'Yes', Known_Analyse: 'No' },
        ...{ Solved_Closed: 'Yes', Solved_Analyse: 'No' },
      },
    },
  },
  de: {
    four_eyes: {
      name: 'Freigabe im Vier-Augen-Prinzip',
      lanes: ['Antragsteller', 'Freigebende'],
      steps: {
        ...{
          Requested: 'Bedarf entsteht',
          Prepare: 'Antrag stellen',
          Check: 'Antrag prüfen',
          Decision: 'Freigegeben?',
        },
        ...{ CarryOut: 'Antrag ausführen', Done: 'Antrag ausgeführt', Rejected: 'Antrag abgelehnt' },
        ...{ Decision_CarryOut: 'Ja', Decision_Rejected: 'Nein', Decision_Prepare: 'Zu überarbeiten' },
      },
    },
    incident: {
      name: 'Bearbeitung von Störungen',
      lanes: ['Service Desk', 'Fachleute'],
      steps: {
        ...{ Reported: 'Störung gemeldet', Record: 'Erfassen und einordnen', Known: 'Lösung bekannt?' },
        ...{ Resolve: 'Lösung anwenden', Analyse: 'Untersuchen und beheben', Confirm: 'Mit Meldendem abstimmen' },
        ...{ Solved: 'Gelöst?', Closed: 'Störung abgeschlossen', Known_Resolve: 'Ja', Known_Analyse: 'Nein' },
        ...{ Solved_Closed: 'Ja', Solved_Analyse: 'Nein' },
      },
    },
  },
  fr: {
    four_eyes: {
      name: 'Approbation à quatre yeux',
      lanes: ['Demandeur', 'Approbateur'],
      steps: {
        ...{ Requested: 'Besoin constaté', Prepare: 'Rédiger la demande', Check: 'Vérifier la demande' },
        ...{ Decision: 'Approuvée ?', CarryOut: 'Exécuter la demande', Done: 'Demande exécutée' },
        ...{ Rejected: 'Demande rejetée', Decision_CarryOut: 'Oui', Decision_Rejected: 'Non' },
        ...{ Decision_Prepare: 'À revoir' },
      },
    },
    incident: {
      name: 'Gestion des incidents',
      lanes: ['Centre de services', 'Spécialistes'],
      steps: {
        ...{ Reported: 'Incident signalé', Record: 'Enregistrer et classer', Known: 'Solution connue ?' },
        ...{
          Resolve: 'Appliquer la solution',
          Analyse: 'Analyser et résoudre',
          Confirm: 'Confirmer avec le déclarant',
        },
        ...{ Solved: 'Résolu ?', Closed: 'Incident clos', Known_Resolve: 'Oui', Known_Analyse: 'Non' },
        ...{ Solved_Closed: 'Oui', Solved_Analyse: 'Non' },
      },
    },
  },
  es: {
    four_eyes: {
      name: 'Aprobación con cuatro ojos',
      lanes: ['Solicitante', 'Aprobador'],
      steps: {
        ...{ Requested: 'Surge la necesidad', Prepare: 'Preparar solicitud', Check: 'Revisar solicitud' },
        ...{ Decision: '¿Aprobada?', CarryOut: 'Ejecutar solicitud', Done: 'Solicitud ejecutada' },
        ...{ Rejected: 'Solicitud rechazada', Decision_CarryOut: 'Sí', Decision_Rejected: 'No' },
        ...{ Decision_Prepare: 'Por corregir' },
      },
    },
    incident: {
      name: 'Gestión de incidencias',
      lanes: ['Centro de servicio', 'Especialistas'],
      steps: {
        ...{ Reported: 'Incidencia comunicada', Record: 'Registrar y clasificar', Known: '¿Solución conocida?' },
        ...{ Resolve: 'Aplicar solución', Analyse: 'Analizar y resolver', Confirm: 'Confirmar con el informante' },
        ...{ Solved: '¿Resuelta?', Closed: 'Incidencia cerrada', Known_Resolve: 'Sí', Known_Analyse: 'No' },
        ...{ Solved_Closed: 'Sí', Solved_Analyse: 'No' },
      },
    },
  },
  it: {
    four_eyes: {
      name: 'Approvazione a quattro occhi',
      lanes: ['Richiedente', 'Approvatore'],
      steps: {
        ...{ Requested: 'Nasce il bisogno', Prepare: 'Preparare richiesta', Check: 'Verificare richiesta' },
        ...{ Decision: 'Approvata?', CarryOut: 'Eseguire richiesta', Done: 'Richiesta eseguita' },
        ...{ Rejected: 'Richiesta respinta', Decision_CarryOut: 'Sì', Decision_Rejected: 'No' },
        ...{ Decision_Prepare: 'Da rivedere' },
      },
    },
    incident: {
      name: 'Gestione degli incidenti',
      lanes: ['Service desk', 'Specialisti'],
      steps: {
        ...{ Reported: 'Incidente segnalato', Record: 'Registrare e classificare', Known: 'Soluzione nota?' },
        ...{ Resolve: 'Applicare soluzione', Analyse: 'Analizzare e risolvere', Confirm: 'Confermare con chi segnala' },
        ...{ Solved: 'Risolto?', Closed: 'Incidente chiuso', Known_Resolve: 'Sì', Known_Analyse: 'No' },
        ...{ Solved_Closed: 'Sì', Solved_Analyse: 'No' },
      },
    },
  },
};
