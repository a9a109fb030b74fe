import { fold, wordsOf } from './fold.js';

/** Languages in which names of countries are recognised. */
const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl', 'sv', 'ru'];
const CODES =
  'AE AR AT AU BE BG BR CA CH CL CN CO CZ DE DK EE EG ES FI FR GB GR HK HR HU ID IE IL IN IT JP KR LT LU LV MA MX MY NG NL NO NZ PE PH PL PT RO RS RU SA SE SG SI SK TH TR TW UA US VN ZA';
const REGIONS = `usa uk uae america americas europe asia africa emea apac latam dach nordics nordic benelux cee mena anz oceania iberia
  europa deutschland schweiz osterreich north south east west northern southern eastern western nord sud ost norte sur est ouest
  global worldwide regional domestic`;

/** Names of countries, folded, in several languages; without codes of two letters, which are also words. */
export const COUNTRIES: ReadonlySet<string> = new Set([
  ...LANGUAGES.flatMap((language) => {
    const names = new Intl.DisplayNames([language], { type: 'region' });
    return CODES.split(' ').map((code) => wordsOf(fold(names.of(code) ?? code)).join(' '));
  }),
  ...['usa', 'us', 'uk', 'uae', 'america', 'europe', 'emea', 'apac', 'holland', 'england', 'korea'],
  ...['united states of america', 'great britain', 'north america', 'latin america', 'asia pacific', 'middle east'],
]);

const CITIES = `amsterdam antwerp athens atlanta austin bangalore bangkok barcelona basel beijing berlin bern birmingham bogota bonn boston bratislava
  bremen bristol brussels bucharest budapest calgary chennai chicago cologne copenhagen dallas delhi denver detroit dortmund dresden dubai dublin
  dusseldorf edinburgh essen frankfurt gdansk geneva genoa glasgow gothenburg graz hamburg hanover hannover helsinki houston hyderabad istanbul
  jakarta johannesburg kiel krakow kyiv kyoto lagos leeds leipzig lille lima linz lisbon liverpool ljubljana london luxembourg lyon madrid malmo
  manchester manila mannheim marseille melbourne miami milan milano minneapolis montreal moscow mumbai munich munchen nagoya nairobi nantes naples
  nuremberg nurnberg osaka oslo ottawa paris perth philadelphia phoenix porto prague pune riga rome roma rotterdam salzburg santiago seattle seoul
  seville shanghai shenzhen singapore sofia stockholm strasbourg stuttgart sydney tallinn tokyo torino toronto toulouse turin valencia vancouver
  venice vienna vilnius warsaw wien winnipeg wroclaw zagreb zurich edmonton quebec halifax`;

/** Single words that name a country, a region or a city. */
export const PLACES: ReadonlySet<string> = new Set([
  ...[...COUNTRIES].filter((name) => !name.includes(' ')),
  ...REGIONS.split(/\s+/),
  ...CITIES.split(/\s+/),
]);
/** Codes of countries, in small letters. */
export const COUNTRY_CODES: ReadonlySet<string> = new Set(CODES.toLowerCase().split(' '));
