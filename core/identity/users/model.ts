import { Model } from 'objection';

/** A row of `users`. Queries name their connection: `User.query(knex)`. */
export class User extends Model {
  static override tableName = 'users';
  static override jsonAttributes = ['preferences'];

  id!: string;
  email!: string;
  email_key!: string;
  display_name!: string;
  role!: string;
  kind!: 'person' | 'service';
  is_active!: boolean;
  auth_provider!: 'local' | 'sso';
  locale!: string | null;
  preferences!: Record<string, unknown>;
  password_hash!: string | null;
  last_login_at!: Date | null;
  created_at!: Date;
  updated_at!: Date;
  version!: number;
}
