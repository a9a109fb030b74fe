import { Model } from 'objection';

/** A row of `roles`. Queries name their connection: `Role.query(knex)`. */
export class Role extends Model {
  static override tableName = 'roles';
  static override idColumn = 'key';
  static override jsonAttributes = ['permissions', 'types'];

  key!: string;
  label!: string;
  description!: string | null;
  color!: string | null;
  permissions!: string[];
  /** Rules per card type: `{Application: {"cards.edit": false}}`. */
  types!: Record<string, Record<string, boolean>>;
  is_system!: boolean;
  is_default!: boolean;
  is_archived!: boolean;
  created_at!: Date;
  updated_at!: Date;
  version!: number;
}
