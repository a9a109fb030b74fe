/** Words of the names of applications, as data. All are folded: small Latin letters without accents. */

import { rootOf } from './word-forms.js';

/** Words and abbreviations of one meaning, in English, German, French, Spanish, Italian and Dutch; phrases with `_`. The first one stands for all. */
const CONCEPTS = `
  hr human_resources human_resource personnel personal personalwesen ressources_humaines rh recursos_humanos risorse_umane hrm hcm human_capital
  crm customer_relationship_management client_relationship_management kundenbeziehungsmanagement gestion_relation_client gestion_de_la_relation_client
  erp enterprise_resource_planning
  scm supply_chain_management
  srm supplier_relationship_management
  cms content_management content_management_system
  dms document_management document_management_system dokumentenverwaltung dokumentenmanagement gestion_documentaire gestion_electronique_documents
  bi business_intelligence
  dwh data_warehouse datawarehouse edw enterprise_data_warehouse entrepot_de_donnees
  mdm master_data_management stammdatenverwaltung stammdatenmanagement
  pim product_information_management
  plm product_lifecycle_management
  wms warehouse_management warehouse_management_system lagerverwaltung lagerverwaltungssystem gestion_entrepot
  tms transport_management transportation_management transport_management_system
  mes manufacturing_execution manufacturing_execution_system
  lms learning_management learning_management_system lernplattform
  iam identity_access_management identity_and_access_management
  sso single_sign_on
  itsm it_service_management
  gis geographic_information_system geographical_information_system geoinformationssystem
  kpi key_performance_indicator
  pos point_of_sale
  ats applicant_tracking applicant_tracking_system bewerbermanagement
  payroll lohnabrechnung gehaltsabrechnung lohn paie nomina salary wages busta_paga salaris loonadministratie
  invoice invoices invoicing rechnung rechnungen fakturierung facture factures facturation factura facturacion fattura fatturazione factuur billing
  customer cust customers client clients kunde kunden kund cliente clientes clienti klant klanten
  supplier suppliers vendor vendors lieferant lieferanten fournisseur fournisseurs proveedor proveedores fornitore fornitori leverancier
  employee employees mitarbeiter salarie salaries empleado empleados dipendente dipendenti medewerker staff workforce
  order orders auftrag auftrage bestellung bestellungen commande commandes pedido pedidos ordine ordini bestelling
  purchase purchasing purch procurement einkauf beschaffung achat achats compras acquisti inkoop
  sales sale vertrieb verkauf vente ventes ventas vendite verkoop
  accounting acct acctg buchhaltung rechnungswesen comptabilite contabilidad contabilita boekhouding bookkeeping ledger hauptbuch
  finance financial finanzen finanz financier finances finanzas finanza financien
  budget budgeting budgetierung budgets
  contract contracts vertrag vertrage contrat contrats contrato contratos contratto contratti
  claim claims schaden schadenfall sinistre sinistres siniestro sinistro schade
  policy policies police versicherungspolice polizza poliza
  insurance versicherung assurance assurances seguro seguros assicurazione verzekering
  loan loans kredit kredite darlehen pret prets credit credito prestamo lening
  payment payments zahlung zahlungen zahlungsverkehr paiement paiements pago pagos pagamento pagamenti betaling betalingen
  account accounts konto konten compte comptes cuenta cuentas conto rekening
  bank banking banque banco banca
  tax taxes steuer steuern impot impots impuesto impuestos imposta belasting fiscal
  inventory lagerbestand bestand stock stocks inventaire inventario voorraad
  warehouse whse lager entrepot almacen magazzino magazijn depot
  product products produkt produkte produit produits producto productos prodotto prodotti
  price prices pricing preis preise prix tarif tarifs precio precios prezzo prezzi prijs prijzen
  quality qualitat qualitats qualite calidad qualita kwaliteit
  production produktion fertigung manufacturing produccion produzione productie fabrication
  maintenance maint instandhaltung wartung entretien mantenimiento manutenzione onderhoud
  asset assets anlage anlagen actif actifs activo activos
  project proj projects projekt projekte projet projets proyecto proyectos progetto progetti
  document documents dokument dokumente documento documentos documenti papers
  archive archives archiv archivage archivo archivio archief archiving
  report reports reporting bericht berichte berichtswesen rapport rapports informe informes rapportage
  planning sched planung planification planificacion pianificazione scheduling
  travel reise reisen reisekosten voyage voyages viaje viajes viaggio viaggi reizen trip
  expense expenses spesen frais gastos spese onkosten
  time zeit zeiterfassung temps tiempo tempo tijd timesheet timesheets time_tracking
  training schulung schulungen formation formations formacion formazione opleiding learning
  recruiting recruitment rekrutierung personalgewinnung recrutement reclutamiento assunzione werving hiring
  booking reservation reservations reservierung buchung buchungen reserva prenotazione boeking
  delivery dlv lieferung lieferungen livraison livraisons entrega consegna levering
  shipping versand expedition envio spedizione verzending shipment shipments dispatch
  transport transportation befordern trasporto vervoer
  vehicle vehicles fahrzeug fahrzeuge vehicule vehicules vehiculo veicolo voertuig
  fleet fuhrpark flotte flota flotta wagenpark
  patient patients paziente paciente
  student students schuler etudiant etudiants estudiante studente leerling
  citizen citizens burger citoyen citoyens ciudadano cittadino
  complaint complaints beschwerde beschwerden reklamation plainte plaintes queja reclamo klacht
  request requests antrag antrage demande demandes solicitud richiesta aanvraag application_form
  permit permits genehmigung genehmigungen permis permiso permesso vergunning licence licences license licenses lizenz lizenzen licencia licenza
  risk risks risiko risiken risque risques riesgo riesgos rischio rischi
  security sicherheit securite seguridad sicurezza beveiliging
  search suche recherche busqueda ricerca zoeken
  website webseite internetseite site_web sitio_web web_site webpage
  calendar kalender calendrier calendario agenda
  meeting meetings sitzung sitzungen reunion reunions vergadering
  mail email e_mail courriel correo posta
  survey surveys umfrage umfragen sondage sondages encuesta sondaggio questionnaire
  event events veranstaltung veranstaltungen evenement evenements evento eventos eventi
  news nachrichten nouvelles noticias notizie nieuws
  weather wetter meteo tiempo_meteorologico weer
  water wasser eau agua acqua
  energy energie energia
  property real_estate immobilien immobilier inmobiliaria immobiliare vastgoed
  building buildings gebaude batiment batiments edificio gebouw
  health gesundheit sante salud salute gezondheid
  library bibliothek bibliotheque biblioteca bibliotheek
  school schule ecole escuela scuola
  data daten donnees datos dati gegevens
  file files datei dateien fichier fichiers archivos
  user users benutzer utilisateur utilisateurs usuario usuarios utente utenti gebruiker
  management verwaltung verwaltungs gestion gestione beheer administration mgmt mgt administrator admin manager
  processing verarbeitung abwicklung traitement procesamiento elaborazione verwerking
  service services dienst dienste servicio servizi servizio svc svcs
  system systems systeme sistema sistemi systeem sys
  platform platforms plattform plateforme plataforma piattaforma pltf
  application applications anwendung anwendungen aplicacion applicazione applicatie app apps appl
  console consoles konsole konsolen consola
  center centers centre centres zentrum centro centrum
  dashboard dashboards tableau_de_bord
  portal portals portail portale portaal
  tool tools werkzeug werkzeuge outil outils herramienta herramientas strumento strumenti
  analysis analytics analytic analyse analysen analyses auswertung analisis analisi
  monitoring uberwachung surveillance supervision monitoreo monitoraggio bewaking
  tracking tracker verfolgung suivi seguimiento tracciamento
  control controls steuerung controle controllo
  workflow workflows arbeitsablauf flux_de_travail flujo_de_trabajo
  calculation calc calculator rechner berechnung calcul calculatrice calculo calcolo
  interface interfaces schnittstelle schnittstellen interfaz interfaccia
  register registry verzeichnis registre registro
  catalog catalogue katalog catalogo catalogus
  forecast forecasting prognose prognosen prevision previsions pronostico previsione
  marketing mktg mkt
  legal recht juridique juridico legale
  campaign campaigns kampagne kampagnen campagne campagnes campana campagna
  card cards karte karten carte cartes tarjeta carta kaart
  ticket tickets
  helpdesk help_desk service_desk servicedesk
  directory annuaire directorio elenco
  treasury tresorerie tesoreria
  department dept abteilung departement departamento dipartimento afdeling
  information info infos informations
  international intl
  organization organisation org
  development entwicklung developpement desarrollo sviluppo ontwikkeling
  technology technologies tech
  operations ops betrieb
  corporate corp
  electronic elektronisch electronique
  distribution distr distribucion distribuzione vertriebslogistik
  logistics logistik logistique logistica logistiek
  regulatory reg
  compliance konformitat conformite
  statistics statistik statistiken statistique statistiques estadisticas statistiche
  mobile mobil movil
  online en_ligne en_linea
  settlement abrechnung reglement
  marketplace marktplatz place_de_marche
  knowledge wissen connaissance connaissances conocimiento conoscenza
`;

