/** What an event waits for or raises. */
import { elementsOf, flagOf, localName, type BpmnNode } from './moddle.js';

/** A symbol of an event; the names are those of the definitions in the file, without `EventDefinition`. */
export type EventSymbol =
  | 'message'
  | 'timer'
  | 'error'
  | 'escalation'
  | 'cancel'
  | 'compensate'
  | 'conditional'
  | 'link'
  | 'signal'
  | 'terminate'
  | 'multiple'
  | 'parallelMultiple';

const KNOWN: readonly string[] = [
  'message',
  'timer',
  'error',
  'escalation',
  'cancel',
  'compensate',
  'conditional',
  'link',
  'signal',
  'terminate',
];

/** The symbol of an event; undefined for one without definitions, or with one of another standard. */
export function eventSymbol(event: BpmnNode | undefined): EventSymbol | undefined {
  const all = [...elementsOf(event, 'eventDefinitions'), ...elementsOf(event, 'eventDefinitionRef')];
  if (all.length > 1) return flagOf(event, 'parallelMultiple') ? 'parallelMultiple' : 'multiple';
  const name = localName(all[0]).replace(/EventDefinition$/, '');
  return KNOWN.includes(name) ? (name as EventSymbol) : undefined;
}
