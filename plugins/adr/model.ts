import type { DocumentStatus } from '@lintel/sdk';
import { Model } from 'objection';

export interface AdrOption {
  title: string;
  pros: string[];
  cons: string[];
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
  /** Collection and path of the file it came from, null where it was written here; so are the next four. */
  source!: string | null;
  source_path!: string | null;
  source_sha256!: string | null;
  source_markdown!: string | null;
  /** As the file spells it; null too where the file has none. */
  source_status!: string | null;
  /** The status right after the import. */
  source_life!: DocumentStatus | null;
  created_by!: string | null;
  created_at!: Date;
  updated_at!: Date;
  version!: number;
}
