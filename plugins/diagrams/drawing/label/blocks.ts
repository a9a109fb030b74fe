/** HTML and plain labels as blocks of text: paragraphs, rules, images and tables. */
import type { TextStyle } from './font.js';

/** A part of a paragraph. */
export type Inline = { kind: 'text'; text: string; style: TextStyle } | { kind: 'break'; style: TextStyle };

export type Align = 'left' | 'center' | 'right';

/** Space around a block in px. */
export interface Edges {
  top: number;
  right: number;
  bottom: number;
  left: number;
}

export interface Paragraph {
  kind: 'paragraph';
  inlines: Inline[];
  align: Align;
  /** Whether lines may be broken. */
  wraps: boolean;
  /** Text before the first line, such as a bullet. */
  marker: { text: string; style: TextStyle } | undefined;
}

export interface Rule {
  kind: 'rule';
  height: number;
  colour: string;
}

export interface Picture {
  kind: 'picture';
  address: string;
  width: number;
  height: number;
  align: Align;
}

export interface TableCell {
  content: Group;
  span: number;
  background: string | undefined;
  border: string | undefined;
  padding: number;
  valign: 'top' | 'middle' | 'bottom';
}

export interface Table {
  kind: 'table';
  rows: TableCell[][];
  /** Distance of cells. */
  spacing: number;
  border: string | undefined;
  background: string | undefined;
  /** Space inside of cells that do not state it. */
  cellPadding: number;
  hasCellBorders: boolean;
  isFullWidth: boolean;
  align: Align;
}

/** Blocks below each other, with space, background and border around them. */
export interface Group {
  kind: 'group';
  margin: Edges;
  padding: Edges;
  background: string | undefined;
  border: { colour: string; width: number } | undefined;
  blocks: Block[];
}

export type Block = Paragraph | Rule | Picture | Table | Group;

export const NO_EDGES: Edges = { top: 0, right: 0, bottom: 0, left: 0 };

export const newGroup = (margin: Edges = NO_EDGES, padding: Edges = NO_EDGES): Group => ({
  kind: 'group',
  margin,
  padding,
  background: undefined,
  border: undefined,
  blocks: [],
});
