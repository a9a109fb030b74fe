import { capability, type RequestContext } from '@lintel/sdk';

/** A row of a table of another module about one card; an object that concerns several cards has a row for each. */
interface OfCard {
  id: string;
  title: string;
  status: string;
  card_id: string;
}
/** The same function in both modules: what concerns these cards and the caller may see; undefined without the permission. */
type OfCards<T> = (ctx: RequestContext, cardIds: readonly string[], limit: number) => Promise<T[] | undefined>;

/** The risks of cards, by reference. */
export const RISKS_OF_CARDS =
  capability<OfCards<OfCard & { reference: string; level: string | null }>>('risks.of_cards@1');
/** The architecture decisions of cards, by number. */
export const DECISIONS_OF_CARDS = capability<OfCards<OfCard & { number: string }>>('adr.of_cards@1');

/** The permissions with which the rows of other modules are seen, also after they were frozen. */
export const PERMISSION_OF = { risks: 'risks.view', decisions: 'adr.view' } as const;
