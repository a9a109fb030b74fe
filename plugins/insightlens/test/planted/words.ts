/** The words of which the names and descriptions of a constructed landscape are made. */

/** Things that applications are about, with their names in other languages; no two rows mean the same. */
export const OBJECTS: readonly (readonly [english: string, german: string, french: string])[] = [
  ['Invoice', 'Rechnung', 'Facture'],
  ['Customer', 'Kunde', 'Client'],
  ['Supplier', 'Lieferant', 'Fournisseur'],
  ['Contract', 'Vertrag', 'Contrat'],
  ['Employee', 'Mitarbeiter', 'Salarié'],
  ['Budget', 'Budget', 'Budget'],
  ['Payment', 'Zahlung', 'Paiement'],
  ['Claim', 'Schaden', 'Sinistre'],
  ['Loan', 'Kredit', 'Prêt'],
  ['Tax', 'Steuer', 'Impôt'],
  ['Warehouse', 'Lager', 'Entrepôt'],
  ['Product', 'Produkt', 'Produit'],
  ['Price', 'Preis', 'Prix'],
  ['Quality', 'Qualität', 'Qualité'],
  ['Maintenance', 'Instandhaltung', 'Entretien'],
  ['Asset', 'Anlage', 'Actif'],
  ['Project', 'Projekt', 'Projet'],
  ['Document', 'Dokument', 'Document'],
  ['Travel', 'Reise', 'Voyage'],
  ['Expense', 'Spesen', 'Frais'],
  ['Training', 'Schulung', 'Formation'],
  ['Delivery', 'Lieferung', 'Livraison'],
  ['Vehicle', 'Fahrzeug', 'Véhicule'],
  ['Fleet', 'Fuhrpark', 'Flotte'],
  ['Patient', 'Patient', 'Patient'],
  ['Citizen', 'Bürger', 'Citoyen'],
  ['Complaint', 'Beschwerde', 'Plainte'],
  ['Permit', 'Genehmigung', 'Permis'],
  ['Risk', 'Risiko', 'Risque'],
  ['Survey', 'Umfrage', 'Sondage'],
  ['Meeting', 'Sitzung', 'Réunion'],
  ['Energy', 'Energie', 'Énergie'],
  ['Building', 'Gebäude', 'Bâtiment'],
  ['Library', 'Bibliothek', 'Bibliothèque'],
  ['Payroll', 'Lohnabrechnung', 'Paie'],
  ['Purchasing', 'Einkauf', 'Achats'],
  ['Accounting', 'Buchhaltung', 'Comptabilité'],
  ['Insurance', 'Versicherung', 'Assurance'],
  ['Production', 'Produktion', 'Production'],
  ['Order', 'Auftrag', 'Commande'],
  ['Pension', 'Rente', 'Retraite'],
  ['Container', 'Behälter', 'Conteneur'],
  ['Harvest', 'Ernte', 'Récolte'],
  ['Turbine', 'Turbine', 'Turbine'],
  ['Pipeline', 'Rohrleitung', 'Oléoduc'],
  ['Museum', 'Museum', 'Musée'],
];

/** What applications do with them. */
export const FUNCTIONS: readonly (readonly [english: string, german: string, french: string])[] = [
  ['Archive', 'Archiv', 'Archives'],
  ['Register', 'Verzeichnis', 'Registre'],
  ['Planning', 'Planung', 'Planification'],
  ['Tracking', 'Verfolgung', 'Suivi'],
  ['Monitoring', 'Überwachung', 'Surveillance'],
  ['Catalogue', 'Katalog', 'Catalogue'],
  ['Forecast', 'Prognose', 'Prévision'],
  ['Calculation', 'Berechnung', 'Calcul'],
  ['Search', 'Suche', 'Recherche'],
  ['Calendar', 'Kalender', 'Calendrier'],
  ['Portal', 'Portal', 'Portail'],
  ['Analysis', 'Analyse', 'Analyse'],
  ['Administration', 'Verwaltung', 'Gestion'],
  ['Reporting', 'Berichtswesen', 'Rapports'],
  ['Scanner', 'Scanner', 'Scanner'],
  ['Simulator', 'Simulator', 'Simulateur'],
  ['Inspection', 'Prüfung', 'Inspection'],
  ['Dispatch', 'Disposition', 'Répartition'],
];

/** Words that mean the same in the name of an application. */
export const SYNONYMS: Readonly<Record<string, string>> = {
  Supplier: 'Vendor',
  Customer: 'Client',
  Employee: 'Staff',
  Invoice: 'Billing',
  Purchasing: 'Procurement',
  Training: 'Learning',
  Planning: 'Scheduling',
  Register: 'Registry',
  Administration: 'Management',
  Accounting: 'Bookkeeping',
  Analysis: 'Analytics',
  Building: 'Property',
  Warehouse: 'Storage',
  Payroll: 'Salaries',
  Forecast: 'Prediction',
  Travel: 'Trip',
};

