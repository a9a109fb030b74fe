/** What the worker does with the content of diagrams: plain data, copied between the processes. */
import type { CardLink, CardShape, CardState, HeldCell, StoredOwners, StoredPage, StoredRemoval } from './stored.js';
import type { FoundShape, PublicUrl } from './card-shapes.js';
import type { GenerateOrder } from './generate.js';
import type { Language } from '../words/index.js';

/** A stored file: zlib data, and to which cards its cells belong. */
export interface StoredContent extends StoredOwners {
  content: Uint8Array;
  /** The secret of the diagram for the ids of masked cells. */
  key: string;
}

/** The same as it is sent: with the records as JSON, which only the worker parses. */
export interface SentContent {
  content: Uint8Array;
  key: string;
  shapes: string;
  held: string;
}

/** Reads a file that is to be saved: sanitised, without marks, with what its user does not see of the version before. */
export interface SaveOrder<Stored = StoredContent> {
  kind: 'save';
  bytes: Uint8Array;
  maxBytes: number;
  publicUrl: PublicUrl;
  /** Of its cards, those that the user does not see, and those that do not exist any more. */
  before?: { stored: Stored; hidden: readonly string[]; gone: readonly string[] } | undefined;
}

/** Writes references to cards into shapes of a stored file, and reads it as for saving. */
export interface LinkOrder<Stored = StoredContent> {
  kind: 'link';
  stored: Stored;
  maxBytes: number;
  publicUrl: PublicUrl;
  /** Cards that the user does not see. */
  hidden: readonly string[];
  /** `page` is an index; a shape that does not exist, or is masked for the user, is reported. */
  matches: readonly { page: number; cell: string; card: string }[];
}

/** Finds out what to record for a copy of a stored file. */
export interface HoldOrder<Stored = StoredContent> {
  kind: 'hold';
  stored: Stored;
  /** Cards that the user does not see. */
  hidden: readonly string[];
}

/** The records for a copy of a stored file. */
export interface HeldContent {
  ok: true;
  held: HeldCell[];
}

/** A file ready to be stored. */
export interface ReadContent {
  ok: true;
  /** zlib data of the XML. */
  content: Uint8Array<ArrayBuffer>;
  sha256: string;
  /** Of the XML. */
  bytes: number;
  cells: number;
  pages: StoredPage[];
  shapes: FoundShape[];
  /** Shapes of cards that the user does not see, as they were stored, with their place in this file. */
  kept: CardShape[];
  held: HeldCell[];
  /** Whether something of the version before was kept. */
  isBound: boolean;
  links: CardLink[];
  removed: StoredRemoval[];
}

/** The same as it is sent back: with the records that the service only stores as JSON. */
export type SentRead = Omit<ReadContent, 'held' | 'links'> & { held: string; links: string };

/** Why a file cannot be stored. `missing`: indices of matches whose shape does not exist. */
export type ContentFault = { ok: false; reason: string; message: string; line: number | null; missing?: number[] };

/** Shows a stored file to a reader: as XML, or drawn. */
export interface ShowOrder<Stored = StoredContent> {
  kind: 'show';
  stored: Stored;
  states: ReadonlyMap<string, CardState>;
  publicUrl: PublicUrl;
  output:
    | { as: 'drawio'; compressed: boolean | undefined }
    | {
        as: 'svg' | 'png' | 'facts';
        page: number;
        width: number | undefined;
        theme: 'light' | 'dark';
        title: string;
        language: Language;
      };
}

/** A shown file. */
export interface Shown {
  bytes: Uint8Array<ArrayBuffer>;
  /** Of a drawing. */
  width: number;
  height: number;
  /** Shapes that were drawn as labelled boxes. */
  notDrawable: { cell_id: string; shape: string }[];
}

/** Reads the labels of shapes that are not of cards. */
export interface LabelsOrder<Stored = StoredContent> {
  kind: 'labels';
  stored: Stored;
  /** Cards that the user does not see. */
  hidden: readonly string[];
  most: number;
}

/** A shape with a label. */
export interface LabelledShape {
  page: number;
  cell: string;
  text: string;
}

export type ContentOrder =
  | SaveOrder<SentContent>
  | LinkOrder<SentContent>
  | HoldOrder<SentContent>
  | ShowOrder<SentContent>
  | LabelsOrder<SentContent>
  | GenerateOrder;

/** The answer to an order. */
export interface ContentAnswers {
  save: SentRead | ContentFault;
  link: SentRead | ContentFault;
  hold: { ok: true; held: string } | ContentFault;
  show: Shown;
  labels: { labels: LabelledShape[]; isCut: boolean };
  generate: { bytes: Uint8Array<ArrayBuffer>; width: number; height: number };
}