/** By the words of a phrase, joined by a blank, the concept. */
export const CONCEPT: ReadonlyMap<string, string> = new Map(
  CONCEPTS.trim()
    .split('\n')
    .flatMap((line) => {
      const words = line.trim().split(/\s+/);
      return words.map((word): [string, string] => [word.replaceAll('_', ' '), words[0]!]);
    }),
);
/** What the words of the table stand for. */
export const CONCEPTS_OF_ALL: ReadonlySet<string> = new Set(CONCEPT.values());
/** By the roots of the words of a phrase, the concept: `customer relations manager` is `customer relationship management`. */
export const CONCEPT_BY_ROOTS: ReadonlyMap<string, string> = new Map(
  [...CONCEPT]
    .filter(([phrase]) => phrase.includes(' '))
    .map(([phrase, concept]) => [phrase.split(' ').map(rootOf).join(' '), concept]),
);
/** Most words of a phrase. */
export const LONGEST_PHRASE = Math.max(...[...CONCEPT.keys()].map((phrase) => phrase.split(' ').length));

const set = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Concepts that say little about what an application does in any inventory, also in one that is too small to show it. */
export const GENERIC = set(
  'system platform application tool service software solution solutions suite module program programm logiciel the management desk portal console hub center office workbench cockpit dashboard frontend',
);
/** Words of which each tells a thing from its counterpart. */
const OPPOSITE_PAIRS = `inbound outbound, incoming outgoing, internal external, import export, input output, upstream downstream, frontend backend, front back,
  intern extern, eingang ausgang, eingehend ausgehend, entrant sortant, interne externe, interno externo, interno esterno, entrada salida, entrata uscita, inkomend uitgaand`;
