import type { CardChange, CardChangeKind, CardDecision, RuleCard } from '@lintel/sdk';
import type { UnitOfWork } from '../../../foundation/db/unit-of-work.js';
import { invalid } from '../../../foundation/errors.js';
import { isUuid } from '../../../foundation/ids.js';
import { concerns, refusalBy, runRule, type OwnedRule } from '../../rules.js';
import { faultsOfModule, givenNames, openValues } from '../../rule-values.js';
import { lockCards, missingObjects, objectKey } from '../lock-repository.js';
import { BLANK, type CardState } from '../types.js';
import type { BatchState } from './batch-options.js';
import type { CardPlan } from './plan.js';
import { differences } from './rules.js';

const MAX_DESCRIPTION = 50_000;
const NOT_EDITED = new Set(['status', 'approval_status']);
const SETTABLE = ['description'];

/** A planned change and the rows that cause it. */
interface Planned {
  card: CardState;
  kinds: readonly CardChangeKind[];
  before: CardState | undefined;
  after: CardState | undefined;
}

/** A card as rules see it: a copy of the write path's. */
function ruleCard(card: CardState): RuleCard {
  const { id, type, subtype, name, description, parent_id, status, approval_status, external_id, alias, version } =
    card;
  return {
    ...{ id, type, subtype, name, description, parent_id, status, approval_status, external_id, alias, version },
    lifecycle: { ...card.lifecycle },
    attributes: structuredClone(card.attributes),
  };
}

/**
 * Complete cards by id, for rules; unknown ids are omitted.
 * @param planned finds a card of the write
 */
export async function ruleCards(
  uow: UnitOfWork,
  ids: readonly string[],
  planned: (id: string) => CardState | undefined,
): Promise<Map<string, RuleCard>> {
  const wanted = [...new Set(ids.filter(isUuid).map((id) => id.toLowerCase()))];
  const known = new Map(wanted.flatMap((id) => [planned(id) ?? []].flat().map((card) => [id, card] as const)));
  const stored = wanted.filter((id) => !known.has(id));
  for (const card of stored.length > 0 ? await lockCards(uow, 'read', stored) : []) known.set(card.id, card);
  return new Map([...known].map(([id, card]) => [id, ruleCard(card)]));
}

function kindsOf(before: CardState | undefined, after: CardState): CardChangeKind[] {
  const from = before ?? BLANK;
  const kinds: CardChangeKind[] = [];
  if (!before) kinds.push('create');
  else if (differences(before, after).some(({ field }) => !NOT_EDITED.has(field))) kinds.push('update');
  if (from.status !== after.status) kinds.push(after.status === 'ARCHIVED' ? 'archive' : 'restore');
  if (from.approval_status !== after.approval_status && after.approval_status !== 'BROKEN')
    kinds.push(({ APPROVED: 'approve', REJECTED: 'reject', DRAFT: 'reset' } as const)[after.approval_status]);
  return kinds;
}

function plannedChanges({ created, updated, deleted, before }: CardPlan): Planned[] {
  const gone = new Set(deleted);
  const written = [...created.values(), ...updated.values()]
    .filter(({ id }) => !gone.has(id))
    .map((card) => ({ card, kinds: kindsOf(before.get(card.id), card), before: before.get(card.id), after: card }));
  const removed = deleted.flatMap((id): Planned[] => {
    const card = before.get(id);
    return card ? [{ card, kinds: ['delete'], before: card, after: undefined }] : [];
  });
  return [...written, ...removed];
}

/** The fields that operations set, by card. */
function givenFields({ operations, rows }: BatchState): Map<string, Set<string>> {
  const given = new Map<string, Set<string>>();
  operations.forEach(({ card }, row) => {
    const { id } = rows.results[row]!;
    if (!card || id === undefined) return;
    const fields = given.get(id) ?? new Set();
    for (const name of givenNames(card)) fields.add(name);
    given.set(id, fields);
  });
  return given;
}

/**
 * Calls the rules of modules, in their order, with the planned changes: they refuse rows, or set values of cards that the
 * caller did not send, which later rules see.
 */
export async function applyCardRules(state: BatchState, plan: CardPlan): Promise<void> {
  const rules = state.rules.filter(({ rule }) => rule.cards);
  if (rules.length === 0) return;
  const application = new RuleApplication(state, plan);
  for (const owned of rules) await application.apply(owned);
  await application.checkReferences();
}

class RuleApplication {
  private fields: Map<string, Set<string>> | undefined;
  private readonly references: {
    row: number;
    field: string;
    kind: 'user' | 'card_reference';
    id: string;
    module: string;
  }[] = [];