/** How words are shortened. */
export const ABBREVIATIONS: Readonly<Record<string, string>> = {
  Management: 'Mgmt',
  Administration: 'Admin',
  Accounting: 'Acct',
  Maintenance: 'Maint',
  Production: 'Prod.',
  Customer: 'Cust',
  Supplier: 'Suppl',
  Reporting: 'Rep',
  Document: 'Doc',
  Catalogue: 'Cat',
  Warehouse: 'Whse',
  Purchasing: 'Purch',
  Insurance: 'Ins',
  Contract: 'Contr',
  Calculation: 'Calc',
  Monitoring: 'Mon',
  Employee: 'Empl',
  Inspection: 'Insp',
  Registration: 'Reg',
  Project: 'Proj',
  Delivery: 'Deliv',
};

/** Names in another script, and the usual spelling in Latin letters. */
export const SCRIPTS: readonly (readonly [original: string, latin: string])[] = [
  ['Склад Запчастей', 'Sklad Zapchastey'],
  ['Учёт Кадров', 'Uchet Kadrov'],
  ['Расчёт Зарплаты', 'Raschet Zarplaty'],
  ['Журнал Поставок', 'Zhurnal Postavok'],
  ['Договоры Клиентов', 'Dogovory Klientov'],
  ['Электронный Архив', 'Elektronnyy Arkhiv'],
  ['Диспетчер Цеха', 'Dispetcher Tsekha'],
  ['Прогноз Спроса', 'Prognoz Sprosa'],
  ['Реестр Лицензий', 'Reestr Litsenziy'],
  ['Контроль Качества', 'Kontrol Kachestva'],
  ['Маршруты Доставки', 'Marshruty Dostavki'],
  ['Журнал Ремонтов', 'Zhurnal Remontov'],
  ['Αρχείο Πελατών', 'Archeio Pelaton'],
  ['Μητρώο Προμηθευτών', 'Mitroo Promitheuton'],
  ['Διαχείριση Αποθήκης', 'Diacheirisi Apothikis'],
  ['Ημερολόγιο Παραγωγής', 'Imerologio Paragogis'],
  ['Σύστημα Πληρωμών', 'Systima Pliromon'],
  ['Κατάλογος Υλικών', 'Katalogos Ylikon'],
  ['Північ Склад', 'Pivnich Sklad'],
  ['Облік Палива', 'Oblik Palyva'],
  ['Планировщик Смен', 'Planirovshchik Smen'],
  ['Биржа Грузов', 'Birzha Gruzov'],
  ['Карта Сетей', 'Karta Setey'],
  ['Паспорт Изделия', 'Pasport Izdeliya'],
  ['Охрана Труда', 'Okhrana Truda'],
];

export const LEGAL_FORMS = ['GmbH', 'Ltd', 'Inc.', 'AG', 'LLC', 'S.A.', 'B.V.', 'Corp.'];
export const SITES = ['Kassel', 'Reims', 'Gdynia', 'Osaka', 'Leeds', 'Porto', 'Graz', 'Odense', 'Tampere', 'Girona'];
export const REGIONS = ['Germany', 'France', 'APAC', 'EMEA', 'Brazil', 'US', 'Nordics', 'Poland', 'Italy', 'Japan'];
export const ENVIRONMENTS = [
  'Test',
  'DEV',
  'Staging',
  'QA',
  'Sandbox',
  'UAT',
  'PROD',
  'Training',
  'Pre-Production',
  'Demo',
];

/** Of descriptions. */
export const DETAILS =
  `supports teams with daily work on records from branches and offices sends notices when dates pass keeps history for audits
  imports files every night exports figures to partners shows dashboards for managers prints letters stores scans checks limits rounds amounts assigns
  numbers routes approvals merges lists calculates interest compares offers measures temperature reads meters books rooms plans shifts signs papers
  translates forms validates addresses matches barcodes collects fees schedules visits ranks bids converts currencies balances ledgers estimates demand
  reserves seats classifies goods issues badges counts visitors records calls grades samples tracks parcels maps districts inspects bridges weighs
  trucks mixes recipes cuts steel prices options hedges positions settles trades screens sanctions rates credit underwrites treaties pays pensions
  schedules surgery stores images orders drugs labels blood tests water treats waste sorts recycling lights streets cleans roads plants trees feeds
  animals registers births lends books curates exhibits streams lectures marks exams enrols pupils awards grants audits spending drafts laws counts votes`.split(
    /\s+/,
  );
