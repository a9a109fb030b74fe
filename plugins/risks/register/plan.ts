import { isDeepStrictEqual } from 'node:util';
import type { EventInput, FieldError, ModuleServices, Problem, RequestContext } from '@lintel/sdk';
import { refusal } from '../errors.js';
import { MOVES, type Status } from '../moves.js';
import { ACCEPT, CARD_MANAGE, MANAGE } from '../permissions.js';
import type { CardLinkInput, RiskPatch } from './schemas.js';
import { EDITABLE, referenceOf, today, type RiskState } from './state.js';

type Fault = Omit<FieldError, 'in'>;
/** What a change is meant for: the version an operation of a bulk names, or those of If-Match. */
type Condition = number | ReadonlySet<number> | undefined;

export interface RiskOperation {
  op: 'create' | 'update' | 'transition' | 'delete' | 'link' | 'unlink' | 'expire';
  ref?: string | undefined;
  id?: string | undefined;
  version?: Condition;
  risk?: RiskPatch | undefined;
  to?: Status | undefined;
  comment?: string | undefined;
  rationale?: string | undefined;
  expires_on?: string | undefined;
  /** Of link and unlink. */
  card?: { card_id: string; role?: CardLinkInput['role'] } | undefined;
  /** Of link: there must be none yet. */
  isNew?: boolean | undefined;
}

export interface Outcome {
  outcome: 'created' | 'updated' | 'unchanged' | 'transitioned' | 'deleted';
  id: string;
  version: number;
}

/** What was looked up before the transaction. */
export interface Known {
  /** Cards the caller may see, of those that are named and those that are linked. */
  visible: ReadonlySet<string>;
  /** Active users among those named. */
  owners: ReadonlySet<string>;
  /** Cards the caller may write risks of by a stakeholder role; undefined who may write all risks. */
  writable: ReadonlySet<string> | undefined;
}

interface Told {
  id: string;
  title: string;
  type: string;
  data: Record<string, unknown>;
}

const BLANK = {
  description: null,
  initial_probability: null,
  initial_impact: null,
  residual_probability: null,
  residual_impact: null,
  owner_id: null,
  target_date: null,
};
const NO_ACCEPTANCE = { rationale: null, expires_on: null, accepted_by: null };
const inOrder = (cards: CardLinkInput[]): CardLinkInput[] => cards.sort((a, b) => (a.card_id < b.card_id ? -1 : 1));

/** Works out what operations make of risks, one after the other, without writing: each stands or is refused as a whole. */
export class RiskPlan {
  /** Ids of what is created, in order. */
  readonly created: string[] = [];
  /** Risks as the operations leave them; undefined for those that are deleted. */
  readonly after = new Map<string, RiskState | undefined>();
  private readonly told: Told[] = [];
  private readonly day = today();

  /** @param stored risks under their locks @param refs ids of what was created, by `ref` */
  constructor(
    private readonly host: ModuleServices,
    private readonly ctx: RequestContext,
    readonly stored: ReadonlyMap<string, RiskState>,
    private readonly known: Known,
    readonly refs: Map<string, string>,
  ) {}

  /** @throws the problem a lone request would be answered with; its fields are pointers into that request's body */
  apply(operation: RiskOperation): Outcome {
    if (operation.op === 'create') return this.create(operation);
    const risk = this.find(operation);
    this.mayWrite(risk, operation);
    const changed = operation.op === 'update' ? this.changedBy(risk, operation.risk ?? {}) : [];
    this.checkVersion(risk, operation.version, changed);
    if (operation.op === 'transition') return this.move(risk, operation);
    if (operation.op === 'expire') return this.expire(risk);
    if (risk.status === 'closed')
      throw this.host.problem('invalid_state', {
        detail: 'A closed risk is read-only; reopen it first.',
        state: 'closed',
        allowed: MOVES.closed,
      });
    if (operation.op === 'delete') return this.remove(risk);
    if (operation.op === 'update') return this.update(risk, operation.risk ?? {});
    return operation.op === 'link'
      ? this.link(risk, operation)
      : this.unlink(risk, operation.card!.card_id.toLowerCase());
  }

