/** The words of a document that are not its content, in the languages of the platform. */
import type { RenderedDocument } from './model.js';

/** Labels of one language. */
export interface Words {
  /** Language tag of the words, as Word and HTML state it. */
  tag: string;
  documentType: string;
  contents: string;
  signatures: string;
  withheld: string;
  withheldNotice: string;
  draftNotice: string;
  page: string;
  of: string;
  table: string;
  number: string;
  revision: string;
  status: string;
  date: string;
  organisation: string;
  name: string;
  comment: string;
  signedAt: string;
  contentHash: string;
  noRows: string;
  noSignatures: string;
  statuses: Record<RenderedDocument['status'], string>;
  signed: string;
  pending: string;
}

const en: Words = {
  tag: 'en-GB',
  documentType: 'Statement of Architecture Work',
  contents: 'Contents',
  signatures: 'Signatures',
  withheld: 'withheld',
  withheldNotice:
    'This copy does not show values that its reader may not see. They are marked as withheld or left out.',
  draftNotice: 'Draft: this document has not been signed, and its content can change.',
  page: 'Page',
  of: 'of',
  table: 'Table',
  number: 'Number',
  revision: 'Revision',
  status: 'Status',
  date: 'Date',
  organisation: 'Organisation',
  name: 'Name',
  comment: 'Comment',
  signedAt: 'Signed on',
  contentHash: 'Hash of the content (SHA-256)',
  noRows: 'No entries',
  noSignatures: 'No signatures have been requested.',
  statuses: { draft: 'Draft', in_review: 'In review', signed: 'Signed', superseded: 'Superseded' },
  signed: 'signed',
  pending: 'pending',
};

const de: Words = {
  tag: 'de-DE',
  documentType: 'Architekturauftrag (Statement of Architecture Work)',
  contents: 'Inhalt',
  signatures: 'Unterschriften',
  withheld: 'nicht einsehbar',
  withheldNotice:
    'Diese Fassung zeigt keine Werte, die ihr Leser nicht sehen darf. Sie sind als nicht einsehbar bezeichnet oder fehlen.',
  draftNotice: 'Entwurf: Dieses Dokument ist nicht unterschrieben, sein Inhalt kann sich ändern.',
  page: 'Seite',
  of: 'von',
  table: 'Tabelle',
  number: 'Nummer',
  revision: 'Revision',
  status: 'Status',
  date: 'Datum',
  organisation: 'Organisation',
  name: 'Name',
  comment: 'Kommentar',
  signedAt: 'Unterschrieben am',
  contentHash: 'Hash des Inhalts (SHA-256)',
  noRows: 'Keine Einträge',
  noSignatures: 'Es wurden keine Unterschriften angefordert.',
  statuses: { draft: 'Entwurf', in_review: 'In Prüfung', signed: 'Unterschrieben', superseded: 'Ersetzt' },
  signed: 'unterschrieben',
  pending: 'ausstehend',
};

const fr: Words = {
  tag: 'fr-FR',
  documentType: 'Cahier des travaux d’architecture (Statement of Architecture Work)',
  contents: 'Sommaire',
  signatures: 'Signatures',
  withheld: 'non communiqué',
  withheldNotice:
    'Cet exemplaire ne montre pas les valeurs que son lecteur n’est pas autorisé à voir. Elles sont indiquées comme non communiquées ou omises.',
  draftNotice: 'Projet : ce document n’est pas signé et son contenu peut changer.',
  page: 'Page',
  of: 'sur',
  table: 'Tableau',
  number: 'Numéro',
  revision: 'Révision',
  status: 'Statut',
  date: 'Date',
  organisation: 'Organisation',
  name: 'Nom',
  comment: 'Commentaire',
  signedAt: 'Signé le',
  contentHash: 'Empreinte du contenu (SHA-256)',
  noRows: 'Aucune entrée',
  noSignatures: 'Aucune signature n’a été demandée.',
  statuses: { draft: 'Projet', in_review: 'En cours de revue', signed: 'Signé', superseded: 'Remplacé' },
  signed: 'signé',
  pending: 'en attente',
};

const es: Words = {
  tag: 'es-ES',
  documentType: 'Declaración de trabajo de arquitectura (Statement of Architecture Work)',
  contents: 'Contenido',
  signatures: 'Firmas',
  withheld: 'no mostrado',
  withheldNotice:
    'Esta copia no muestra los valores que su lector no puede ver. Se indican como no mostrados o se omiten.',
  draftNotice: 'Borrador: este documento no está firmado y su contenido puede cambiar.',
  page: 'Página',
  of: 'de',
  table: 'Tabla',
  number: 'Número',
  revision: 'Revisión',
  status: 'Estado',
  date: 'Fecha',
  organisation: 'Organización',
  name: 'Nombre',
  comment: 'Comentario',
  signedAt: 'Firmado el',
  contentHash: 'Hash del contenido (SHA-256)',
  noRows: 'Sin entradas',
  noSignatures: 'No se han solicitado firmas.',
  statuses: { draft: 'Borrador', in_review: 'En revisión', signed: 'Firmado', superseded: 'Sustituido' },
  signed: 'firmado',
  pending: 'pendiente',
};

const it: Words = {
  tag: 'it-IT',
  documentType: 'Incarico di architettura (Statement of Architecture Work)',
  contents: 'Indice',
  signatures: 'Firme',
  withheld: 'non visibile',
  withheldNotice:
    'Questa copia non mostra i valori che il lettore non può vedere. Sono indicati come non visibili oppure omessi.',
  draftNotice: 'Bozza: questo documento non è firmato e il suo contenuto può cambiare.',
  page: 'Pagina',
  of: 'di',
  table: 'Tabella',
  number: 'Numero',
  revision: 'Revisione',
  status: 'Stato',
  date: 'Data',
  organisation: 'Organizzazione',
  name: 'Nome',
  comment: 'Commento',
  signedAt: 'Firmato il',
  contentHash: 'Hash del contenuto (SHA-256)',
  noRows: 'Nessuna voce',
  noSignatures: 'Non sono state richieste firme.',
  statuses: { draft: 'Bozza', in_review: 'In revisione', signed: 'Firmato', superseded: 'Sostituito' },
  signed: 'firmato',
  pending: 'in attesa',
};

/** Languages by the first part of their tags. */
const LANGUAGES: ReadonlyMap<string, Words> = new Map(Object.entries({ en, de, fr, es, it }));

/** The words of a language; English for languages without words. @param lang a tag of BCP 47, such as `de` or `de-AT` */
export const wordsOf = (lang: string): Words => LANGUAGES.get(lang.toLowerCase().split('-')[0]!) ?? en;