  constructor(
    private readonly state: BatchState,
    private readonly plan: CardPlan,
  ) {}

  /** The fields that operations and rules have set, by card; determined when a rule concerns a card of the batch. */
  private get given(): Map<string, Set<string>> {
    return (this.fields ??= givenFields(this.state));
  }

  async apply(owned: OwnedRule): Promise<void> {
    const { rule, services } = owned;
    const planned = new Map<CardChange, CardState>();
    for (const { card, kinds, before, after } of plannedChanges(this.plan)) {
      if (rule.types?.includes(card.type) === false || !concerns(owned, kinds) || this.isRefused(card.id)) continue;
      const change: CardChange = {
        kinds,
        before: before && ruleCard(before),
        after: after && ruleCard(after),
        given: [...(this.given.get(card.id) ?? [])],
      };
      planned.set(change, card);
    }
    if (planned.size === 0) return;
    const { uow, ctx, previewTree } = this.state;
    const write = { uow, ctx, isPreview: previewTree !== undefined };
    const call = async (batch: Parameters<NonNullable<typeof rule.cards>>[1]) => rule.cards!(services, batch);
    for (const decision of await runRule(owned, write, [...planned.keys()], (ids) => this.cards(ids), call, SETTABLE))
      this.decide(owned, planned.get(decision.change)!.id, decision);
  }

  private decide({ module }: OwnedRule, id: string, decision: CardDecision): void {
    const { rows } = this.state;
    let isRefused = false;
    for (const row of this.plan.rowsOf(id)) {
      const refusal = refusalBy(decision, this.pointer(row, id));
      if (!refusal) break;
      rows.refuseAt(row, refusal.errors, refusal.cause);
      isRefused = true;
    }
    const current = this.plan.after.get(id);
    const fields = this.given.get(id) ?? new Set<string>();
    const set = decision.set && openValues(decision.set, fields);
    if (isRefused || !set || !current || current.status === 'ARCHIVED') return;
    const row = this.plan.rowsOf(id).at(-1)!;
    const { errors, changes } = this.plan.complete(current, set, row, MAX_DESCRIPTION);
    if (errors.length > 0) rows.refuseAt(row, faultsOfModule(errors, module), undefined);
    this.plan.noteSet(
      id,
      changes.map((change) => ({ ...change, set_by: module })),
    );
    for (const field of givenNames(set)) fields.add(field);
    this.given.set(id, fields);
    if (errors.length > 0 || !set.attributes) return;
    const at = this.pointer(row, id);
    for (const { key, kind, id: object } of this.plan.fieldsOf(current).references(set.attributes))
      this.references.push({ row, field: `${at}/attributes/${key}`, kind, id: object, module });
  }

  /** Refuses values that name users or cards that do not exist, like those of operations. */
  async checkReferences(): Promise<void> {
    if (this.references.length === 0) return;
    const { uow, rows } = this.state;
    const isMade = (id: string): boolean => this.plan.after.has(id);
    const sought = this.references.filter((r) => r.kind === 'user' || !isMade(r.id));
    const gone = await missingObjects(uow, sought, []);
    for (const { row, field, kind, id, module } of sought) {
      if (!gone.has(objectKey({ kind, id }))) continue;
      const reason = `names no ${kind === 'user' ? 'user' : 'card'}`;
      const faults = faultsOfModule([{ field, reason, in: 'body' }], module);
      rows.refuseAt(row, faults, invalid(...faults));
    }
  }

  /**
   * Cards that the write does not change, such as parents, are read again: the write has read them before the rule could
   * lock, and without a lock. In a preview, earlier rows of the import may have planned them.
   */
  private async cards(ids: readonly string[]): Promise<Map<string, RuleCard>> {
    const { after, created, updated, deleted } = this.plan;
    const gone = new Set(deleted);
    const left = ids.filter((id) => !gone.has(id.toLowerCase()));
    const isPreview = this.state.previewTree !== undefined;
    return await ruleCards(this.state.uow, left, (id) =>
      isPreview ? after.get(id) : (created.get(id) ?? updated.get(id)),
    );
  }

  private isRefused(id: string): boolean {
    return this.plan.rowsOf(id).some((row) => this.state.rows.isRefused(row));
  }

  /** Errors of a card that follows another one are reported at the strategy for the children. */
  private pointer(row: number, id: string): string {
    const { rows } = this.state;
    const target = rows.results[row]!.id ?? id;
    return target === id || rows.isRefused(row) ? rows.pointer(row) : `${rows.pointer(row)}/child_strategy`;
  }
}
