/** A cell of a table; null is shown empty, `withheld` as the words for a withheld value. */
export type Cell = string | number | null | { withheld: true } | { money: string; currency: string } | { date: string };
export interface RenderedTable {
  title: string;
  columns: readonly { title: string; align?: 'left' | 'right' }[];
  rows: readonly (readonly Cell[])[];
  footer?: readonly Cell[];
  note?: string;
}
export type Block = { kind: 'markdown'; text: string } | { kind: 'table'; table: RenderedTable };
export interface RenderedSection {
  key: string;
  title: string;
  blocks: readonly Block[];
}
export interface RenderedSignature {
  name: string;
  status: 'pending' | 'signed';
  signedAt: string | null;
  comment: string | null;
}
export interface RenderedDocument {
  number: string;
  title: string;
  revision: number;
  status: 'draft' | 'in_review' | 'signed' | 'superseded';
  organisation: string;
  date: string;
  contentHash: string | null;
  header: string;
  footer: string;
  logo: { type: 'image/png' | 'image/svg+xml' | 'image/jpeg' | 'image/webp'; bytes: Uint8Array } | null;
  sections: readonly RenderedSection[];
  signatures: readonly RenderedSignature[];
  withheld: boolean;
  lang: string;
}
