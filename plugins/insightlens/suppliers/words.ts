/** Words of the names of companies, as data. All are folded: small Latin letters without accents and dots. */

const list = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Legal forms at the end of a name, by country of origin. */
export const LEGAL_FORMS = list(`
  inc incorporated corp corporation co company llc llp lllp lp ltd limited plc pllc pc dba cic lc pbc
  gmbh ag kg kgaa ohg gbr ug mbh eg ev se gesmbh aktiengesellschaft haftungsbeschrankt
  sa sas sasu sarl eurl snc scs sca scop sci societe anonyme sl slu sau srl srls spa sapa sccl sociedad anonima limitada cv rl ltda eireli
  lda sgps bv nv vof cvba bvba sprl asbl vzw stichting naamloze vennootschap
  ab hb kb aktiebolag as asa ans aps ivs oy oyj abp osakeyhtio hf ehf
  zoo spzoo sro kft zrt nyrt rt bt doo dd ad ood eood srlu
  ooo oao zao pao ao tov too pat
  ae ike epe oe
  pty pte pvt private sdn bhd berhad tbk jsc pjsc ojsc cjsc fze fzc fzco fzllc dmcc wll kk gk kabushiki kaisha godo yk
  limitee ltee enr inh group groupe gruppe gruppo grupo holding holdings
`);
/** Legal forms that are also written before the name. */
export const LEADING_FORMS = list('ooo oao zao pao ao too tov pt sia uab societe stichting spolka firma messrs the');
/** Words that say what a company does; names that differ in these at the end only are alike. */
export const DESCRIPTORS = list(`
  software softwares technology technologies system systems solution solutions service services laboratory laboratories networks
  consulting communications international worldwide global enterprises industries informatik
`);
/** First words that are no name without the country that follows. */
export const GENERIC_HEADS = list(`
  air bank banco banque banca telecom telekom post radio energy rail electric gas airlines insurance data digital cloud national united
  general first federal government technology systems solutions software services consulting group health bureau ministry department university
  institute agency office council commission royal american british french german european international
`);
/** Usual abbreviations, by the word they stand for. */
export const ABBREVIATIONS: Readonly<Record<string, string>> = {
  ...{
    intl: 'international',
    int: 'international',
    tech: 'technology',
    technologies: 'technology',
    techs: 'technology',
  },
  ...{
    sys: 'systems',
    system: 'systems',
    sol: 'solutions',
    solution: 'solutions',
    svcs: 'services',
    svc: 'services',
    service: 'services',
  },
  ...{
    mfg: 'manufacturing',
    mgmt: 'management',
    assoc: 'associates',
    labs: 'laboratories',
    lab: 'laboratories',
    laboratory: 'laboratories',
  },
  ...{
    univ: 'university',
    natl: 'national',
    govt: 'government',
    gov: 'government',
    dept: 'department',
    bros: 'brothers',
    eng: 'engineering',
  },
  ...{
    telecommunications: 'telecom',
    telecommunication: 'telecom',
    comm: 'communications',
    comms: 'communications',
    softwares: 'software',
  },
  ...{
    sw: 'software',
    inst: 'institute',
    ind: 'industries',
    indus: 'industries',
    pharma: 'pharmaceuticals',
    electr: 'electronics',
  },
};
/** Words that join others. */
export const JOINING = list('and et und y e en & + of for de der des du di');

/** Names of one company, the usual one first: short names, and names before and after a change. Subsidiaries are not aliases. */
export const ALIASES: readonly (readonly string[])[] = [
  ['IBM', 'International Business Machines'],
  ['Microsoft', 'MSFT'],
  ['Amazon Web Services', 'AWS'],
  ['Hewlett Packard Enterprise', 'HPE'],
  ['HP', 'Hewlett Packard'],
  ['Meta Platforms', 'Meta', 'Facebook'],
  ['Google', 'Google Cloud', 'GCP'],
  ['General Electric', 'GE'],
  ['3M', 'Minnesota Mining and Manufacturing'],
  ['BT', 'British Telecommunications', 'British Telecom'],
  ['AT&T', 'American Telephone and Telegraph'],
  ['BMW', 'Bayerische Motoren Werke'],
  ['Volkswagen', 'VW'],
  ['PwC', 'PricewaterhouseCoopers'],
  ['EY', 'Ernst & Young'],
  ['KPMG', 'Klynveld Peat Marwick Goerdeler'],
  ['NTT', 'Nippon Telegraph and Telephone'],
  ['Tata Consultancy Services', 'TCS'],
  ['HCLTech', 'HCL Technologies', 'HCL'],
  ['Accenture', 'Andersen Consulting'],
  ['BlackBerry', 'Research In Motion', 'RIM'],
  ['Block', 'Square Inc'],
  ['Equinor', 'Statoil'],
  ['OpenText', 'Open Text'],
  ['Software AG', 'SAG'],
  ['SAS Institute', 'SAS'],
  ['DXC Technology', 'DXC'],
  ['Cognizant', 'Cognizant Technology Solutions'],
  ['Infor', 'Infor Global Solutions'],
  ['Workday', 'Workday Limited'],
  ['T-Systems', 'T Systems International'],
  ['Sage', 'Sage Group', 'Sage Software'],
  ['UKG', 'Ultimate Kronos Group', 'Kronos', 'Ultimate Software'],
  ['Trellix', 'McAfee Enterprise'],
  ['OPEXUS', 'AINS'],
  ['RTX', 'Raytheon Technologies'],
  ['ESRI', 'Environmental Systems Research Institute'],
  ['Adobe', 'Adobe Systems'],
  ['Cisco', 'Cisco Systems'],
  ['Oracle', 'Oracle America'],
  ['Capgemini', 'Cap Gemini'],
  ['Atlassian', 'Atlassian Corporation'],
  ['Proximus', 'Belgacom'],
  ['Orange', 'France Telecom'],
  ['Deutsche Telekom', 'DTAG'],
  ['Thales', 'Thomson-CSF'],
  ['X', 'X Corp', 'Twitter'],
];

/** Companies and the one that owns them. */
export const OWNERS: readonly (readonly [string, string])[] = [
  ['Amazon Web Services', 'Amazon'],
  ['GitHub', 'Microsoft'],
  ['LinkedIn', 'Microsoft'],
  ['Nuance', 'Microsoft'],
  ['Microsoft Azure', 'Microsoft'],
  ['Red Hat', 'IBM'],
  ['HashiCorp', 'IBM'],
  ['Apptio', 'IBM'],
  ['VMware', 'Broadcom'],
  ['Symantec', 'Broadcom'],
  ['CA Technologies', 'Broadcom'],
  ['Splunk', 'Cisco'],
  ['AppDynamics', 'Cisco'],
  ['Webex', 'Cisco'],
  ['MuleSoft', 'Salesforce'],
  ['Slack', 'Salesforce'],
  ['Tableau', 'Salesforce'],
  ['SuccessFactors', 'SAP'],
  ['Ariba', 'SAP'],
  ['Concur', 'SAP'],
  ['NetSuite', 'Oracle'],
  ['Cerner', 'Oracle'],
  ['Sun Microsystems', 'Oracle'],
  ['Trello', 'Atlassian'],
  ['Micro Focus', 'OpenText'],
  ['Mandiant', 'Google'],
  ['Google', 'Alphabet'],
];