/** By word, its opposites. */
export const OPPOSITES: ReadonlyMap<string, ReadonlySet<string>> = OPPOSITE_PAIRS.split(',').reduce((all, pair) => {
  const [x, y] = pair.trim().split(' ') as [string, string];
  return all.set(x, new Set(all.get(x)).add(y)).set(y, new Set(all.get(y)).add(x));
}, new Map<string, Set<string>>());
/** Words between others. */
export const STOP =
  set(`a an and the of for in on to with by at from & + und der die das des den dem fur mit von zu im am et de la le les du d l pour en y e el los las
  para con di il lo per della delle del dei van het een voor met is are be it its this that as or which sie es ein eine einer zur zum auf uber au aux dans sur une un que
  qui wird werden ist sind used uses use allows provides`);
/** Of what environment a system is. */
export const ENVIRONMENTS =
  set(`test tests testing tst dev devel development develop qa uat sit staging stage stg prod prd production preprod preproduction sandbox sbx demo training
  integration int acceptance abnahme entwicklung recette poc pilot nonprod dr backup standby failover loadtest perf live trial lab`);
/** Of these, the ones that are an environment at the end of a name only: elsewhere they say what a system does. */
export const ENVIRONMENTS_AT_END = set(
  'production prod prd produktion training integration int development develop entwicklung lab trial pilot live perf demo acceptance backup',
);
/** Of what generation a system is: the one that is replaced, or the one that replaces it. */
export const GENERATIONS = set(
  'new old legacy next classic neu alt alte neue nouveau nouvelle ancien ancienne nuevo viejo vecchio nuovo nextgen ng modern replacement successor archived deprecated beta alpha preview lite light pro plus premium standard basic enterprise community express mini free max ultra xl high moderate low',
);
/** Words before a number of a version or an instance. */
export const NUMBERING = set(
  'version versions release rel ver v r edition gen generation instance node cluster line plant site store branch werk filiale nr no number unit tenant shard',
);
/** Roman numerals that are no usual words. */
export const ROMAN: Readonly<Record<string, string>> = {
  ii: '2',
  iii: '3',
  iv: '4',
  vi: '6',
  vii: '7',
  viii: '8',
  ix: '9',
};
/** Legal forms of companies, which are no part of the name of a system. */
export const LEGAL = set(
  'gmbh inc incorporated ltd limited llc plc corp ag kg sa srl sarl sas spa bv nv oy ab pty ooo oao zao ltda sl kk',
);
