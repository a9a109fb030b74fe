import { createHash } from 'node:crypto';
import { unzipSync } from 'fflate';
import { canonicalJson } from '@lintel/sdk';

export type Cell = string | number | null | { withheld: true } | { money: string; currency: string } | { date: string };
export interface Table {
  id: string;
  rows: { card_id: string; cells: Cell[] }[];
  footer: Cell[] | null;
  note: string | null;
  withheld: boolean;
}
export interface Soaw {
  id: string;
  number: string;
  status: string;
  revision: number;
  version: number;
  content_hash: string | null;
  cards: { card_id: string }[];
  sections: { key: string; text: string; tables: { filter?: Record<string, string> }[] }[];
  signatories: { status: string }[];
}
export interface Tables {
  frozen: boolean;
  nonce: string | null;
  tables: Table[];
}
export interface Stored {
  frozen: { tables: { id: string }[]; nonce: string };
  content_hash: string;
  content: unknown;
}

/** Amounts and sums as digits: groups of three may be separated by anything. */
export const AMOUNTS = ['48261735', '73519284', '61837452', '121781019', '183618471', '110099187', '135356737'].map(
  (digits) => new RegExp(digits.replace(/\B(?=(\d{3})+$)/g, '[^0-9A-Za-z]?')),
);

/** The text of a file, of a docx of all its parts. */
export const textOf = (bytes: Buffer, kind: string): string =>
  kind === 'docx'
    ? Object.values(unzipSync(bytes))
        .map((part) => new TextDecoder().decode(part).replace(/<[^>]*>/g, ''))
        .join('\n')
    : bytes.toString();
export const FILES = ['docx', 'md', 'html'];
export const KINDS = ['cards', 'gaps', 'costs', 'risks', 'decisions', 'roadmap'];
/** The hash of a content, worked out here. */
export const hashOf = (content: unknown) => createHash('sha256').update(canonicalJson(content)).digest('hex');

/** An image of one pixel. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
