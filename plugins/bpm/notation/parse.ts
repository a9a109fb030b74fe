/** From the bytes of a file to the elements of BPMN, within limits. */
import { SaxesParser, type SaxesTagNS } from 'saxes';
import { decodeXml, withPlainBreaks } from './decode.js';
import type { BpmnNode } from './model.js';
import type { BpmnProblem, Position } from './problems.js';
import { TooManyReferences } from './references.js';
import { Tree } from './tree.js';

/** What a file may have at most. */
export interface BpmnLimits {
  bytes: number;
  /** Elements of the BPMN namespace; those that only name another element, such as `incoming`, are not counted. */
  elements: number;
  /** Elements of any namespace: diagrams, extensions of vendors, and references too. */
  tags: number;
  /** Levels of nesting. */
  depth: number;
  /** Attributes of one element, with declarations of namespaces. */
  attributes: number;
  /** Attributes of all elements: they need more memory than their tags. */
  allAttributes: number;
  /** Characters of one attribute. */
  characters: number;
}

export const BPMN_LIMITS: BpmnLimits = {
  bytes: 20 * 1024 * 1024,
  elements: 50_000,
  tags: 400_000,
  depth: 100,
  attributes: 1_000,
  allAttributes: 1_200_000,
  characters: 1_048_576,
};

/** Why a file is refused as a whole. */
export type BpmnRefusal =
  | 'not_well_formed'
  | 'doctype'
  | 'too_large'
  | 'too_many_elements'
  | 'too_deep'
  | 'too_long'
  | 'encoding'
  | 'not_bpmn';

export interface RefusedFile {
  ok: false;
  reason: BpmnRefusal;
  /** One sentence for the author of the file. */
  message: string;
  line: number | null;
  column: number | null;
}

export interface ParsedFile {
  ok: true;
  /** `bpmn:Definitions` */
  definitions: BpmnNode;
  /** What violates the descriptors, doubled ids, and references that lead nowhere. */
  problems: BpmnProblem[];
  /** Elements of the BPMN namespace, see `BpmnLimits`. */
  element_count: number;
  tree: Tree;
}

const refused = (reason: BpmnRefusal, message: string, at?: Position): RefusedFile => ({
  ok: false,
  reason,
  message,
  line: at?.line ?? null,
  column: at?.column ?? null,
});

/** Ends the parser from within. */
class Refusal extends Error {
  constructor(readonly file: RefusedFile) {
    super(file.message);
  }
}

/**
 * Parses a BPMN 2.0 file. It takes seconds for large ones: call it in a worker.
 * @returns the elements with all problems that leave the rest readable; or why the file is refused, and where
 */