  /** What to tell the world, once all numbers are given. */
  *events(): Iterable<EventInput> {
    for (const { id, title, type, data } of this.told) {
      const number = this.after.get(id)?.number ?? this.stored.get(id)?.number ?? this.numbers.get(id)!;
      yield { type, subject: { kind: 'risks', id, name: title }, data: { reference: referenceOf(number), ...data } };
    }
  }

  private readonly numbers = new Map<string, number>();

  /** Gives what is created its numbers. @param first of them */
  number(first: number): void {
    this.created.forEach((id, i) => {
      this.numbers.set(id, first + i);
      const risk = this.after.get(id);
      if (risk) risk.number = first + i;
    });
  }

  private create({ ref, risk: input = {} }: RiskOperation): Outcome {
    const faults: Fault[] = (['title', 'category'] as const).flatMap((field) =>
      input[field] === undefined ? [{ field: `/${field}`, reason: 'is required' }] : [],
    );
    const cards = this.cardsOf(input.cards ?? [], faults);
    this.checkOwner(input.owner_id, null, faults);
    if (faults.length > 0) throw this.host.invalid(...faults);
    const { writable } = this.known;
    if (writable && (cards.length === 0 || cards.some(({ card_id }) => !writable.has(card_id)))) throw this.forbidden();
    const id = this.host.newId();
    const risk: RiskState = {
      ...BLANK,
      ...this.edited(input),
      ...NO_ACCEPTANCE,
      title: input.title!.trim(),
      category: input.category!,
      id,
      number: 0,
      version: 1,
      status: 'identified',
      cards,
    };
    this.created.push(id);
    if (ref !== undefined) this.refs.set(ref, id);
    this.after.set(id, risk);
    this.tell('risks.created', risk, this.differences(undefined, risk));
    return { outcome: 'created', id, version: 1 };
  }

  private update(risk: RiskState, patch: RiskPatch): Outcome {
    const faults: Fault[] = [];
    this.checkOwner(patch.owner_id, risk.owner_id, faults);
    let { cards } = risk;
    if (patch.cards) {
      cards = inOrder([...this.cardsOf(patch.cards, faults), ...this.hiddenOf(risk)]);
    }
    if (faults.length > 0) throw this.host.invalid(...faults);
    return this.store(risk, { ...risk, ...this.edited(patch), cards });
  }

  private move(risk: RiskState, { to, comment, rationale, expires_on }: RiskOperation): Outcome {
    if (to === undefined) throw this.host.invalid({ field: '/to', reason: 'is required' });
    const allowed = MOVES[risk.status];
    if (to === 'accepted' && !this.ctx.permissions.has(ACCEPT))
      throw this.host.problem('forbidden', {
        detail: `The permission ${ACCEPT} is required.`,
        required_permission: ACCEPT,
      });
    if (!allowed.includes(to))
      throw refusal('risks_move_refused', {
        detail: `From ${risk.status} a risk goes to ${allowed.join(' or ')}, not to ${to}.`,
        from: risk.status,
        to,
        allowed,
      });
    const faults: Fault[] = [];
    if (to !== 'accepted') {
      if (expires_on !== undefined) faults.push({ field: '/expires_on', reason: 'is of an acceptance alone' });
    } else {
      if (rationale === undefined) faults.push({ field: '/rationale', reason: 'is required where a risk is accepted' });
      if (expires_on === undefined)
        faults.push({ field: '/expires_on', reason: 'is required where a risk is accepted' });
      else if (expires_on <= this.day) faults.push({ field: '/expires_on', reason: 'must be after today (UTC)' });
    }
    if (faults.length > 0) throw this.host.invalid(...faults);
    const acceptance =
      to === 'accepted'
        ? { rationale: rationale!, expires_on: expires_on!, accepted_by: this.ctx.actor?.id ?? null }
        : NO_ACCEPTANCE;
    const said = Object.fromEntries(
      Object.entries({ comment, rationale, expires_on }).filter(([, value]) => value !== undefined),
    );
    const next = { ...risk, ...acceptance, status: to, version: risk.version + 1 };
    this.after.set(risk.id, next);
    this.tell('risks.transitioned', next, this.differences(risk, next), {
      from: risk.status,
      to,
      owner_id: risk.owner_id,
      ...said,
    });
    return { outcome: 'transitioned', id: risk.id, version: next.version };
  }

