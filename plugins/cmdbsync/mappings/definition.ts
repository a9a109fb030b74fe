/** How a value of the other system becomes one of a card. */
export type Transform =
  | { kind: 'direct' }
  /** `values` by the text of the value; others become `otherwise`, or are left as they are where it is absent. */
  | {
      kind: 'value_map';
      values: Readonly<Record<string, string | number | boolean | null>>;
      otherwise?: string | number | boolean | null;
    }
  /** `format`: `iso` (the default), `dd.mm.yyyy`, `mm/dd/yyyy` or `epoch_seconds`. */
  | { kind: 'date'; format?: string }
  | { kind: 'boolean'; true_values?: readonly string[] }
  | { kind: 'number'; factor?: number; decimals?: number }
  /** Fields in braces, such as `{name} ({serial})`. */
  | { kind: 'template'; template: string }
  /** CEL over `record`, `value` and `id`. */
  | { kind: 'expression'; expression: string };

/**
 * One field of the other system and one of the card. `target`: `name`, `description`, `alias`, `external_id`, `subtype`,
 * `lifecycle.<phase>` or `attributes.<key>`. `owner`: whose value counts where they differ.
 */
export interface FieldMap {
  source: string;
  target: string;
  owner: 'cmdb' | 'ea';
  transform: Transform;
}

/** A card and a record are the same if these agree: the value of the mapped target. Tried in order; `external_id` and `name` are targets too. */
export interface IdentityKey {
  target: string;
}

/**
 * A reference of the record becomes a relation, or the parent of the card.
 * `card_end`: which end of the relation the card of this mapping is.
 */
export interface RelationMap {
  key: string;
  source: string;
  target_table: string;
  relation_type: string | 'parent';
  card_end: 'source' | 'target';
}

/** A mapping as its runs need it. */
export interface Mapping {
  id: string;
  version: number;
  connection_id: string;
  name: string;
  card_type: string;
  table_name: string;
  filter: string | null;
  direction: 'pull' | 'push' | 'both';
  fields: readonly FieldMap[];
  identity: readonly IdentityKey[];
  relations: readonly RelationMap[];
  creates_remote: boolean;
  delete_policy: 'ignore' | 'archive';
  /** 0 to 1. */
  delete_ratio: number;
  proposes_matches: boolean;
  auto_apply: boolean;
  schedule: string | null;
  time_zone: string;
  is_enabled: boolean;
  owner_id: string | null;
  runs_as: string | null;
  watermark: string | null;
}
