import type { CardType } from '../../metamodel/index.js';
import { factsOf } from '../lock-repository.js';
import type { CardState } from '../types.js';
import type { BatchState } from './batch-options.js';
import { mandatoryRelations } from './data-quality.js';
import { referencesIn, seenAttributes } from './references.js';

/** What the caller of a batch does not see of the cards that it changes. */
export class UnseenParts {
  private constructor(
    /** Ids of hidden cards that the cards refer to; undefined where the caller sees cards of all types. */
    readonly cards: ReadonlySet<string> | undefined,
    private readonly facts: ReadonlyMap<string, readonly string[]>,
    private readonly seesCosts: (card: CardState) => boolean,
  ) {}

  /**
   * Reads what the operations need; nothing for a caller who sees everything.
   * @param loaded the cards of the batch
   */
  static async read(
    { operations, authority, metamodel, uow, hiddenAmong }: BatchState,
    loaded: readonly CardState[],
  ): Promise<UnseenParts> {
    const { hiddenTypes, relationlessTypes } = authority;
    const approved = new Set(operations.flatMap(({ op, id }) => (op === 'approve' && id ? [id.toLowerCase()] : [])));
    const needsCards =
      hiddenTypes.length > 0 && (approved.size > 0 || operations.some(({ card }) => card?.attributes !== undefined));
    const cards = needsCards
      ? await hiddenAmong(
          loaded.flatMap(({ type, attributes }) => {
            const fields = metamodel.types.get(type)?.fields;
            return fields ? referencesIn(fields, attributes) : [];
          }),
        )
      : undefined;
    const facts =
      approved.size > 0 && relationlessTypes.length > 0
        ? await factsOf(uow, [...approved], mandatoryRelations(metamodel), relationlessTypes)
        : new Map<string, string[]>();
    return new UnseenParts(cards, facts, (card) => authority.seesCosts(card.type, card));
  }

  /** The card as the caller sees it, for the decision whether it may be approved: what is hidden is missing. */
  shown(type: CardType, card: CardState): CardState {
    const { costKeys, requiresCosts } = type.fields;
    const seen = seenAttributes(type.fields, card.attributes, this.cards);
    const attributes =
      !requiresCosts || this.seesCosts(card)
        ? seen
        : Object.fromEntries(Object.entries(seen).filter(([key]) => !costKeys.has(key)));
    return { ...card, attributes, facts: this.facts.get(card.id) ?? card.facts };
  }
}
