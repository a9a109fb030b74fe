import sax, { type QualifiedTag, type SAXParser } from 'sax';
import { decoded, isStorable } from '../text.js';
import { unreadable } from '../types.js';

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
const MAX_DEPTH = 64;
const MAX_ATTRIBUTES = 64;
const MAX_PARTS = 500_000;
const MAX_PROPERTIES = 200;
const MAX_NAME = 2_000;
const MAX_TEXT = 60_000;
/** The parser bounds what it holds between two pieces, not within one. */
const PIECE = 32_768;

/** Where texts are kept, by the path below the model. */
const NAME = 'elements/element/name';
const DOCUMENTATION = 'elements/element/documentation';
const VALUE = 'elements/element/properties/property/value';
const DEFINITION = 'propertyDefinitions/propertyDefinition/name';
const TEXTS: ReadonlyMap<string, number> = new Map([[NAME, MAX_NAME], [DOCUMENTATION, MAX_TEXT], [VALUE, MAX_TEXT], [DEFINITION, MAX_NAME]]);

/** Reads the parts of a model out of the events of an XML parser. */
class ModelReader {
  readonly model: ArchimateModel = { identifier: '', elements: [], relationships: [], properties: new Map() };
  private readonly path: string[] = [];
  private at = '';
  private text = '';
  private limit = 0;
  private definition = '';
  private property = '';
  isOver = false;

  constructor(private readonly line: () => number) {}

  open(tag: QualifiedTag): void {
    if (this.path.length >= MAX_DEPTH) throw unreadable(`elements nest deeper than ${MAX_DEPTH} levels`, this.line());
    if (this.path.length === 0) this.root(tag);
    this.path.push(tag.local);
    this.at = this.path.slice(1).join('/');
    this.limit = TEXTS.get(this.at) ?? 0;
    this.text = '';
    const { elements, relationships } = this.model;
    if (this.at === 'elements/element') {
      elements.push({ identifier: this.attribute(tag, 'identifier'), kind: this.kind(tag), name: '', documentation: '', properties: [], line: this.line() });
    } else if (this.at === 'relationships/relationship') {
      const [identifier, source, target] = ['identifier', 'source', 'target'].map((name) => this.attribute(tag, name)) as [string, string, string];
      relationships.push({ identifier, kind: this.kind(tag), source, target, line: this.line() });
    } else if (this.at === 'propertyDefinitions/propertyDefinition') this.definition = this.attribute(tag, 'identifier');
    else if (this.at === 'elements/element/properties/property') this.property = own(tag, 'propertyDefinitionRef') ?? own(tag, 'identifierref') ?? '';
    if (elements.length + relationships.length > MAX_PARTS) throw unreadable(`there are more than ${MAX_PARTS} elements and relationships`, this.line());
  }

  add(text: string): void {
    if (this.limit === 0 || this.text.length >= this.limit) return;
    this.text += text;
    if (!isStorable(this.text) && !/[\ud800-\udbff]$/.test(this.text)) throw unreadable('holds a character XML does not allow', this.line());
  }

  close(): void {
    const element = this.model.elements.at(-1);
    // Line ends of any kind are one to XML (https://www.w3.org/TR/xml/#sec-line-ends).
    const text = this.text.replace(/\r\n?/g, '\n').toWellFormed();
    if (this.at === NAME) element!.name ||= text;
    else if (this.at === DOCUMENTATION) element!.documentation ||= text;
    else if (this.at === VALUE && element!.properties.length < MAX_PROPERTIES) element!.properties.push([this.property, text]);
    else if (this.at === DEFINITION && !this.model.properties.has(this.definition)) this.model.properties.set(this.definition, text.trim());
    this.path.pop();
    this.at = this.path.slice(1).join('/');
    this.limit = 0;
    this.text = '';
    this.isOver = this.path.length === 0;
  }

  private root(tag: QualifiedTag): void {
    if (tag.local !== 'model' || !NAMESPACE.test(tag.uri)) throw unreadable('is no ArchiMate model exchange file of version 3', this.line());
    this.model.identifier = this.attribute(tag, 'identifier');
  }

  /** The kind without the prefix some tools write. */
  private kind(tag: QualifiedTag): string {
    const type = Object.values(tag.attributes).find((a) => a.local === 'type' && a.uri === XSI)?.value;
    if (!type) throw unreadable(`a ${tag.local} has no xsi:type`, this.line());
    return type.trim().replace(/^.*:/, '').slice(0, 100);
  }

  private attribute(tag: QualifiedTag, name: string): string {
    const value = own(tag, name)?.trim();
    if (!value) throw unreadable(`a ${tag.local} has no ${name}`, this.line());
    if (!isStorable(value)) throw unreadable('holds a character XML does not allow', this.line());
    return value;
  }
}

const own = (tag: QualifiedTag, name: string): string | undefined => (Object.hasOwn(tag.attributes, name) ? tag.attributes[name]!.value : undefined);

/**
 * Reads an ArchiMate Model Exchange File (https://pubs.opengroup.org/architecture/archimate3-doc/), version 3.x.
 * Document types are refused, so that there are no entities to expand; depth and sizes are bounded.
 * @throws UnreadableFile
 */
export async function readArchimate(bytes: AsyncIterable<Buffer>): Promise<ArchimateModel> {
  const parser: SAXParser & { attribList?: unknown[] } = sax.parser(true, { xmlns: true, position: true });
  const reader = new ModelReader(() => parser.line + 1);
  parser.onopentag = (tag) => reader.open(tag as QualifiedTag);
  parser.ontext = (text) => reader.add(text);
  parser.oncdata = (text) => reader.add(text);
  parser.onclosetag = () => reader.close();
  parser.ondoctype = () => { throw unreadable('a document type (DOCTYPE) is not allowed', parser.line + 1); };
  parser.onsgmldeclaration = parser.ondoctype;
  parser.onprocessinginstruction = ({ name, body }) => {
    const encoding = name === 'xml' ? /encoding\s*=\s*["']([^"']*)/.exec(body)?.[1] : undefined;
    if (encoding !== undefined && !/^(utf-?8|us-ascii)$/i.test(encoding)) throw unreadable(`is encoded in ${encoding.slice(0, 40)}; UTF-8 is needed`, 1);
  };
  parser.onerror = ({ message }) => { throw unreadable(`is not well-formed XML: ${message.split('\n')[0]!.slice(0, 200)}`, parser.line + 1); };
  for await (const text of decoded(bytes)) {
    for (let i = 0; i < text.length; i += PIECE) {
      parser.write(text.slice(i, i + PIECE));
      if ((parser.attribList?.length ?? 0) > MAX_ATTRIBUTES) throw unreadable(`a tag has more than ${MAX_ATTRIBUTES} attributes`, parser.line + 1);
    }
  }
  if (!reader.isOver) throw unreadable('the file ends in the middle of the model');
  parser.close();
  return reader.model;
}
