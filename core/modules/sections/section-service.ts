import type { RequestContext, TSchema } from '@lintel/sdk';
import type { ValidateFunction } from 'ajv';
import type { CardPermissions } from '../../inventory/cards/index.js';
import { fieldErrors, strictAjv } from '../../foundation/http/ajv.js';
import type { Log } from '../../foundation/log.js';
import type { Extensions, OwnedSection } from '../../inventory/extensions.js';
import { within } from '../install/fault.js';

const LOAD_MS = 2_000;
const MAX_TEXT = 1_048_576;

export interface SectionView {
  id: string;
  module: string;
  title: string;
  value: unknown;
  error: 'unavailable' | null;
}

/** Sections that modules add to a card. */
export class CardSections {
  private readonly checks = new WeakMap<TSchema, ValidateFunction>();

  constructor(
    private readonly extensions: Extensions,
    private readonly permissions: CardPermissions,
    private readonly log: Log,
  ) {}

  /**
   * The non-empty sections of a card that the caller may see. Each is loaded independently: one that fails or takes too
   * long is shown as unavailable.
   * @throws not_found
   */
  async of(ctx: RequestContext, cardId: string): Promise<SectionView[]> {
    const card = await this.permissions.visible(ctx, cardId);
    const sections = this.extensions.sections(card.type);
    const seen = await Promise.all(
      sections.map(({ section }) => this.permissions.holds(ctx, card, section.permission, section.cardPermission)),
    );
    const views = await Promise.all(sections.filter((_, i) => seen[i]).map((owned) => this.load(ctx, cardId, owned)));
    return views.filter((view) => view !== undefined);
  }

  private async load(
    ctx: RequestContext,
    cardId: string,
    { module, section: { key, title, schema }, load }: OwnedSection,
  ): Promise<SectionView | undefined> {
    const view = { id: `${module}.${key}`, module, title };
    try {
      const value = await within(LOAD_MS, 'the section', () => load(ctx, cardId));
      return value === undefined ? undefined : { ...view, value: this.checked(value, schema), error: null };
    } catch (error) {
      this.log.error({ err: error, module, section: key, card_id: cardId }, 'a section of a card could not be loaded');
      return { ...view, value: null, error: 'unavailable' };
    }
  }

  /**
   * The value as JSON, serialised here, so that a value that cannot be serialised does not fail the response. @throws
   * where it does not match the declared schema
   */
  private checked(value: unknown, schema: TSchema): unknown {
    const text = JSON.stringify(value) as string | undefined;
    if (text === undefined || text.length > MAX_TEXT)
      throw new Error(text === undefined ? 'it is no JSON' : `it is longer than ${MAX_TEXT} characters`);
    const plain: unknown = JSON.parse(text);
    let check = this.checks.get(schema);
    if (!check) this.checks.set(schema, (check = strictAjv().compile(schema)));
    if (!check(plain))
      throw new Error(
        `it is not as its schema says: ${fieldErrors(check.errors ?? [], 'body')
          .map(({ field, reason }) => `${field} ${reason}`)
          .join('; ')
          .slice(0, 500)}`,
      );
    return plain;
  }
}
