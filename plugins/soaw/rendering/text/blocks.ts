/** A text of a section, parsed: the one form from which all formats are written. */

/** A piece of text with one look. */
export interface Run {
  text: string;
  bold?: boolean;
  italic?: boolean;
  strike?: boolean;
  code?: boolean;
  /** Address with the scheme http, https or mailto. */
  href?: string;
}

/** The content of a line; `\n` in a run is a line break. */
export type Runs = readonly Run[];

export type TextBlock =
  | { kind: 'heading'; level: number; runs: Runs }
  | { kind: 'paragraph'; runs: Runs }
  | { kind: 'list'; start: number | null; items: readonly (readonly TextBlock[])[] }
  | { kind: 'quote'; blocks: readonly TextBlock[] }
  | { kind: 'code'; text: string }
  | { kind: 'rule' }
  | { kind: 'table'; alignments: readonly ('left' | 'right' | 'center')[]; rows: readonly (readonly Runs[])[] };

/** The characters of a line alone. */
export const plainText = (runs: Runs): string => runs.map(({ text }) => text).join('');
