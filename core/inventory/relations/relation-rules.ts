import type {
  FieldError,
  RelationChange,
  RelationChangeKind,
  RelationDecision,
  RuleCard,
  RuleRelation,
} from '@lintel/sdk';
import { missingObjects, objectKey, ruleCards, type CardReference, type CardState } from '../cards/index.js';
import type { Problem } from '../../foundation/errors.js';
import type { Metamodel } from '../metamodel/index.js';
import { concerns, refusalBy, runRule, type OwnedRule, type RuledWrite } from '../rules.js';
import { faultsOfModule, givenNames, openValues, type SetChange } from '../rule-values.js';
import { shapeErrors, valueErrors } from './input-errors.js';
import { differences, merged } from './state.js';
import type { RelationInput, RelationState } from './types.js';

/** A planned change of a relation; the id `''`, of the relation or a card, is one that does not exist yet. */
export interface PlannedRelation {
  kind: RelationChangeKind;
  before: RelationState | undefined;
  after: RelationState | undefined;
  /** Names of the values that the caller sent; see `givenOf`. */
  given: readonly string[];
  /** Pointer to the relation in the body. */
  pointer: string;
}

export interface RelationRefusal {
  errors: FieldError[];
  cause: Problem | undefined;
}

/** What rules decide about planned changes, by their index. */
export interface RuledRelations {
  refused: ReadonlyMap<number, RelationRefusal>;
  /** Relations with values that rules set, and these values. */
  completed: ReadonlyMap<number, { after: RelationState; changes: readonly SetChange[] }>;
}

/** The write that rules are called for. */
export interface RelationWrite extends RuledWrite {
  metamodel: Metamodel;
  /** Finds a card of the same bulk, which may not be written yet. */
  find?: ((reference: CardReference) => CardState | undefined) | undefined;
}

const SETTABLE = ['description', 'valid_from', 'valid_to'] as const;
const NONE_GONE: ReadonlySet<string> = new Set();
const idOf = (id: string): string | null => (id === '' ? null : id);

/** The names of the values in an input, such as `description` and `attributes.supportType`. */
export const givenOf = ({ attributes, description, valid_from, valid_to }: RelationInput): string[] =>
  givenNames({ attributes, description, valid_from, valid_to });

/** A relation as rules see it: a copy of the write path's. */
function ruleRelation(relation: RelationState): RuleRelation {
  const { id, type, source_id, source_type, target_id, target_type, description, valid_from, valid_to } = relation;
  return {
    id: idOf(id),
    type,
    source: { id: idOf(source_id), type: source_type },
    target: { id: idOf(target_id), type: target_type },
    attributes: structuredClone(relation.attributes),
    description,
    valid_from,
    valid_to,
  };
}

/**
 * Calls the rules of modules, in their order, with the planned changes of relations: they refuse changes, or set values
 * that the caller did not send, which later rules see.
 */
export async function applyRelationRules(
  rules: readonly OwnedRule[],
  write: RelationWrite,
  planned: readonly PlannedRelation[],
): Promise<RuledRelations> {
  const application = new RuleApplication(write, planned);
  for (const owned of rules) await application.apply(owned);
  await application.checkReferences();
  return application;
}

class RuleApplication implements RuledRelations {
  readonly refused = new Map<number, RelationRefusal>();
  readonly completed = new Map<number, { after: RelationState; changes: readonly SetChange[] }>();
  private readonly given: readonly Set<string>[];
  private readonly references: {
    index: number;
    key: string;
    kind: 'user' | 'card_reference';
    id: string;
    module: string;
  }[] = [];

  constructor(
    private readonly write: RelationWrite,
    private readonly planned: readonly PlannedRelation[],
  ) {
    this.given = planned.map(({ given }) => new Set(given));
  }

  async apply(owned: OwnedRule): Promise<void> {
    const { rule, services } = owned;
    if (!rule.relations) return;
    const changes = new Map<RelationChange, number>();
    this.planned.forEach(({ kind, before }, index) => {
      const after = this.afterOf(index);
      const { type } = (after ?? before)!;
      if (rule.relationTypes?.includes(type) === false || !concerns(owned, [kind]) || this.refused.has(index)) return;
      const given = [...this.given[index]!];
      changes.set({ kind, before: before && ruleRelation(before), after: after && ruleRelation(after), given }, index);
    });
    if (changes.size === 0) return;
    const cards = (ids: readonly string[]): Promise<Map<string, RuleCard>> =>
      ruleCards(this.write.uow, ids, (id) => this.write.find?.({ id }));
    const call = async (batch: Parameters<NonNullable<typeof rule.relations>>[1]) => rule.relations!(services, batch);
    for (const decision of await runRule(owned, this.write, [...changes.keys()], cards, call, SETTABLE))
      this.decide(owned, changes.get(decision.change)!, decision);
  }

  private decide({ module }: OwnedRule, index: number, decision: RelationDecision): void {
    const refusal = refusalBy(decision, this.planned[index]!.pointer);
    if (refusal) this.refuse(index, refusal);
    const current = this.afterOf(index);
    if (this.refused.has(index) || !decision.set || !current) return;
    const given = this.given[index]!;
    const set = openValues(decision.set, given);
    for (const name of givenNames(set)) given.add(name);
    this.complete(index, current, set, module);
  }

  /** Sets values of a relation, or refuses it if they are invalid. */
  private complete(index: number, current: RelationState, set: RelationInput, module: string): void {
    const type = this.write.metamodel.relationTypes.get(current.type)!;
    const at = this.planned[index]!.pointer;
    const shape = shapeErrors(set, at);
    // Malformed days are not compared with each other.
    const values = shape.length === 0 ? set : { ...(set.attributes && { attributes: set.attributes }) };
    const errors = [...shape, ...valueErrors(type, values, current, NONE_GONE, at)];
    if (errors.length > 0) {
      this.refuse(index, { errors: faultsOfModule(errors, module), cause: undefined });
      return;
    }
    const after = merged(type, current, set);
    const changes = differences(current, after).map((change) => ({ ...change, set_by: module }));
    if (changes.length === 0) return;
    this.completed.set(index, { after, changes: [...(this.completed.get(index)?.changes ?? []), ...changes] });
    for (const { key, kind, id } of type.fields.references(set.attributes ?? {}))
      this.references.push({ index, key, kind, id, module });
  }

  /** Refuses values that name users or cards that do not exist, like those of callers. */
  async checkReferences(): Promise<void> {
    const { uow, find } = this.write;
    const sought = this.references.filter(({ kind, id }) => kind === 'user' || !find?.({ id }));
    const gone = await missingObjects(uow, sought, []);
    for (const { index, key, kind, id, module } of sought) {
      if (!gone.has(objectKey({ kind, id }))) continue;
      const field = `${this.planned[index]!.pointer}/attributes/${key}`;
      const reason = kind === 'user' ? 'names no user' : 'names no card';
      this.refuse(index, { errors: faultsOfModule([{ field, reason, in: 'body' }], module), cause: undefined });
    }
  }

  private refuse(index: number, { errors, cause }: RelationRefusal): void {
    const earlier = this.refused.get(index);
    this.refused.set(index, { errors: [...(earlier?.errors ?? []), ...errors], cause: earlier?.cause ?? cause });
  }

  /** The relation after the change, with what rules have set so far. */
  private afterOf(index: number): RelationState | undefined {
    return this.completed.get(index)?.after ?? this.planned[index]!.after;
  }
}
