/** The texts of drawings in the languages of the platform. */
import t from 'tap';
import { counted, kindIn, languageOf, textsIn, type Language } from '../words/index.js';
import { drawn, processFile, shape } from './drawing-support.js';

const TRANSLATED = ['de', 'fr', 'es', 'it'] as const;
const descOf = (xml: string, language: Language): string =>
  /<desc>([^<]*)<\/desc>/.exec(drawn(xml, { language }).svg)![1]!;

t.test('each language has all texts', (t) => {
  const keys = (language: Language) => Object.keys(textsIn(language).kinds).sort();
  for (const language of TRANSLATED) {
    t.strictSame(keys(language), keys('de'), language);
    const same = keys(language).filter((type) => kindIn(language, type) === kindIn('en', type));
    t.ok(same.length < 9, `${language}: ${same.join(' ')}`);
  }
  t.equal(kindIn('de', 'constructor'), 'Constructor', 'a name of another standard');
  t.strictSame(['de-AT', 'ES', 'pt-BR', 'toString'].map(languageOf), ['de', 'es', 'en', 'en']);
  t.end();
});

t.test('numbers and nouns', (t) => {
  const words = (language: Language) =>
    [0, 1, 2, 1_200].map((count) => counted(count, textsIn(language).shapes, language));
  t.strictSame(words('en'), ['0 shapes', '1 shape', '2 shapes', '1,200 shapes']);
  t.strictSame(words('de'), ['0 Formen', '1 Form', '2 Formen', '1.200 Formen']);
  t.strictSame(words('fr').slice(0, 3), ['0 forme', '1 forme', '2 formes']);
  t.end();
});

t.test('what a drawing shows', (t) => {
  const timer = `<task id="a" name="Pay"/>
    <boundaryEvent id="b" attachedToRef="a" cancelActivity="false"><timerEventDefinition id="d"/></boundaryEvent>
    <subProcess id="c" triggeredByEvent="true"/>`;
  const places = shape('a', [0, 0, 100, 80]) + shape('b', [80, 60, 36, 36]) + shape('c', [200, 0, 100, 80]);
  const xml = processFile(timer, places);
  const described: Record<Language, string> = {
    en: 'BPMN 2.0 diagram with 3 shapes and 0 connections. Task: Pay; Event sub process; Timer boundary event, non-interrupting',
    de: 'BPMN-2.0-Diagramm mit 3 Formen und 0 Verbindungen. Aufgabe: Pay; Ereignis-Teilprozess; Angeheftetes Ereignis (Zeit), nicht unterbrechend',
    fr: 'Diagramme BPMN 2.0 avec 3 formes et 0 connexion. Tâche : Pay; Sous-processus événementiel; Événement attaché (minuterie), non interruptif',
    es: 'Diagrama BPMN 2.0 con 3 formas y 0 conexiones. Tarea: Pay; Subproceso de evento; Evento adjunto (temporizador), no interruptor',
    it: 'Diagramma BPMN 2.0 con 3 forme e 0 connessioni. Attività: Pay; Sottoprocesso evento; Evento di confine (timer), non interrompente',
  };
  for (const [language, words] of Object.entries(described)) t.equal(descOf(xml, language as Language), words);
  const one = processFile('<task id="a" name="Pay"/>', shape('a', [0, 0, 100, 80]));
  t.match(descOf(one, 'en'), 'diagram with 1 shape and 0 connections.');
  t.end();
});
