import type { RequestContext } from '@lintel/sdk';
import { problem } from '../foundation/errors.js';
import type { Page } from '../foundation/db/list-query.js';
import type { Database } from '../foundation/db/database.js';
import type { Transactions } from '../foundation/db/unit-of-work.js';
import type { Outbound } from '../foundation/outbound/index.js';
import type { Secrets } from '../foundation/secrets/index.js';
import { baseOf, isAnswer, reasonIn, smallestCall } from './ai-call.js';
import type { AiPatch, AiValues } from './ai-schemas.js';
import { listCalls, readCall, spentThisMonth } from './ai-usage-repository.js';
import type { AiCallDetail, AiCallQuery, AiCallView, AiUsageView } from './ai-usage-schemas.js';
import type { ConnectionTestView } from './section-schemas.js';
import { meteredTrial } from './models/trial.js';
import { SettingsSection, type SectionSpec, type SectionView } from './section-service.js';
import { ConnectionTestFailure, TEST_TIMEOUT_MS, tryOut } from './connection-test.js';

const MAX_ANSWER = 262_144;

const originOf = (values: AiValues): string => {
  const base = baseOf(values);
  return base !== undefined && URL.canParse(base) ? new URL(base).origin : '';
};

const SPEC: SectionSpec<AiValues, 'api_key'> = {
  key: 'ai',
  name: 'Artificial intelligence',
  secret: 'api_key',
  defaults: {
    provider: 'none',
    base_url: null,
    model: null,
    api_version: null,
    timeout_seconds: 60,
    monthly_spend_cap: null,
    input_price: null,
    output_price: null,
    max_output_tokens: 2_000,
    token_limit: null,
    log_retention_days: 30,
  },
  check(next) {
    const errors = [];
    if (next.base_url !== null && !URL.canParse(next.base_url))
      errors.push({ field: '/base_url', reason: 'is no URL' });
    if (next.provider === 'none') return errors;
    if (baseOf(next) === undefined) errors.push({ field: '/base_url', reason: `is required of ${next.provider}` });
    if (next.model === null) errors.push({ field: '/model', reason: 'is required of a provider' });
    return errors;
  },
  // An address set while no provider is chosen counts too, because a provider may be chosen next.
  changesDestination: (before, next) => originOf(next) !== '' && originOf(next) !== originOf(before),
};

/** The settings of the language model. */
export class AiSettings {
  private readonly section: SettingsSection<AiValues, 'api_key'>;

  constructor(
    private readonly db: Database,
    private readonly transactions: Transactions,
    secrets: Secrets,
    private readonly outbound: Outbound,
    private readonly seesAllCards: (ctx: RequestContext) => boolean,
  ) {
    this.section = new SettingsSection(db, transactions, secrets, SPEC);
  }

  async read(): Promise<SectionView<AiValues, 'api_key'>> {
    return await this.section.read();
  }

  /** @throws precondition_failed, validation_failed */
  async update(ctx: RequestContext, patch: AiPatch): Promise<void> {
    await this.section.update(ctx, patch);
  }

  /** The settings with the key, for calling the model. */
  async use(): Promise<{ values: AiValues; secret: string | undefined }> {
    return await this.section.use();
  }

  /** Usage of this month, and its limit. */
  async usage(): Promise<AiUsageView> {
    const [spent, { monthly_spend_cap }] = await Promise.all([spentThisMonth(this.db), this.read()]);
    return { ...spent, monthly_spend_cap };
  }

  /** The requests that were sent, latest first; the words of the provider only for a caller who sees all cards, since it may repeat the prompt. */
  async calls(ctx: RequestContext, query: AiCallQuery): Promise<Page<AiCallView>> {
    const page = await listCalls(this.db, query);
    return this.seesAllCards(ctx) ? page : { ...page, items: page.items.map((call) => ({ ...call, detail: null })) };
  }

  /** One of them; prompt and answer, which may name any card, only for a caller who sees all cards. @throws not_found */
  async call(ctx: RequestContext, id: string): Promise<AiCallDetail> {
    const call = await readCall(this.db, id);
    if (!call) throw problem('not_found');
    return this.seesAllCards(ctx) ? call : { ...call, detail: null, prompt: null, answer: null };
  }

  /** Sends a minimal request to the model, under the spend cap, and reports the result. */
  async test(ctx: RequestContext): Promise<ConnectionTestView> {
    const { values, secret } = await this.section.use();
    return await tryOut(async () => {
      const base = baseOf(values);
      if (values.provider === 'none' || base === undefined) throw new ConnectionTestFailure('No provider is set.');
      const { url, ...request } = smallestCall(values, base, secret);
      // Redirects are not followed, because the key would be sent along.
      const send = () =>
        this.outbound.request(url, {
          ...request,
          timeoutMs: Math.min(values.timeout_seconds * 1_000, TEST_TIMEOUT_MS),
          maxBytes: MAX_ANSWER,
          maxRedirects: 0,
        });
      const { status, body } = await meteredTrial(
        { db: this.db, transactions: this.transactions },
        values,
        ctx.actor?.id ?? null,
        send,
      );
      const { host } = new URL(url);
      if (status !== 200)
        throw new ConnectionTestFailure(`${host} answered ${status}: ${reasonIn(body) ?? 'no reason was given'}`);
      if (!isAnswer(body))
        throw new ConnectionTestFailure(`${host} responds, but not like the API of ${values.provider}.`);
      return `${values.model} at ${host} answers.`;
    }, secret);
  }
}
