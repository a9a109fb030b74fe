/** A document as a file of Word. */
import { layOut, type LaidOutSection, type Layout } from './layout.js';
import { wordImage, type WordImage } from './logo.js';
import type { RenderedDocument } from './model.js';
import { documentRelationships, pack, partsBefore } from './docx/package.js';
import { sectionBreak, sectionProperties, type Direction } from './docx/page.js';
import { contents, headingXml, signaturePage, titlePage } from './docx/pages.js';
import { numberingXml, stylesXml } from './docx/styles.js';
import { directionOf, tableXml } from './docx/table.js';
import { TextWriter } from './docx/text.js';
import { field, NAMESPACES, paragraph, run, XML_DECLARATION } from './docx/xml.js';
import { cleanLine } from './text/clean.js';

/**
 * Renders a document as `.docx`. It takes up to seconds: call it in a worker.
 * @param doc its tables have 63 columns at most, which is the limit of Word
 * @returns a file in memory of its own, with the same bytes for the same document
 */
export async function renderDocx(doc: RenderedDocument): Promise<Uint8Array<ArrayBuffer>> {
  return pack(parts(layOut(doc), wordImage(doc.logo)));
}

function* parts(layout: Layout, logo: WordImage | undefined): ReturnType<typeof partsBefore> {
  const links = new Map<string, string>();
  const writer = new DocumentWriter(layout, logo, (href) => {
    const id = links.get(href) ?? `rIdLink${links.size + 1}`;
    links.set(href, id);
    return id;
  });
  yield* partsBefore(layout, logo);
  yield { name: 'word/document.xml', pieces: writer.pieces() };
  // The links and lists are known once the text has been written.
  yield { name: 'word/_rels/document.xml.rels', pieces: [documentRelationships({ links, logo })] };
  yield { name: 'word/styles.xml', pieces: [stylesXml(layout.words.tag)] };
  yield { name: 'word/numbering.xml', pieces: [numberingXml(writer.text.lists)] };
}

const NEW_PAGE = '<w:pageBreakBefore/>';

class DocumentWriter {
  readonly text: TextWriter;
  readonly #layout: Layout;
  readonly #logo: WordImage | undefined;
  readonly #linkTo: (href: string) => string;
  /** Of the pages that are being written. */
  #direction: Direction = 'portrait';
  /** Whether no page has ended: the first pages have the title page. */
  #isFirst = true;

  constructor(layout: Layout, logo: WordImage | undefined, linkTo: (href: string) => string) {
    this.#layout = layout;
    this.#logo = logo;
    this.#linkTo = linkTo;
    this.text = new TextWriter(linkTo);
  }

  /** The part `word/document.xml`. */
  *pieces(): Generator<string> {
    yield `${XML_DECLARATION}<w:document ${NAMESPACES}><w:body>`;
    yield titlePage(this.#layout, this.#logo);
    yield* contents(this.#layout);
    for (const [index, section] of this.#layout.sections.entries()) yield* this.#section(section, index === 0);
    // Pages of the other direction end with a page anyway: one reader shows an empty page for both.
    const isTurned = this.#direction !== 'portrait';
    yield* this.#turn('portrait');
    yield signaturePage(this.#layout, this.#linkTo, isTurned ? '' : NEW_PAGE);
    yield `${sectionProperties('portrait', this.#isFirst)}</w:body></w:document>`;
  }

  *#section({ heading, parts }: LaidOutSection, isFirst: boolean): Generator<string> {
    // A heading stands on the page of what follows it.
    const [first] = parts;
    yield* this.#turn(first?.kind === 'table' ? directionOf(first.table) : 'portrait');
    yield headingXml(heading, this.#linkTo, isFirst && this.#direction === 'portrait' ? NEW_PAGE : '');
    for (const part of parts) {
      if (part.kind === 'table') {
        yield* this.#turn(directionOf(part.table));
        yield this.#caption(part.number, part.table.title);
        yield* tableXml(part.table, this.#layout.words);
        continue;
      }
      yield* this.#turn('portrait');
      if (part.kind === 'heading') yield headingXml(part.heading, this.#linkTo);
      else yield* this.text.blocks([part.block]);
    }
  }

  #caption(number: number, title: string): string {
    const { table } = this.#layout.words;
    const text = cleanLine(title);
    return paragraph(
      'Caption',
      `${run(`${table} `)}${field('SEQ Table \\* ARABIC', String(number))}${text && run(`: ${text}`)}`,
    );
  }

  /** Ends the pages of the other direction. */
  *#turn(direction: Direction): Generator<string> {
    if (direction === this.#direction) return;
    yield sectionBreak(this.#direction, this.#isFirst);
    this.#direction = direction;
    this.#isFirst = false;
  }
}
