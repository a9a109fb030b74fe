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
  number!: number;
  title!: string;
  title_key!: string;
  status!: 'draft' | 'in_review' | 'signed' | 'superseded';
  context!: string | null;
  drivers!: string[];
  options!: AdrOption[];
  decision!: string | null;
  consequences!: string | null;
  search_text!: string;
  created_by!: string | null;
  created_at!: Date;
  updated_at!: Date;
  version!: number;
}
