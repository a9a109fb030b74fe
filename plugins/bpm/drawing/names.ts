/** What a shape or edge is called: its label, and its kind in words. */
import { clean } from '@lintel/sdk/drawing';
import { eventSymbol } from './event-definitions.js';
import { elementOf, elementsOf, flagOf, isA, textOf, type BpmnNode } from './moddle.js';
import type { Edge, Shape } from './scene.js';
import { kindIn, textsIn, type Language } from '../words/index.js';

/** Characters of a label that are considered. */
const LONGEST = 2_000;

/** The label of an element as in the file, with its line breaks; empty where it has none. */
export function labelText({ element, type, id }: Shape | Edge): string {
  const name = textOf(element, 'name');
  switch (type) {
    case 'unknown':
      return `? ${id}`.slice(0, LONGEST);
    case 'textAnnotation':
      return textOf(element, 'text').slice(0, LONGEST);
    case 'group':
      return textOf(elementOf(element, 'categoryValueRef'), 'value').slice(0, LONGEST);
    case 'dataObjectReference':
    case 'dataStoreReference':
      return withState(name || textOf(elementOf(element, type.replace('Reference', 'Ref')), 'name'), element);
    case 'messageFlow':
      return (name || textOf(elementOf(element, 'messageRef'), 'name')).slice(0, LONGEST);
    default:
      return name.slice(0, LONGEST);
  }
}

/** The name of data with its state, as the standard writes it: `Order [paid]`. */
function withState(name: string, element: BpmnNode | undefined): string {
  const state = textOf(elementOf(element, 'dataState'), 'name');
  return (state === '' ? name : `${name}\n[${state}]`).slice(0, LONGEST);
}

function eventKind(element: BpmnNode | undefined, type: string, language: Language): string {
  const { event, definitions, nonInterrupting } = textsIn(language);
  const definition = eventSymbol(element);
  const words = kindIn(language, type);
  const kind = definition === undefined ? words : event(words, definitions[definition]);
  const isPassive = flagOf(element, 'cancelActivity') === false || flagOf(element, 'isInterrupting') === false;
  return isPassive ? `${kind}, ${nonInterrupting}` : kind;
}

/** The kind of an element in words, such as `Timer boundary event, non-interrupting`. */
export function kindInWords({ element, type }: Shape | Edge, language: Language): string {
  if (isA(element, 'bpmn:Event')) return eventKind(element, type, language);
  const isOfEvent = type === 'subProcess' && flagOf(element, 'triggeredByEvent');
  return kindIn(language, isOfEvent ? 'eventSubProcess' : type);
}

/** A text for readers who point at an element: its kind, name and documentation. */
export function description(item: Shape | Edge, language: Language): string {
  const documentation = textOf(elementsOf(item.element, 'documentation')[0], 'text');
  const name = clean(labelText(item), 200);
  const text = clean(documentation, 180);
  const kind = kindInWords(item, language);
  return `${name === '' ? kind : textsIn(language).pair(kind, name)}${text === '' ? '' : ` – ${text}`}`;
}