  /** An acceptance ends on its day; one that was renewed or ended meanwhile is left alone. */
  private expire(risk: RiskState): Outcome {
    if (risk.status !== 'accepted' || risk.expires_on! > this.day)
      return { outcome: 'unchanged', id: risk.id, version: risk.version };
    const next: RiskState = { ...risk, ...NO_ACCEPTANCE, status: 'in_progress', version: risk.version + 1 };
    this.after.set(risk.id, next);
    const { owner_id, accepted_by, rationale, expires_on } = risk;
    this.tell('risks.acceptance_expired', next, this.differences(risk, next), {
      owner_id,
      accepted_by,
      rationale,
      expires_on,
    });
    return { outcome: 'transitioned', id: risk.id, version: next.version };
  }

  private remove(risk: RiskState): Outcome {
    const { writable } = this.known;
    if (writable && risk.cards.some(({ card_id }) => !writable.has(card_id))) throw this.forbidden();
    this.after.set(risk.id, undefined);
    this.tell('risks.deleted', risk, this.differences(risk, undefined));
    return { outcome: 'deleted', id: risk.id, version: risk.version };
  }

  private link(risk: RiskState, { card, isNew }: RiskOperation): Outcome {
    const faults: Fault[] = [];
    const [link] = this.cardsOf([{ card_id: card!.card_id, role: card!.role! }], faults);
    if (!link)
      throw isNew ? this.host.invalid({ field: '/card_id', reason: 'names no card' }) : this.host.problem('not_found');
    const others = risk.cards.filter(({ card_id }) => card_id !== link.card_id);
    if (isNew && others.length < risk.cards.length) throw refusal('risks_card_linked');
    if (others.length >= 500)
      throw this.host.invalid({ field: '/card_id', reason: 'is more than the 500 cards a risk may concern' });
    return this.store(risk, { ...risk, cards: inOrder([...others, link]) });
  }

  private unlink(risk: RiskState, cardId: string): Outcome {
    const others = risk.cards.filter(({ card_id }) => card_id !== cardId);
    if (others.length === risk.cards.length || !this.known.visible.has(cardId)) throw this.host.problem('not_found');
    return this.store(risk, { ...risk, cards: others });
  }

  /** Keeps a change, where there is one. @throws forbidden for links a stakeholder may not move */
  private store(before: RiskState, next: RiskState): Outcome {
    const changes = this.differences(before, next);
    const { id, version } = before;
    if (changes.length === 0) return { outcome: 'unchanged', id, version };
    const { writable } = this.known;
    if (writable && movedCards(before, next).some((card) => !writable.has(card))) throw this.forbidden();
    next.version = version + 1;
    this.after.set(id, next);
    this.tell('risks.updated', next, changes);
    return { outcome: 'updated', id, version: next.version };
  }

  private find({ id, ref }: RiskOperation): RiskState {
    const known = id?.toLowerCase() ?? (ref === undefined ? undefined : this.refs.get(ref));
    if (known === undefined)
      throw this.host.invalid(
        ref === undefined
          ? { field: '/id', reason: 'is required' }
          : { field: '/ref', reason: 'names nothing an earlier operation created' },
      );
    const risk = this.after.has(known) ? this.after.get(known) : this.stored.get(known);
    if (!risk) throw this.host.problem('not_found');
    return risk;
  }

  private mayWrite(risk: RiskState, { op }: RiskOperation): void {
    const { writable } = this.known;
    if (op !== 'expire' && writable && !risk.cards.some(({ card_id }) => writable.has(card_id))) throw this.forbidden();
  }