export function parseBpmn(bytes: Uint8Array, limits: BpmnLimits = BPMN_LIMITS): ParsedFile | RefusedFile {
  if (bytes.byteLength > limits.bytes)
    return refused('too_large', `The file is larger than ${Math.round(limits.bytes / 1024 / 1024)} MB.`);
  const decoded = decodeXml(bytes);
  if (!decoded.ok) return refused('encoding', decoded.message, { line: 1, column: 1 });
  const tree = new Tree();
  const { stackTraceLimit } = Error;
  try {
    // The library reports by exceptions, of which a file can cause hundreds of thousands; a stack trace for each takes most of the time.
    Error.stackTraceLimit = 0;
    new TagReader(withPlainBreaks(decoded.text), tree, limits).read();
    tree.end();
  } catch (error) {
    if (error instanceof Refusal) return error.file;
    if (error instanceof TooManyReferences)
      return refused('too_many_elements', 'The file has too many references between elements.');
    throw error;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
  const { definitions, problems, count } = tree;
  return { ok: true, definitions: definitions!, problems: problems.list(), element_count: count, tree };
}

/** Reads the tags of a text, for one tree. */
class TagReader {
  readonly #parser = new SaxesParser({ xmlns: true, forceXMLVersion: true, defaultXMLVersion: '1.0' });
  readonly #cursor: Cursor;
  #depth = 0;
  #tags = 0;
  #attributes = 0;
  #allAttributes = 0;
  #at: Position = { line: 1, column: 1 };

  constructor(
    private readonly text: string,
    private readonly tree: Tree,
    private readonly limits: BpmnLimits,
  ) {
    this.#cursor = new Cursor(text);
    const parser = this.#parser;
    parser.on('error', (error) => this.#malformed(error.message));
    parser.on('doctype', () => this.#refuse('doctype', 'A document type (DOCTYPE) is not allowed.'));
    parser.on('opentagstart', () => this.#begin());
    parser.on('attribute', ({ value }) => this.#attribute(value));
    parser.on('opentag', (tag) => this.#open(tag));
    parser.on('text', (content) => this.#depth > 0 && tree.text(content));
    parser.on('cdata', (content) => tree.text(content));
    parser.on('closetag', () => {
      this.#depth--;
      tree.close();
    });
  }

  /** @throws Refusal */
  read(): void {
    // The parser must see a declaration at once, and an unfinished `<!DOCTYPE` only at the end.
    this.#parser.write(this.text).close();
  }

  #begin(): void {
    this.#at = this.#cursor.to(this.text.lastIndexOf('<', this.#parser.position - 1));
    this.#attributes = 0;
    if (++this.#depth > this.limits.depth)
      this.#refuse('too_deep', `Elements are nested deeper than ${this.limits.depth} levels.`, this.#at);
    if (++this.#tags > this.limits.tags)
      this.#refuse('too_many_elements', `The file has more than ${this.limits.tags} XML elements.`, this.#at);
  }

  #attribute(value: string): void {
    if (value.length > this.limits.characters)
      this.#refuse('too_long', `An attribute has more than ${this.limits.characters} characters.`, this.#at);
    if (++this.#allAttributes > this.limits.allAttributes)
      this.#refuse('too_many_elements', `The file has more than ${this.limits.allAttributes} attributes.`, this.#at);
    if (++this.#attributes > this.limits.attributes)
      this.#refuse('too_many_elements', `A tag has more than ${this.limits.attributes} attributes.`, this.#at);
  }

  #open(tag: SaxesTagNS): void {
    this.tree.open(tag, this.#at.line);
    if (this.#tags === 1 && !this.tree.definitions)
      this.#refuse('not_bpmn', 'The file is not BPMN 2.0: its first element is not "definitions" of BPMN.', this.#at);
    if (this.tree.count > this.limits.elements)
      this.#refuse('too_many_elements', `The file has more than ${this.limits.elements} BPMN elements.`, this.#at);
  }

  #here(): Position {
    return { line: this.#parser.line, column: this.#parser.columnIndex + 1 };
  }

  #refuse(reason: BpmnRefusal, message: string, at: Position = this.#here()): never {
    throw new Refusal(refused(reason, message, at));
  }

  /** @param message message of the parser, which begins with line and column */
  #malformed(message: string): never {
    const said = message
      .replace(/^\d+:\d+: /, '')
      .slice(0, 200)
      .toWellFormed();
    return this.#refuse('not_well_formed', `The file is not well-formed XML: ${said}`);
  }
}

/** Lines and columns of increasing offsets in a text. */
class Cursor {
  #line = 1;
  #lineStart = 0;
  /** The first line break that has not been passed: looking for it again for each tag would take quadratic time. */
  #next: number;

  constructor(private readonly text: string) {
    this.#next = this.#break(0);
  }

  /** @param offset not less than the one before */
  to(offset: number): Position {
    while (this.#next < offset) {
      this.#line++;
      this.#lineStart = this.#next + 1;
      this.#next = this.#break(this.#lineStart);
    }
    return { line: this.#line, column: offset - this.#lineStart + 1 };
  }

  #break(from: number): number {
    const found = this.text.indexOf('\n', from);
    return found < 0 ? Infinity : found;
  }
}
