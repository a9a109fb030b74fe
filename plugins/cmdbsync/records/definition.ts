/** A value as JSON; null where there is none. */
export type Value = unknown;

/** A field of a record that differs. `base`: at the last synchronisation; undefined in a first one. */
export interface FieldDiff {
  /** The target of the field map. */
  field: string;
  base?: Value;
  cmdb: Value;
  ea: Value;
  /** What is done: the value of one side is written to the other; `conflict`: a person decides. */
  take: 'cmdb' | 'ea' | 'conflict';
}

export type RecordAction = 'create' | 'update' | 'archive' | 'conflict' | 'skip' | 'error';
export type RecordState =
  | 'pending'
  | 'approved'
  | 'sent'
  | 'applied'
  | 'resolved'
  | 'failed'
  | 'superseded'
  | 'reported';
