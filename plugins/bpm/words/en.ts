import type { EventSymbol } from '../drawing/event-definitions.js';
import type { Mark } from '../drawing/marks.js';

/** A noun that is counted, by its plural form. */
export interface Noun {
  one: string;
  other: string;
}

/** The texts of drawings in one language. */
export interface Texts {
  /** The title of a drawing without a name. */
  diagram: string;
  shapes: Noun;
  connections: Noun;
  /** What a drawing shows. @param shapes and connections: numbers with their nouns */
  content: (shapes: string, connections: string) => string;
  /** A word with its value, such as an entry of a legend with its number. */
  pair: (word: string, value: string) => string;
  /** Of events that do not interrupt their activity. */
  nonInterrupting: string;
  /** The kind of an event that waits for something or raises it. */
  event: (type: string, definition: string) => string;
  /** Kinds of elements, by their names in files; without one, the name itself in words. */
  kinds: Readonly<Record<string, string>>;
  definitions: Readonly<Record<EventSymbol, string>>;
  marks: Readonly<Record<Mark, string>>;
}

export const en: Texts = {
  diagram: 'BPMN diagram',
  shapes: { one: 'shape', other: 'shapes' },
  connections: { one: 'connection', other: 'connections' },
  content: (shapes, connections) => `BPMN 2.0 diagram with ${shapes} and ${connections}.`,
  pair: (word, value) => `${word}: ${value}`,
  nonInterrupting: 'non-interrupting',
  event: (type, definition) => `${definition} ${type.charAt(0).toLowerCase()}${type.slice(1)}`,
  kinds: { eventSubProcess: 'Event sub process', unknown: 'Unknown element' },
  definitions: {
    message: 'Message',
    timer: 'Timer',
    error: 'Error',
    escalation: 'Escalation',
    cancel: 'Cancel',
    compensate: 'Compensate',
    conditional: 'Conditional',
    link: 'Link',
    signal: 'Signal',
    terminate: 'Terminate',
    multiple: 'Multiple',
    parallelMultiple: 'Parallel multiple',
  },
  marks: {
    added: 'added',
    removed: 'removed',
    renamed: 'renamed',
    rewired: 'rewired',
    moved: 'moved',
    changed: 'changed',
  },
};
