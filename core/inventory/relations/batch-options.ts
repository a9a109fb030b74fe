import type { RequestContext } from '@lintel/sdk';
import type { OwnedRule } from '../rules.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import type { Problem } from '../../foundation/errors.js';
import type { CardReference, CardState } from '../cards/index.js';
import type { Metamodel } from '../metamodel/index.js';
import type { EndCard, KnownEnd } from './end-scope.js';
import type { SingleRelations } from './single-writes.js';
import type { RelationOperation } from './types.js';

/** What the caller may do with relations between two cards. */
export interface EndAuthority {
  /** Reads the data of cards; call it before the checks below. See `EndScope.load`. */
  load(uow: UnitOfWork, cards: readonly KnownEnd[]): Promise<void>;
  /** Card types hidden from the caller. */
  hiddenTypes: readonly string[];
  /** Card types for which the caller may see no relations; includes the hidden ones. */
  relationlessTypes: readonly string[];
  /** @returns the problem if relations between the cards may not be changed */
  refuses(source: EndCard, target: EndCard): Problem | undefined;
  /** A caller who may not see a cost may not set it either, because an unchanged update would confirm a guess. */
  seesCosts(source: EndCard, target: EndCard): boolean;
}

export interface BatchOptions {
  uow: UnitOfWork;
  /** The caller, for rules. */
  ctx: RequestContext;
  /** Rules of modules, in their order. */
  rules: readonly OwnedRule[];
  metamodel: Metamodel;
  operations: readonly RelationOperation[];
  /** Pointer to operation n in the body. */
  pointer: (index: number) => string;
  authority: EndAuthority;
  /** For a single write: reads and writes its relation. */
  single?: SingleRelations | undefined;
  /**
   * Whether the relation of a single operation is read without a transaction and lock: the unit of work is repeated if it
   * has changed when it is written.
   */
  isOptimistic?: boolean;
  /** The ids that are cards hidden from the caller. */
  hiddenAmong(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** As for cards. */
  isThorough?: boolean;
  /** Finds a card of the bulk that contains these relations, which may not be written yet. */
  find?: ((reference: CardReference) => CardState | undefined) | undefined;
  /** Computes the scores of cards whose mandatory relations were created or deleted. */
  rescore: (uow: UnitOfWork, ids: string[]) => Promise<void>;
}
