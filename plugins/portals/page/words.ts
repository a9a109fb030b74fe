import type { CountedNoun, Translated } from '@lintel/sdk';

export interface Words {
  search: string;
  searchFor: string;
  all: string;
  yes: string;
  no: string;
  from: string;
  to: string;
  apply: string;
  reset: string;
  sort: string;
  name: string;
  ascending: string;
  descending: string;
  order: string;
  none: string;
  pages: string;
  previous: string;
  next: string;
  /** With the number of the page and of all pages. */
  page(page: string, of: string): string;
  onPage(page: string): string;
  /** Before a number. */
  moreThan: string;
  back: string;
  skip: string;
  entries: CountedNoun;
  notFound: string;
  notFoundText: string;
  /** Of a query with a value that is not valid. */
  notValid: string;
  notValidText: string;
  filters: string;
}

/** The texts of the page, besides those of the portal and the metamodel. */
export const WORDS: Translated<Words> = {
  en: {
    search: 'Search',
    searchFor: 'Search in',
    all: 'All',
    yes: 'Yes',
    no: 'No',
    from: 'from',
    to: 'to',
    apply: 'Show',
    reset: 'Clear',
    sort: 'Sort by',
    name: 'Name',
    ascending: 'Ascending',
    descending: 'Descending',
    order: 'Order',
    none: 'Nothing matches.',
    pages: 'Pages',
    previous: 'Previous',
    next: 'Next',
    page: (page, of) => `Page ${page} of ${of}`,
    onPage: (page) => `Page ${page}`,
    moreThan: 'More than',
    back: 'Back to the list',
    skip: 'Skip to the list',
    entries: { one: 'entry', other: 'entries' },
    notFound: 'Page not found',
    notFoundText: 'There is nothing at this address, or it is not public any more.',
    notValid: 'Search not possible',
    notValidText: 'A value in the address cannot be used, or there are more than 10 words to search for.',
    filters: 'Search and filters',
  },
  de: {
    search: 'Suche',
    searchFor: 'Suchen in',
    all: 'Alle',
    yes: 'Ja',
    no: 'Nein',
    from: 'von',
    to: 'bis',
    apply: 'Anzeigen',
    reset: 'Zurücksetzen',
    sort: 'Sortieren nach',
    name: 'Name',
    ascending: 'Aufsteigend',
    descending: 'Absteigend',
    order: 'Reihenfolge',
    none: 'Keine Treffer.',
    pages: 'Seiten',
    previous: 'Zurück',
    next: 'Weiter',
    page: (page, of) => `Seite ${page} von ${of}`,
    onPage: (page) => `Seite ${page}`,
    moreThan: 'Mehr als',
    back: 'Zurück zur Liste',
    skip: 'Zur Liste springen',
    entries: { one: 'Eintrag', other: 'Einträge' },
    notFound: 'Seite nicht gefunden',
    notFoundText: 'Unter dieser Adresse gibt es nichts, oder es ist nicht mehr öffentlich.',
    notValid: 'Suche nicht möglich',
    notValidText: 'Ein Wert in der Adresse kann nicht verwendet werden, oder es sind mehr als 10 Suchwörter.',
    filters: 'Suche und Filter',
  },
  fr: {
    search: 'Recherche',
    searchFor: 'Rechercher dans',
    all: 'Tous',
    yes: 'Oui',
    no: 'Non',
    from: 'de',
    to: 'à',
    apply: 'Afficher',
    reset: 'Effacer',
    sort: 'Trier par',
    name: 'Nom',
    ascending: 'Croissant',
    descending: 'Décroissant',
    order: 'Ordre',
    none: 'Aucun résultat.',
    pages: 'Pages',
    previous: 'Précédent',
    next: 'Suivant',
    page: (page, of) => `Page ${page} sur ${of}`,
    onPage: (page) => `Page ${page}`,
    moreThan: 'Plus de',
    back: 'Retour à la liste',
    skip: 'Aller à la liste',
    entries: { one: 'entrée', other: 'entrées' },
    notFound: 'Page introuvable',
    notFoundText: 'Il n’y a rien à cette adresse, ou ce n’est plus public.',
    notValid: 'Recherche impossible',
    notValidText: 'Une valeur de l’adresse ne peut pas être utilisée, ou il y a plus de 10 mots à rechercher.',
    filters: 'Recherche et filtres',
  },
  es: {
    search: 'Búsqueda',
    searchFor: 'Buscar en',
    all: 'Todos',
    yes: 'Sí',
    no: 'No',
    from: 'desde',
    to: 'hasta',
    apply: 'Mostrar',
    reset: 'Borrar',
    sort: 'Ordenar por',
    name: 'Nombre',
    ascending: 'Ascendente',
    descending: 'Descendente',
    order: 'Orden',
    none: 'Sin resultados.',
    pages: 'Páginas',
    previous: 'Anterior',
    next: 'Siguiente',
    page: (page, of) => `Página ${page} de ${of}`,
    onPage: (page) => `Página ${page}`,
    moreThan: 'Más de',
    back: 'Volver a la lista',
    skip: 'Ir a la lista',
    entries: { one: 'entrada', other: 'entradas' },
    notFound: 'Página no encontrada',
    notFoundText: 'No hay nada en esta dirección, o ya no es público.',
    notValid: 'Búsqueda no posible',
    notValidText: 'Un valor de la dirección no se puede usar, o hay más de 10 palabras que buscar.',
    filters: 'Búsqueda y filtros',
  },
  it: {
    search: 'Ricerca',
    searchFor: 'Cerca in',
    all: 'Tutti',
    yes: 'Sì',
    no: 'No',
    from: 'da',
    to: 'a',
    apply: 'Mostra',
    reset: 'Cancella',
    sort: 'Ordina per',
    name: 'Nome',
    ascending: 'Crescente',
    descending: 'Decrescente',
    order: 'Ordine',
    none: 'Nessun risultato.',
    pages: 'Pagine',
    previous: 'Precedente',
    next: 'Successiva',
    page: (page, of) => `Pagina ${page} di ${of}`,
    onPage: (page) => `Pagina ${page}`,
    moreThan: 'Più di',
    back: 'Torna all’elenco',
    skip: 'Vai all’elenco',
    entries: { one: 'voce', other: 'voci' },
    notFound: 'Pagina non trovata',
    notFoundText: 'A questo indirizzo non c’è nulla, o non è più pubblico.',
    notValid: 'Ricerca non possibile',
    notValidText: 'Un valore nell’indirizzo non può essere usato, o ci sono più di 10 parole da cercare.',
    filters: 'Ricerca e filtri',
  },
};
