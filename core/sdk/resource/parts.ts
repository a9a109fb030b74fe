import type { CardFields } from './card-fields.js';
import type { Column } from './columns.js';
import type { Condition } from './filters.js';
import type { Links } from './links.js';
import type { Target } from './references.js';
import type { ResourceRepository } from './repository.js';
import type { AnySpec } from './spec.js';

/** What a declaration is made into, once. */
export interface ResourceParts {
  spec: AnySpec;
  /** Fields that are columns, those the module sets itself last. */
  columns: readonly Column[];
  /** Columns whose changes are part of events; those the clock sets and those derived from others are not. */
  logged: readonly Column[];
  rows: ResourceRepository;
  links: Links | undefined;
  cards: CardFields;
  references: ReadonlyMap<string, Target>;
  conditions: readonly Condition[];
  /** The field events name a resource by. */
  name: string | undefined;
}
