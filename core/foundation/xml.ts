import { SaxesParser, type SaxesTagNS } from 'saxes';

export type XmlTag = SaxesTagNS;

export interface XmlLimits {
  /** Levels of elements. */
  depth: number;
  /** Attributes of one element, declarations of namespaces included. */
  attributes: number;
}

/** What is told of a document, in its order; whatever these throw ends the reading. */
export interface XmlHandlers {
  open(tag: XmlTag): void;
  /** Text within an element, entities and CDATA sections resolved; a text may come in several pieces. */
  text(text: string): void;
  close(): void;
  /** A document type, as it is written after `<!DOCTYPE`; none is allowed where this is absent. */
  doctype?(doctype: string): void;
  /** A processing instruction; they are passed over where this is absent. */
  instruction?(): void;
}

/** Characters of one text, comment, attribute or name: so much of a document is held in memory at a time. */
export const MAX_TOKEN = 1_048_576;
/** The parser is looked at after each piece, not within one. */
const PIECE = 32_768;

/** A document is not well-formed XML, or more than is read. */
export class XmlFault extends Error {
  /** @param line counted from 1 */
  constructor(
    readonly reason: string,
    readonly line: number,
  ) {
    super(reason);
  }
}

/**
 * Reads XML 1.0 with namespaces (https://www.w3.org/TR/xml-names/) piece by piece. It must be well-formed and in UTF-8;
 * only the five entities of XML and character references are resolved; depth, attributes and the length of each part are bounded.
 */
export class XmlReader {
  private readonly parser = new SaxesParser({ xmlns: true });
  private depth = 0;
  private attributes = 0;
  /** Where the latest part ended: what is read now began there. */
  private position = 0;
  private begun = 1;
  private isClosed = false;

  constructor(
    private readonly handlers: XmlHandlers,
    private readonly limits: XmlLimits,
  ) {
    const { parser } = this;
    parser.on('error', ({ message }) => {
      throw this.malformed(message);
    });
    parser.on('xmldecl', ({ encoding }) => {
      if (encoding !== undefined && !/^(utf-?8|us-ascii)$/i.test(encoding))
        throw new XmlFault(`is encoded in ${encoding.slice(0, 40)}; UTF-8 is needed`, 1);
    });
    parser.on('doctype', (doctype) => {
      if (!handlers.doctype) throw new XmlFault('a document type (DOCTYPE) is not allowed', this.line);
      handlers.doctype(doctype);
      this.mark();
    });
    parser.on('processinginstruction', () => {
      handlers.instruction?.();
      this.mark();
    });
    parser.on('comment', () => this.mark());
    parser.on('attribute', () => {
      if (++this.attributes > limits.attributes)
        throw new XmlFault(`a tag has more than ${limits.attributes} attributes`, this.line);
    });
    parser.on('opentag', (tag) => this.open(tag));
    parser.on('text', (text) => this.text(text));
    parser.on('cdata', (text) => this.text(text));
    parser.on('closetag', () => {
      this.depth--;
      this.isClosed = this.depth === 0;
      handlers.close();
      this.mark();
    });
  }

  /** The line that is being read, counted from 1. */
  get line(): number {
    return this.parser.line;
  }

  /** @throws XmlFault, and what the handlers throw */
  write(text: string): void {
    for (let i = 0; i < text.length; i += PIECE) {
      this.parser.write(text.slice(i, i + PIECE));
      if (this.parser.position - this.position > MAX_TOKEN)
        throw new XmlFault(`a text, comment or tag is longer than ${MAX_TOKEN} characters`, this.begun);
    }
  }

  /** Says that there is no more. @throws XmlFault where the document is not complete */
  end(): void {
    if (!this.isClosed)
      throw new XmlFault(
        `is not well-formed XML: it ${this.depth > 0 ? 'ends in the middle' : 'has no element'}${this.whereBegun(this.line)}`,
        this.line,
      );
    this.parser.close();
  }

  private open(tag: XmlTag): void {
    if (++this.depth > this.limits.depth)
      throw new XmlFault(`elements nest deeper than ${this.limits.depth} levels`, this.line);
    this.attributes = 0;
    this.handlers.open(tag);
    this.mark();
  }

  private text(text: string): void {
    if (this.depth > 0) this.handlers.text(text);
    this.mark();
  }

  private mark(): void {
    this.position = this.parser.position;
    this.begun = this.parser.line;
  }

  /** @param message of the parser, which begins with line and column */
  private malformed(message: string): XmlFault {
    const [, line = '1', column = '0', said = message] = /^(\d+):(\d+): (.*)$/s.exec(message) ?? [];
    return new XmlFault(
      `is not well-formed XML at column ${column}: ${said.slice(0, 200).replace(/\.$/, '')}${this.whereBegun(Number(line))}`,
      Number(line),
    );
  }

  /** What was never ended is noticed far behind the place where that is missing. */
  private whereBegun(line: number): string {
    return this.begun < line ? `, in what begins on line ${this.begun}` : '';
  }
}
