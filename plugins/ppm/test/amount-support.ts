import { expectStatus, until, type AnyBody, type Session } from '../../../test/support/app.js';

/** An initiative and the paths of its plan. */
export class Initiative {
  readonly path: string;

  constructor(readonly id: string) {
    this.path = `/ppm/initiatives/${id}`;
  }

  static async make(by: Session, name: string, more: object = {}): Promise<Initiative> {
    const { body } = expectStatus(await by.api.post('/cards', { type: 'Initiative', name, ...more }), 201, name);
    return new Initiative(body.id);
  }

  budget(by: Session, amount: number, currency: string | null = null, more: object = {}) {
    return by.api.post(`${this.path}/budgets`, { fiscal_year: 2026, category: 'capex', amount, currency, ...more });
  }

  cost(by: Session, amounts: { planned?: number; actual?: number }, more: object = {}) {
    return by.api.post(`${this.path}/costs`, { category: 'opex', date: '2026-03-31', ...amounts, ...more });
  }

  async figures(by: Session): Promise<AnyBody> {
    return expectStatus(await by.api.get(this.path), 200, 'reading an initiative').body;
  }

  async card(by: Session): Promise<AnyBody & { attributes: Record<string, unknown>; approval_status: string }> {
    return expectStatus(await by.api.get(`/cards/${this.id}`), 200, 'reading a card').body as never;
  }

  /** Waits until the card has these attributes; null for none. */
  async rolledUp(by: Session, attributes: Record<string, unknown>, ms?: number) {
    return await until(async () => {
      const card = await this.card(by);
      return Object.entries(attributes).every(([key, value]) => (card.attributes[key] ?? null) === value) && card;
    }, ms);
  }
}

/** Settings of the module. */
export async function configure(admin: Session, settings: object): Promise<void> {
  expectStatus(await admin.api.patch('/settings/modules/ppm', { settings }), 200, 'settings');
}
