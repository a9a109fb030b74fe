import { isDeepStrictEqual } from 'node:util';
import { requireRoom, type Bounded, type RequestContext } from '@lintel/sdk';
import { checkVersion } from '../../foundation/conditions.js';
import type { ChangeNotifier } from '../../foundation/db/change-notifier.js';
import type { Database } from '../../foundation/db/database.js';
import type { Transactions, UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { invalid, problem } from '../../foundation/errors.js';
import type { Page } from '../../foundation/db/list-query.js';
import { uuidv7 } from '../../foundation/ids.js';
import type { Outbound } from '../../foundation/outbound/index.js';
import type { Secrets } from '../../foundation/secrets/index.js';
import { ConnectionTestFailure, tryOut, type ConnectionTestView } from '../../settings/index.js';
import type { UserService } from '../../identity/users/index.js';
import { DUE_TOPIC } from './fan-out.js';
import { conditionFaults } from './filter.js';
import { withHiddenConditions, withoutHiddenConditions, type HiddenCards } from './hidden-conditions.js';
import { ownerFault, webhookLabel } from './owner.js';
import {
  resumeWebhook,
  deleteWebhook,
  findWebhook,
  insertWebhook,
  listWebhooks,
  lockWebhook,
  noteRotation,
  updateWebhook,
  type LockedWebhook,
  type WebhookRow,
  type WebhookValues,
} from './repository.js';
import type { WebhookCreate, WebhookPatch, WebhookQuery, WebhookView } from './schemas.js';
import { newSecret, previousSecretName, secretName } from './signature.js';
import { checkedTarget, publicPart } from './target.js';
import { transmit } from './transmission.js';

const FIELDS = ['name', 'url', 'types', 'conditions', 'is_active'] as const;
type Field = (typeof FIELDS)[number];
/**
 * A user who changes one of these becomes the owner, because it determines what is sent where with the owner's
 * permissions.
 */
const DECISIVE: readonly Field[] = ['url', 'types', 'conditions'];

/** Each event is compared with all webhooks. */
const WEBHOOKS: Bounded = {
  table: 'webhooks',
  author: 'owner_id',
  bounds: [{ per: [], most: 500, of: 'webhooks' }],
};

/** External URLs to which events are sent. */
export class WebhookService {
  constructor(
    private readonly db: Database,
    private readonly transactions: Transactions,
    private readonly notifier: ChangeNotifier,
    private readonly secrets: Secrets,
    private readonly outbound: Outbound,
    private readonly users: UserService,
    private readonly cards: HiddenCards,
  ) {}

  async list(ctx: RequestContext, query: WebhookQuery): Promise<Page<WebhookView>> {
    const page = await listWebhooks(this.db, query);
    const items = await withoutHiddenConditions(this.cards, ctx, page.items);
    return { ...page, items: items.map(viewWebhook) };
  }

  /** @throws not_found */
  async get(ctx: RequestContext, id: string): Promise<WebhookView> {
    const [row] = await withoutHiddenConditions(this.cards, ctx, [await this.read(id)]);
    return viewWebhook(row!);
  }

  /**
   * Creates a webhook, which gets events from now on, restricted to what the caller may see.
   * @returns its id and its secret, which is not shown again
   * @throws validation_failed, limit_reached
   */
  async create(ctx: RequestContext, body: WebhookCreate): Promise<{ id: string; secret: string }> {
    const values = {
      types: [],
      conditions: [],
      is_active: true,
      name: null,
      ...(await this.checked(body)),
    } as WebhookValues;
    const secret = newSecret();
    const { id } = await this.transactions.run(ctx, async (uow) => {
      const id = uuidv7();
      await requireRoom(uow, WEBHOOKS, [{ owner_id: ctx.actor!.id }], problem);
      await insertWebhook(uow, id, values, ctx.actor!.id);
      await this.secrets.set(secretName(id), Buffer.from(secret), uow);
      emit(uow, 'created', { id, ...values }, { owner_id: ctx.actor!.id, ...published(values) });
      return { id };
    });
    return { id, secret };
  }

  /** @throws not_found, precondition_failed, validation_failed */
  async update(ctx: RequestContext, id: string, patch: WebhookPatch): Promise<void> {
    const values = await this.checked(patch);
    const { owner_id } = await this.read(id);
    const canOwn =
      ownerFault((await this.users.identities(owner_id === null ? [] : [owner_id])).get(owner_id ?? '')) === undefined;
    await this.transactions.run(ctx, async (uow) => {
      const before = known(await lockWebhook(uow, id));
      const next = {
        ...before,
        ...values,
        ...(values.conditions && { conditions: withHiddenConditions(before.conditions, values.conditions) }),
      };
      const changed = FIELDS.filter((field) => !isDeepStrictEqual(before[field], next[field]));
      checkVersion(ctx, before.version, changed);
      if (changed.length === 0) return { id, version: before.version };
      const isOn = changed.includes('is_active') && next.is_active;
      const takesOver =
        changed.some((field) => DECISIVE.includes(field)) || (isOn && !(canOwn && before.owner_id === owner_id));
      const owner = takesOver ? ctx.actor!.id : before.owner_id;
      const version = await updateWebhook(uow, id, next, owner);
      if (isOn) await resumeWebhook(uow, id);
      emit(uow, 'updated', next, { changes: changesOf(before, next, changed, owner) });
      return { id, version };
    });
    // Its pending deliveries are due if it was not active before.
    if (patch.is_active === true) this.notifier.notify(DUE_TOPIC);
  }

  /**
   * Generates a new secret; messages are also signed with the previous one for 24 hours.
   * @returns the secret, which is not shown again
   * @throws not_found, precondition_failed
   */
  async rotate(ctx: RequestContext, id: string): Promise<string> {
    const secret = newSecret();
    await this.transactions.run(ctx, async (uow) => {
      const webhook = known(await lockWebhook(uow, id));
      checkVersion(ctx, webhook.version, ['secret']);
      const former = await this.secrets.get(secretName(id));
      if (former) await this.secrets.set(previousSecretName(id), former, uow);
      await this.secrets.set(secretName(id), Buffer.from(secret), uow);
      emit(uow, 'secret_rotated', webhook, {});
      return { id, version: await noteRotation(uow, id) };
    });
    return secret;
  }

  /** Deletes a webhook with its secrets and deliveries. @throws not_found, precondition_failed */
  async remove(ctx: RequestContext, id: string): Promise<void> {
    await this.transactions.run(ctx, async (uow) => {
      const webhook = known(await lockWebhook(uow, id));
      checkVersion(ctx, webhook.version, []);
      await deleteWebhook(uow, id);
      for (const name of [secretName(id), previousSecretName(id)]) await this.secrets.remove(name, uow);
      emit(uow, 'deleted', webhook, {});
      return {};
    });
  }

  /** Sends a test event now and reports the result. @throws not_found */
  async test(id: string): Promise<ConnectionTestView> {
    const { name, url } = await this.read(id);
    const secrets = (await this.secrets.getAll([secretName(id)])).get(secretName(id))?.toString('utf8');
    const message = `test_${uuidv7()}`;
    const event = {
      specversion: '1.0',
      id: message,
      source: '/api/v1',
      type: 'webhook.test',
      time: new Date().toISOString(),
      subject: id,
      datacontenttype: 'application/json',
      data: { webhook: { id, name } },
    };
    return await tryOut(async () => {
      const sent = await transmit(this.outbound, {
        id: message,
        url,
        body: JSON.stringify(event),
        secrets: secrets === undefined ? [] : [secrets],
      });
      if (sent.error !== null)
        throw new ConnectionTestFailure(`${sent.error}${sent.response === null ? '' : ` ${sent.response}`}`);
      return `The receiver answered ${sent.status}.`;
    }, secrets);
  }

  private async read(id: string): Promise<WebhookRow> {
    const webhook = await findWebhook(this.db, id);
    if (!webhook) throw problem('not_found');
    return webhook;
  }

  /** The values to store. @throws validation_failed with every error of its conditions, or that of its URL */
  private async checked(body: WebhookPatch): Promise<Partial<WebhookValues>> {
    const faults = conditionFaults(body.conditions ?? []);
    if (faults.length > 0) throw invalid(...faults);
    return {
      ...body,
      ...(typeof body.name === 'string' && { name: body.name.trim() }),
      ...(body.url !== undefined && { url: await checkedTarget(this.outbound, body.url) }),
    };
  }
}

function known(webhook: LockedWebhook | undefined): LockedWebhook {
  if (!webhook) throw problem('not_found');
  return webhook;
}

/** The values as published in events. */
const published = ({ url, ...values }: Partial<WebhookValues>): Record<string, unknown> => ({
  ...values,
  ...(url !== undefined && { url: publicPart(url) }),
});

function changesOf(
  before: LockedWebhook,
  next: WebhookValues,
  changed: readonly Field[],
  owner: string | null,
): object[] {
  const changes: object[] = changed.map((field) => ({
    field,
    old: published(pick(before, field))[field],
    new: published(pick(next, field))[field],
  }));
  return owner === before.owner_id ? changes : [...changes, { field: 'owner_id', old: before.owner_id, new: owner }];
}

const pick = (values: WebhookValues, field: Field): Partial<WebhookValues> => ({ [field]: values[field] });

function emit(
  uow: UnitOfWork,
  verb: string,
  webhook: { id: string; name: string | null; url: string },
  data: object,
): void {
  uow.emit({
    type: `webhook.${verb}`,
    subject: { kind: 'webhook', id: webhook.id, name: webhookLabel(webhook) },
    data,
  });
}

const time = (at: Date | null): string | null => at?.toISOString() ?? null;

function viewWebhook({
  owner_id,
  owner_name,
  pending,
  failing_since,
  last_attempt_at,
  last_success_at,
  last_status,
  last_error,
  ...row
}: WebhookRow): WebhookView {
  return {
    ...row,
    owner: owner_id === null ? null : { id: owner_id, display_name: owner_name ?? '' },
    previous_secret_until: time(row.previous_secret_until),
    secret: { is_set: true },
    status: {
      pending,
      failing_since: time(failing_since),
      last_attempt_at: time(last_attempt_at),
      last_success_at: time(last_success_at),
      last_status,
      last_error,
    },
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
