/** References of a file between its elements, by attributes or child elements. */
import type { HandledReference } from 'moddle-xml';
import { localName, textOf, type BpmnNode, type PropertyDescriptor } from './model.js';
import { quoted, type ProblemList } from './problems.js';

/** More than this is refused: lists of ids in attributes are not counted as elements. */
const MAX_REFERENCES = 1_000_000;

interface Found {
  reference: HandledReference;
  line: number;
  bound: Record<string, string>;
}

/** The elements among which references are resolved. */
interface Elements {
  readonly definitions: BpmnNode | undefined;
  readonly byId: ReadonlyMap<string, BpmnNode>;
  readonly problems: ProblemList;
}

/** A file with too many references. */
export class TooManyReferences extends Error {}

/** Collects the references of a file, and resolves them in linear time. */
export class References {
  readonly #found: Found[] = [];
  /** Names that lead to no element of the file, by the element and property that has them. */
  readonly unresolved = new Map<BpmnNode, Map<string, string[]>>();

  /** @param bound the namespaces at its place, see `Namespaces.bound` */
  add(reference: HandledReference, line: number, bound: Record<string, string>): void {
    if (this.#found.length >= MAX_REFERENCES) throw new TooManyReferences();
    this.#found.push({ reference, line, bound });
  }

  /** Sets each property to the elements that it names; those that do not exist are problems. */
  resolve(elements: Elements): void {
    const lists = new Map<BpmnNode, Set<string>>();
    for (const { reference, line, bound } of this.#found) {
      const from = reference.element as BpmnNode;
      const property = from.$descriptor.propertiesByName[reference.property]!;
      // An attribute of several ids may have more than one space between two of them.
      if (!reference.id?.trim() && property.isMany) continue;
      const to = target(reference.id ?? '', bound, elements);
      if (to) checkType(elements.problems, from, property, to, line);
      else {
        this.#lose(from, property.name, reference.id ?? '');
        if (!isElsewhere(reference.id ?? '', bound, elements))
          report(elements.problems, from, property.name, reference.id ?? '', line);
      }
      if (!property.isMany) from.set(property.name, to);
      else {
        const seen = lists.get(from) ?? new Set();
        lists.set(from, seen);
        // Child elements have put what they name as a placeholder; all are set anew, in the order of the file.
        if (!seen.has(property.name)) from.set(property.name, []);
        seen.add(property.name);
        if (to) (from.get(property.name) as BpmnNode[]).push(to);
      }
    }
  }

  #lose(from: BpmnNode, property: string, id: string): void {
    const properties = this.unresolved.get(from) ?? new Map<string, string[]>();
    this.unresolved.set(from, properties);
    const ids = properties.get(property);
    if (ids) ids.push(id);
    else properties.set(property, [id]);
  }
}

/**
 * Elements that a property may name by its descriptor; the descriptors of message flows leave sub-processes out. Lists of
 * what belongs to an element are redundant, and some tools list more in them, such as message flows.
 */
function checkType(
  problems: ProblemList,
  from: BpmnNode,
  { name, type, isMany }: PropertyDescriptor,
  to: BpmnNode,
  line: number,
): void {
  if (to.$instanceOf(type) || type === 'bpmn:InteractionNode') return;
  const message = `${name} of this ${localName(from)} is ${quoted(to.id!)}, which is a ${localName(to)}.`;
  problems.add(isMany ? 'warning' : 'error', 'wrong_reference', message, { line, id: from.id });
}

/** The namespace of a qualified name such as `tns:Task_1`, and the part after the colon. */
function qualified(
  text: string,
  bound: Record<string, string>,
): { uri: string | undefined; local: string } | undefined {
  const [prefix, local] = text.trim().split(':', 2);
  return local === undefined ? undefined : { uri: bound[`${prefix}$uri`], local };
}

/** The element with an id, or with a qualified name in the namespace of the file: both forms are in use. */
function target(text: string, bound: Record<string, string>, { byId, definitions }: Elements): BpmnNode | undefined {
  const direct = byId.get(text.trim());
  const name = direct ? undefined : qualified(text, bound);
  if (!name) return direct;
  return name.uri !== undefined && name.uri === textOf(definitions!, 'targetNamespace')
    ? byId.get(name.local)
    : undefined;
}

/** Whether a name is in the namespace of another file, such as the types of Java. */
function isElsewhere(text: string, bound: Record<string, string>, { definitions }: Elements): boolean {
  const uri = qualified(text, bound)?.uri;
  return uri !== undefined && uri !== textOf(definitions!, 'targetNamespace');
}

/** What engines take a name for that is no id: Flowable, Activiti and Camunda 7 write a code, or the name of a signal or message, in its place. */
const CODES: Readonly<Record<string, string | undefined>> = {
  errorRef: 'the code of an error',
  escalationRef: 'the code of an escalation',
  signalRef: 'the name of a signal',
  messageRef: 'the name of a message',
};

function report(problems: ProblemList, from: BpmnNode, property: string, id: string, line: number): void {
  const code = from.$instanceOf('bpmn:EventDefinition') && id.trim() !== '' ? CODES[property] : undefined;
  if (code !== undefined) {
    const message = `${property} of this ${localName(from)} is ${quoted(id)}, which is no id in the file. Some engines take it for ${code}.`;
    problems.add('warning', 'unresolved_reference', message, { line, id: from.id });
    return;
  }
  reportMissing(problems, from, property, id, line);
}

function reportMissing(problems: ProblemList, from: BpmnNode, property: string, id: string, line: number): void {
  const isShape = property === 'bpmnElement';
  const code = isShape ? 'shape_without_element' : 'unresolved_reference';
  const message = `${property} of this ${localName(from)} is ${quoted(id)}, which is not in the file.`;
  problems.add('error', code, message, { line, id: from.id });
}
