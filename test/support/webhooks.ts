import type { DatabaseConnection } from '../../core/foundation/db/connection.js';
import { sql, type AnyBody, type Client } from './app.js';
import { startReceiver, type Answering, type Receiver } from './receiver.js';

export interface Hook extends AnyBody {
  is_active: boolean;
  status: { pending: number; failing_since: string | null };
}
export interface StoredDelivery extends Record<string, unknown> {
  id: string;
  state: string;
  attempts: number;
  fence: string;
  position: string;
}

/** Common steps of tests of webhooks. @param api client of a user who may manage webhooks and create cards */
export function webhookTools(api: Client, database: DatabaseConnection) {
  let cards = 0;
  return {
    /** Creates a receiver and a webhook for events of cards, until the end of the test. @param body differences from its defaults */
    async hook(
      t: { teardown(work: () => Promise<void>): void },
      body: object = {},
      answering?: Answering,
    ): Promise<{ receiver: Receiver; id: string }> {
      const receiver = await startReceiver(answering);
      const answer = await api.post<Hook>('/webhooks', { url: receiver.url, types: ['card.'], ...body });
      if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
      t.teardown(async () => {
        await api.del(`/webhooks/${answer.body.id}`);
        await receiver.close();
      });
      return { receiver, id: answer.body.id };
    },
    /** Creates cards in one request. @returns their ids */
    async create(n: number): Promise<string[]> {
      const operations = Array.from({ length: n }, () => ({
        op: 'create',
        card: { type: 'TechCategory', name: `Noded ${++cards}` },
      }));
      return (
        await api.post<{ results: AnyBody[] }>('/cards/bulk', { mode: 'all_or_nothing', operations })
      ).body.results.map((r) => r.id);
    },
    get: async (id: string): Promise<Hook> => (await api.get<Hook>(`/webhooks/${id}`)).body,
    /** The stored deliveries of a webhook. */
    rows: async (id: string): Promise<StoredDelivery[]> =>
      await sql<StoredDelivery>(
        database,
        'select id, state, attempts, fence, position from webhook_deliveries where webhook_id = $1 order by position',
        [id],
      ),
  };
}
