/** A value as JSON; null where there is none. */
export type Value = unknown;

/** A field of a record that differs. */
export interface FieldDiff {
  /** The target of the field map. */
  field: string;
  /** At the last synchronisation; undefined in a first one. */
  base?: Value;
  cmdb: Value;
  ea: Value;
  /**
   * What is done: the value of one side is written to the other, or `value`, which a person has chosen, to both; `conflict`: a
   * person decides.
   */
  take: 'cmdb' | 'ea' | 'value' | 'conflict';
  value?: Value;
  /** Whether a person has decided: a value of the other system that is not taken is remembered. */
  decided?: boolean;
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

/** A card that may be the same as a record; `score` as of `cards.findByName`. */
export interface Proposal {
  card_id: string;
  score: number;
}

/** Members of `detail` of a record that others than the engine read. */
export interface RecordDetail {
  proposals?: readonly Proposal[];
  /** The card to which a person has linked the record. */
  link?: string;
}