  private forbidden(): Problem {
    return this.host.problem('forbidden', {
      detail: `The permission ${MANAGE} is required.`,
      required_permission: MANAGE,
      or_card_permission: CARD_MANAGE,
    });
  }

  private checkVersion({ version }: RiskState, wanted: Condition, changed_fields: readonly string[]): void {
    if (wanted === undefined || (typeof wanted === 'number' ? wanted === version : wanted.has(version))) return;
    throw this.host.problem('precondition_failed', { current_version: version, changed_fields });
  }

  private changedBy(risk: RiskState, patch: RiskPatch): string[] {
    const next = { ...risk, ...this.edited(patch) };
    const links = patch.cards && [
      ...patch.cards.map(({ card_id, role }) => ({ card_id: card_id.toLowerCase(), role })),
      ...this.hiddenOf(risk),
    ];
    return [
      ...EDITABLE.filter((field) => risk[field] !== next[field]),
      ...(links && !isDeepStrictEqual(inOrder(links), risk.cards) ? ['cards'] : []),
    ];
  }

  /** The fields of a body that are not links, each in its one spelling. */
  private edited(input: RiskPatch): Partial<RiskState> {
    const fields = Object.fromEntries(
      EDITABLE.flatMap((field) => (input[field] === undefined ? [] : [[field, input[field]]])),
    ) as Partial<RiskState>;
    if (fields.title !== undefined) fields.title = fields.title.trim();
    if (typeof fields.owner_id === 'string') fields.owner_id = fields.owner_id.toLowerCase();
    return fields;
  }

  /** Links with cards the caller does not see: none of the caller's business, they stay. */
  private hiddenOf({ cards }: RiskState): CardLinkInput[] {
    return cards.filter(({ card_id }) => !this.known.visible.has(card_id));
  }

  private cardsOf(links: readonly CardLinkInput[], faults: Fault[]): CardLinkInput[] {
    const cards = new Map<string, CardLinkInput>();
    links.forEach(({ card_id, role }, i) => {
      const id = card_id.toLowerCase();
      if (cards.has(id)) faults.push({ field: `/cards/${i}/card_id`, reason: 'is there already' });
      else if (!this.known.visible.has(id)) faults.push({ field: `/cards/${i}/card_id`, reason: 'names no card' });
      else cards.set(id, { card_id: id, role });
    });
    return inOrder([...cards.values()]);
  }

  private checkOwner(wanted: string | null | undefined, before: string | null, faults: Fault[]): void {
    if (typeof wanted !== 'string' || wanted.toLowerCase() === before || this.known.owners.has(wanted.toLowerCase()))
      return;
    faults.push({ field: '/owner_id', reason: 'names no active user' });
  }

  private differences(
    before: RiskState | undefined,
    after: RiskState | undefined,
  ): { field: string; old: unknown; new: unknown }[] {
    const fields = [...EDITABLE, 'status', 'rationale', 'expires_on', 'accepted_by'] as const;
    const changes: { field: string; old: unknown; new: unknown }[] = fields.map((field) => ({
      field,
      old: before?.[field] ?? null,
      new: after?.[field] ?? null,
    }));
    changes.push({ field: 'cards', old: before?.cards ?? [], new: after?.cards ?? [] });
    return changes.filter((change) => !isDeepStrictEqual(change.old, change.new));
  }

  private tell(
    type: string,
    { id, title, version }: RiskState,
    changes: unknown,
    more: Record<string, unknown> = {},
  ): void {
    this.told.push({ id, title, type, data: { version, changes, ...more } });
  }
}

/** Cards whose link was made, taken away or given another role. */
export function movedCards(before: RiskState | undefined, after: RiskState | undefined): string[] {
  const [old, now] = [before, after].map(
    (risk) => new Map(risk?.cards.map(({ card_id, role }) => [card_id, role])),
  ) as [Map<string, string>, Map<string, string>];
  return [...new Set([...old.keys(), ...now.keys()])].filter((card) => old.get(card) !== now.get(card));
}
