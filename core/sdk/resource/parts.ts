import type { Bounded } from '../bounds.js';
import type { CardFields } from './card-fields.js';
import type { Column } from './columns.js';
import type { Condition } from './filters.js';
import type { FileRepository } from './files-repository.js';
import type { Links } from './links.js';
import type { Target } from './references.js';
import type { ResourceRepository } from './repository.js';
import type { RestrictedFields } from './restricted.js';
import type { AnySpec } from './spec.js';

/** The parts of a resource that are derived from its spec when it is declared. */
export interface ResourceParts {
  spec: AnySpec;
  /** The columns of fields; assigned fields are last. */
  columns: readonly Column[];
  /** Columns whose changes are listed in events: all except `derived` and `unlogged` fields and the `times` of transitions. */
  logged: readonly Column[];
  /** Columns of `unlogged` fields. */
  unlogged: readonly Column[];
  rows: ResourceRepository;
  links: Links | undefined;
  cards: CardFields;
  restricted: RestrictedFields;
  /** If the spec has `files`. */
  files: FileRepository | undefined;
  references: ReadonlyMap<string, Target>;
  conditions: readonly Condition[];
  /** If the spec has `bounds`: those of its table. */
  bounded: Bounded | undefined;
  /** The field with the name of the subject of events. */
  name: string | undefined;
}
