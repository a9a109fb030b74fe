import { SaxesParser, type SaxesTagNS } from 'saxes';

export type XmlTag = SaxesTagNS;

interface XmlLimits {
  /** Maximum nesting depth of elements. */
  depth: number;
  /** Maximum number of attributes per element, including namespace declarations. */
  attributes: number;
}

/** Called for the parts of a document, in document order; an exception from a handler ends the parsing. */
interface XmlHandlers {
  open(tag: XmlTag): void;
  /** Text of an element with entities and CDATA resolved; one text may be passed in several pieces. */
  text(text: string): void;
  close(): void;
  /** The document type after `<!DOCTYPE`; documents with one are rejected if this handler is absent. */
  doctype?(doctype: string): void;
  /** A processing instruction; ignored if this handler is absent. */
  instruction?(): void;
}

/** Maximum number of characters of one text, comment, attribute or name, which are held in memory. */
const MAX_TOKEN = 1_048_576;
/** The limits are checked after each piece of this size, not within it. */
const PIECE = 32_768;

/** The document is not well-formed XML, or exceeds a limit. */
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
 * Parses XML 1.0 with namespaces (https://www.w3.org/TR/xml-names/) incrementally. The document must be well-formed
 * UTF-8; only the five predefined entities and character references are resolved; depth, attributes and the length of
 * each part are bounded.
 */
export class XmlReader {
  private readonly parser = new SaxesParser({ xmlns: true });
  private depth = 0;
  private attributes = 0;
  /** End position of the previous part, and the line where the current part begins. */
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

  /** The current line, counted from 1. */
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

  /** Ends the document. @throws XmlFault where it is incomplete */
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

  /** @param message message of the parser, which begins with line and column */
  private malformed(message: string): XmlFault {
    const [, line = '1', column = '0', said = message] = /^(\d+):(\d+): (.*)$/s.exec(message) ?? [];
    return new XmlFault(
      `is not well-formed XML at column ${column}: ${said.slice(0, 200).replace(/\.$/, '')}${this.whereBegun(Number(line))}`,
      Number(line),
    );
  }

  /**
   * An unterminated part is detected long after the place where its end is missing, so the message names its first
   * line.
   */
  private whereBegun(line: number): string {
    return this.begun < line ? `, in what begins on line ${this.begun}` : '';
  }
}
