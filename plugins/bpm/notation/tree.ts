/** Builds the elements of BPMN from tags, with the handlers of moddle-xml. */
import { Reader, type ElementHandler, type HandledReference, type HandlerContext } from 'moddle-xml';
import type { SaxesTagNS } from 'saxes';
import { localName, moddle, STANDARD_URIS, type BpmnNode } from './model.js';
import { Namespaces } from './namespaces.js';
import { ProblemList, quoted, type ProblemCode } from './problems.js';
import { References, TooManyReferences } from './references.js';
import { checkValues } from './values.js';

/** A name without colon (https://www.w3.org/TR/xml-names/#NT-NCName), as `xsd:ID` requires. */
const ASCII_NAME = /^[A-Za-z_][\w.-]*$/;
const NC_NAME = /^[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}\u00b7.-]*$/u;

/** What stands for a tag that has no element in BPMN: its content is skipped. */
const SKIPPED = {
  handleNode: () => SKIPPED,
  handleText: () => undefined,
  handleEnd: () => undefined,
} as unknown as ElementHandler;

/**
 * The elements of one file. It replaces the XML reader of moddle-xml, which stops at names with letters outside of
 * ASCII, drops elements with doubled ids, and does not tell where an element is. It adds to `problems` what violates the
 * descriptors.
 */
export class Tree implements HandlerContext {
  readonly problems = new ProblemList();
  /** The line of each element that the descriptors know. */
  readonly #lines = new Map<object, number>();
  readonly byId = new Map<string, BpmnNode>();
  /** Elements of the BPMN namespace that are no mere reference to another element. */
  count = 0;
  readonly #references = new References();
  readonly #namespaces = new Namespaces();
  readonly #root: ElementHandler;
  readonly #open: ElementHandler[];
  #line = 1;
  /** The element whose text has been reported: once is enough. */
  #textIn: BpmnNode | undefined;

  constructor() {
    this.#root = new Reader({ model: moddle, lax: true }).handler('bpmn:Definitions');
    this.#root.context = this;
    this.#open = [this.#root];
  }

  /** The root, if it is `definitions` of BPMN 2.0. */
  get definitions(): BpmnNode | undefined {
    return this.#root.element as BpmnNode | undefined;
  }

  /** @param line where the tag begins */
  open(tag: SaxesTagNS, line: number): void {
    this.#line = line;
    this.#namespaces.open(tag);
    const parent = this.#open.at(-1)!;
    if (parent === SKIPPED) {
      this.#open.push(SKIPPED);
      return;
    }
    const attributes = this.#namespaces.attributes(tag);
    const handler = this.#handlerOf(tag, parent, attributes);
    this.#open.push(handler ?? SKIPPED);
    const node = handler && nodeOf(handler);
    if (!handler) this.#refuse(tag, parent);
    else if (node) checkValues(node, attributes, (code, message) => this.#problem(code, message, node.id));
  }

  text(text: string): void {
    const handler = this.#open.at(-1)!;
    if (this.#open.length < 2 || handler === SKIPPED || text.trim() === '') return;
    const of = nodeOf(handler);
    if (!of || of.$descriptor.bodyProperty) handler.handleText(text);
    else if (of.$type !== 'bpmn:ExtensionElements' && this.#textIn !== of) {
      this.#textIn = of;
      const message = `The text ${quoted(text.trim())} is not allowed in ${localName(of)}.`;
      this.problems.add('error', 'unexpected_text', message, { line: this.lineOf(of), id: of.id });
    }
  }

  close(): void {
    this.#open.pop()!.handleEnd();
    this.#namespaces.close();
  }

  /** Resolves references, after the last tag. */
  end(): void {
    this.#references.resolve(this);
  }

  /** The line of an element of this file. */
  lineOf(element: object): number | undefined {
    return this.#lines.get(element);
  }

  /** Names that lead to no element of the file, by the element and the property that has them. */
  get unresolved(): ReadonlyMap<BpmnNode, ReadonlyMap<string, readonly string[]>> {
    return this.#references.unresolved;
  }

  /** Whether a property of an element names something that is not in the file. */
  isUnresolved(element: BpmnNode, property: string): boolean {
    return this.unresolved.get(element)?.has(property) ?? false;
  }

  // Called by the handlers.

  addElement(element: object): void {
    const node = element as BpmnNode;
    if (node.$descriptor.isGeneric) return;
    this.#lines.set(element, this.#line);
    if (node.$type.startsWith('bpmn:')) this.count++;
    const { id } = node;
    if (typeof id !== 'string' || id === '') return;
    if (!ASCII_NAME.test(id) && !NC_NAME.test(id))
      this.#problem('invalid_id', `${quoted(id)} is not a valid id in XML.`, id);
    const first = this.byId.get(id);
    // Elements are named more often than shapes.
    if (!first || (first.$type.startsWith('bpmndi:') && node.$type.startsWith('bpmn:'))) this.byId.set(id, node);
    if (first)
      this.#problem(
        'duplicate_id',
        `The id ${quoted(id)} of this ${localName(node)} is also the id of the ${localName(first)} on line ${this.lineOf(first)}.`,
        id,
      );
  }

  addReference(reference: HandledReference): void {
    this.#references.add(reference, this.#line, this.#namespaces.bound);
  }

  /** Called for attributes that are not in the descriptors. */
  addWarning({ element, property = '' }: { message: string; element?: object; property?: string }): void {
    const [prefix, local] = property.includes(':') ? property.split(':', 2) : ['', property];
    if (prefix !== '' && !STANDARD_URIS.has(this.#namespaces.bound[`${prefix}$uri`] ?? '')) return;
    const node = element as BpmnNode;
    this.#problem('unknown_attribute', `${localName(node)} has no attribute ${quoted(local!)} in BPMN 2.0.`, node.id);
  }

  #problem(code: ProblemCode, message: string, id?: string): void {
    this.problems.add('error', code, message, { line: this.#line, id });
  }

  /** A tag that the descriptors do not allow at its place. */
  #refuse(tag: SaxesTagNS, parent: ElementHandler): void {
    const inside = parent.element as BpmnNode | undefined;
    if (!STANDARD_URIS.has(tag.uri) || inside?.$type === 'bpmn:ExtensionElements') return;
    const where = inside?.$type ? ` in ${localName(inside)}` : '';
    this.#problem(
      'unexpected_element',
      `BPMN 2.0 has no element ${quoted(tag.local)}${where}.`,
      tag.attributes['id']?.value,
    );
  }

  /** The handler of a tag; undefined if the descriptors do not allow the tag. */
  #handlerOf(tag: SaxesTagNS, parent: ElementHandler, attributes: Record<string, string>): ElementHandler | undefined {
    const name = this.#namespaces.elementName(tag);
    try {
      return parent.handleNode({ name, originalName: tag.name, attributes, ns: this.#namespaces.bound });
    } catch (error) {
      if (error instanceof TooManyReferences) throw error;
      return undefined;
    }
  }
}

/** The element that a handler builds, if it is one that the descriptors know; not that of a value or reference. */
function nodeOf({ element, propertyDesc }: ElementHandler): BpmnNode | undefined {
  const node = element as Partial<BpmnNode> | undefined;
  return propertyDesc || !node?.$descriptor || node.$descriptor.isGeneric ? undefined : (node as BpmnNode);
}
