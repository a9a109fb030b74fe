import { XmlFault, XmlReader, type XmlTag } from '../../../../foundation/xml.js';
import { decoded } from '../text.js';
import { unreadable } from '../../types.js';
import { cut } from './names.js';

export interface ArchimateElement {
  identifier: string;
  /** Such as `ApplicationComponent`. */
  kind: string;
  name: string;
  documentation: string;
  /** Definition and value. */
  properties: [string, string][];
  line: number;
}

export interface ArchimateRelationship {
  identifier: string;
  /** Such as `Composition`. */
  kind: string;
  source: string;
  target: string;
  line: number;
}

export interface ArchimateModel {
  identifier: string;
  elements: ArchimateElement[];
  relationships: ArchimateRelationship[];
  /** Names of property definitions by identifier. */
  properties: Map<string, string>;
}

const NAMESPACE = /^http:\/\/www\.opengroup\.org\/xsd\/archimate\/3\.\d+\/?$/;
const XSI = 'http://www.w3.org/2001/XMLSchema-instance';
const LIMITS = { depth: 64, attributes: 64 };
const MAX_PARTS = 500_000;
const MAX_PROPERTIES = 200;
const MAX_NAME = 2_000;
const MAX_TEXT = 60_000;

/** Elements whose texts are collected, by their path below the model. */
const NAME = 'elements/element/name';
const DOCUMENTATION = 'elements/element/documentation';
const VALUE = 'elements/element/properties/property/value';
const DEFINITION = 'propertyDefinitions/propertyDefinition/name';
const TEXTS: ReadonlyMap<string, number> = new Map([
  [NAME, MAX_NAME],
  [DOCUMENTATION, MAX_TEXT],
  [VALUE, MAX_TEXT],
  [DEFINITION, MAX_NAME],
]);

/** Builds a model from the events of an XML parser. */
class ModelReader {
  readonly model: ArchimateModel = { identifier: '', elements: [], relationships: [], properties: new Map() };
  private readonly path: string[] = [];
  private at = '';
  private text = '';
  private limit = 0;
  private definition = '';
  private property = '';

  /** @param line returns the current line */
  constructor(private readonly line: () => number) {}

  open(tag: XmlTag): void {
    if (this.path.length === 0) this.root(tag);
    this.path.push(tag.local);
    this.at = this.path.slice(1).join('/');
    this.limit = TEXTS.get(this.at) ?? 0;
    this.text = '';
    const { elements, relationships } = this.model;
    if (this.at === 'elements/element') {
      elements.push({
        identifier: this.attribute(tag, 'identifier'),
        kind: this.kind(tag),
        name: '',
        documentation: '',
        properties: [],
        line: this.line(),
      });
    } else if (this.at === 'relationships/relationship') {
      const [identifier, source, target] = ['identifier', 'source', 'target'].map((name) =>
        this.attribute(tag, name),
      ) as [string, string, string];
      relationships.push({ identifier, kind: this.kind(tag), source, target, line: this.line() });
    } else if (this.at === 'propertyDefinitions/propertyDefinition')
      this.definition = this.attribute(tag, 'identifier');
    else if (this.at === 'elements/element/properties/property')
      this.property = own(tag, 'propertyDefinitionRef') ?? own(tag, 'identifierref') ?? '';
    if (elements.length + relationships.length > MAX_PARTS)
      throw unreadable(`there are more than ${MAX_PARTS} elements and relationships`, this.line());
  }

  add(text: string): void {
    if (this.limit > this.text.length) this.text = cut(this.text + text, this.limit);
  }

  close(): void {
    const element = this.model.elements.at(-1);
    // Normalises line ends, including those written as character references.
    const text = this.text.replace(/\r\n?/g, '\n');
    if (this.at === NAME) element!.name ||= text;
    else if (this.at === DOCUMENTATION) element!.documentation ||= text;
    else if (this.at === VALUE && element!.properties.length < MAX_PROPERTIES)
      element!.properties.push([this.property, text]);
    else if (this.at === DEFINITION && !this.model.properties.has(this.definition))
      this.model.properties.set(this.definition, text.trim());
    this.path.pop();
    this.at = this.path.slice(1).join('/');
    this.limit = 0;
    this.text = '';
  }

  private root(tag: XmlTag): void {
    if (tag.local !== 'model' || !NAMESPACE.test(tag.uri))
      throw unreadable('is no ArchiMate model exchange file of version 3', this.line());
    this.model.identifier = this.attribute(tag, 'identifier');
  }

  /** The kind without the prefix that some tools write. */
  private kind(tag: XmlTag): string {
    const type = Object.values(tag.attributes).find((a) => a.local === 'type' && a.uri === XSI)?.value;
    if (!type) throw unreadable(`a ${tag.local} has no xsi:type`, this.line());
    return type.trim().replace(/^.*:/, '').slice(0, 100);
  }

  private attribute(tag: XmlTag, name: string): string {
    const value = own(tag, name)?.trim();
    if (!value) throw unreadable(`a ${tag.local} has no ${name}`, this.line());
    return value;
  }
}

const own = (tag: XmlTag, name: string): string | undefined =>
  Object.hasOwn(tag.attributes, name) ? tag.attributes[name]!.value : undefined;

/**
 * Reads an ArchiMate Model Exchange File (https://pubs.opengroup.org/architecture/archimate3-doc/), version 3.x. It
 * must be well-formed XML. Document types are rejected, so that there are no entities to expand; depth and sizes are
 * bounded.
 * @throws UnreadableFile
 */
export async function readArchimate(bytes: AsyncIterable<Buffer>): Promise<ArchimateModel> {
  const reader = new ModelReader(() => xml.line);
  const xml = new XmlReader(
    { open: (tag) => reader.open(tag), text: (text) => reader.add(text), close: () => reader.close() },
    LIMITS,
  );
  try {
    for await (const text of decoded(bytes)) xml.write(text);
    xml.end();
  } catch (error) {
    throw error instanceof XmlFault ? unreadable(error.reason, error.line) : error;
  }
  return reader.model;
}
