/** A document with its headings and tables numbered, as all three formats show it. */
import type { RenderedDocument, RenderedTable } from './model.js';
import { plainText, type Runs, type TextBlock } from './text/blocks.js';
import { cleanLine } from './text/clean.js';
import { TextParser } from './text/parse.js';
import { wordsOf, type Words } from './words.js';

/** A heading of the document. */
export interface Heading {
  /** Distinct within the document; 1 is the first heading. */
  id: number;
  /** 1: a section; 2 and 3: headings in its text. */
  level: 1 | 2 | 3;
  /** Such as `2.1`; empty for the page of signatures. */
  number: string;
  text: string;
  /** The text with its looks. */
  runs: Runs;
}

/** Text and tables of a section, in their order. */
export type Part =
  | { kind: 'heading'; heading: Heading }
  | { kind: 'text'; block: Exclude<TextBlock, { kind: 'heading' }> }
  | { kind: 'table'; number: number; table: RenderedTable };

export interface LaidOutSection {
  key: string;
  heading: Heading;
  parts: readonly Part[];
}

export interface Layout {
  doc: RenderedDocument;
  words: Words;
  title: string;
  sections: readonly LaidOutSection[];
  signatures: Heading;
  /** All headings in their order: the table of contents. */
  headings: readonly Heading[];
}

/** Parses the texts of a document and numbers its headings and tables. */
export function layOut(doc: RenderedDocument): Layout {
  const words = wordsOf(doc.lang);
  const parser = new TextParser();
  const headings: Heading[] = [];
  const add = (level: Heading['level'], number: string, runs: Runs): Heading => {
    const heading: Heading = { id: headings.length + 1, level, number, text: cleanLine(plainText(runs)), runs };
    headings.push(heading);
    return heading;
  };
  let tables = 0;
  const sections = doc.sections.map(({ key, title, blocks }, index): LaidOutSection => {
    const heading = add(1, String(index + 1), [{ text: cleanLine(title) }]);
    const parsed = blocks.map((block) => (block.kind === 'table' ? block : parser.parse(block.text)));
    const highest = parsed
      .flatMap((part) => (Array.isArray(part) ? part.map(levelOf) : []))
      .reduce((least, level) => Math.min(least, level), 7);
    const counters = [0, 0];
    const parts = parsed.flatMap((part): Part[] => {
      if (!Array.isArray(part)) return [{ kind: 'table', number: ++tables, table: part.table }];
      return part.map((block) => {
        if (block.kind !== 'heading') return { kind: 'text', block };
        // A level must not be skipped: its number would have a part that counts nothing.
        const level = block.level === highest || counters[0] === 0 ? 2 : 3;
        if (level === 2) counters.splice(0, 2, counters[0]! + 1, 0);
        else counters[1]!++;
        const number = [index + 1, ...counters.slice(0, level - 1)].join('.');
        return { kind: 'heading', heading: add(level, number, block.runs) };
      });
    });
    return { key, heading, parts };
  });
  const signatures = add(1, '', [{ text: words.signatures }]);
  return { doc, words, title: cleanLine(doc.title), sections, signatures, headings };
}

const levelOf = (block: TextBlock): number => (block.kind === 'heading' ? block.level : 7);

/** The facts of the title page: label and value. */
export function facts({ doc, words }: Layout, dateOf: (date: string) => string): [label: string, value: string][] {
  return [
    [words.organisation, cleanLine(doc.organisation)],
    [words.number, cleanLine(doc.number)],
    [words.revision, String(doc.revision)],
    [words.status, words.statuses[doc.status]],
    [words.date, dateOf(doc.date)],
  ];
}

/** The beginning of the hash by which a page shows to which content it belongs; empty without a hash. */
export const shortHash = (doc: RenderedDocument): string => doc.contentHash?.slice(0, 12) ?? '';
