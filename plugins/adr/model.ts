import type { DocumentStatus } from '@lintel/sdk';
import { Model } from 'objection';
import type { Reader } from './madr/words.js';

export interface AdrOption {
  title: string;
  pros: string[];
  cons: string[];
}

/** The content of a decision: columns of `adr_decisions`, and parts of its Markdown. */
export interface RecordFields {
  title: string;
  context: string | null;
  drivers: string[];
  options: AdrOption[];
  decision: string | null;
  consequences: string | null;
}

/** A row of `adr_decisions`. Queries name their connection: `Adr.query(knex)`. */
export class Adr extends Model {
  static override tableName = 'adr_decisions';
  static override jsonAttributes = ['drivers', 'options'];

  id!: string;
  /** Shared by the revisions of a decision. */
  number!: number;
  title!: string;
  title_key!: string;
  status!: DocumentStatus;
  context!: string | null;
  drivers!: string[];
  options!: AdrOption[];
  decision!: string | null;
  consequences!: string | null;
  search_text!: string;
  /** Collection and path of the imported file, null for decisions written here; the same applies to the next four. */
  source!: string | null;
  source_path!: string | null;
  source_sha256!: string | null;
  source_markdown!: string | null;
  source_reader!: Reader;
  /** As written in the file; also null where the file has none. */
  source_status!: string | null;
  /** The status directly after the import. */
  source_life!: DocumentStatus | null;
  created_by!: string | null;
  created_at!: Date;
  updated_at!: Date;
  version!: number;
}
