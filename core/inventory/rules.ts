import type { CardChangeKind, CardRule, FieldError, RequestContext, RuleBatch, RuleDecision } from '@lintel/sdk';
import { Problem, ERRORS, problem } from '../foundation/errors.js';
import { databaseProblem } from '../foundation/db/constraints.js';
import type { Statement } from '../foundation/db/database.js';
import type { StatementRole } from '../foundation/db/statement-role.js';
import { mayRetry, WriteConflict, type UnitOfWork } from '../foundation/db/unit-of-work.js';

/** The timeout of one call in milliseconds, and the addition per change. */
const CALL_MS = 2_000;
const CHANGE_MS = 1;
const MOST_ERRORS = 100;
const DEFAULT_KINDS: readonly CardChangeKind[] = ['create', 'update'];

/** How the host of modules calls a rule. */
export interface RuleHooks {
  /** Whether the rule applies now. */
  isOn(): boolean;
  /** Runs the module's code. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Makes the name of a statement of the module unique to its text. */
  statement(statement: Statement): Statement;
  /** The database role of the module's statements; undefined: the user of the service. */
  role(): StatementRole | undefined;
  /** Locks a name of the module until the transaction ends; fails with `lock_not_available` if that takes too long. */
  lock(on: Pick<UnitOfWork, 'query'>, name: string): Promise<void>;
  /** Counts an error of the rule. */
  failed(error: Error): void;
}

/** A rule of an enabled module. */
export interface OwnedRule extends RuleHooks {
  module: string;
  rule: CardRule<unknown>;
  services: unknown;
}

/** The write for which rules are called. */
export interface RuledWrite {
  uow: UnitOfWork;
  ctx: RequestContext;
  isPreview: boolean;
}

/** Whether a rule is called for a change of one of these kinds. */
export const concerns = ({ rule: { on = DEFAULT_KINDS } }: OwnedRule, kinds: readonly CardChangeKind[]): boolean =>
  kinds.some((kind) => on.includes(kind));

/**
 * The errors of a row that a rule refused, and the problem for a single write; without it they are a 422.
 * @param at pointer to the card or relation in the body
 */
export function refusalBy(
  { errors = [], problem: cause }: RuleDecision<unknown>,
  at: string,
): { errors: FieldError[]; cause: Problem | undefined } | undefined {
  if (cause) {
    const named = cause.errors?.map((error) => ({ ...error, field: `${at}${error.field}` }));
    const all = named ?? [{ field: at, reason: cause.detail, in: 'body' as const }];
    return { errors: all.map((error) => ({ ...error, code: cause.code })), cause };
  }
  if (errors.length === 0) return undefined;
  return {
    errors: errors.map(({ field, reason }) => ({ field: `${at}${field}`, reason, in: 'body' })),
    cause: undefined,
  };
}

/** @throws what the work throws, or an Error if it takes longer, also if it did not let the timer fire */
async function bounded<T>(ms: number, work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const overrun = () => new Error(`it took longer than ${ms} ms`);
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(overrun()), ms);
  });
  try {
    const running = work();
    // A failure after the timeout has no other handler.
    running.catch(() => undefined);
    const result = await Promise.race([running, late]);
    if (performance.now() - start > ms) throw overrun();
    return result;
  } finally {
    clearTimeout(timer);
  }
}

const codeOf = (error: unknown): string | undefined => (error as { code?: string } | undefined)?.code;
/** A statement of the rule writes. */
const READ_ONLY = '25006';
const LOCK_NOT_AVAILABLE = '55P03';

const isText = (value: unknown): value is string => typeof value === 'string';
const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What is wrong with a decision; undefined if nothing is. */
function faultOf(
  decision: unknown,
  module: string,
  changes: ReadonlySet<unknown>,
  settable: readonly string[],
): string | undefined {
  if (!isPlain(decision) || !changes.has(decision['change'])) return 'a decision without a change of the batch';
  const { errors, problem: cause, set } = decision;
  const unknown = Object.keys(decision).find((key) => !['change', 'errors', 'problem', 'set'].includes(key));
  if (unknown !== undefined) return `a decision with the unknown member ${unknown}`;
  if (
    errors !== undefined &&
    !(
      Array.isArray(errors) &&
      errors.length <= MOST_ERRORS &&
      errors.every(
        (e: unknown) => isPlain(e) && isText(e['field']) && /^(\/|$)/.test(e['field']) && isText(e['reason']),
      )
    )
  )
    return `errors that are not up to ${MOST_ERRORS} of a JSON pointer and a reason`;
  if (cause !== undefined) {
    if (!(cause instanceof Problem) || cause.status < 400 || cause.status >= 500)
      return 'a problem without a status from 400 to 499';
    if (!cause.code.startsWith(`${module}_`) && !Object.hasOwn(ERRORS, cause.code))
      return `a problem with the code ${cause.code}, which is not its own`;
  }
  if (set === undefined) return undefined;
  if (!isPlain(set) || Object.keys(set).some((key) => key !== 'attributes' && !settable.includes(key)))
    return `values to set other than attributes, ${settable.join(', ')}`;
  if (set['attributes'] !== undefined && !isPlain(set['attributes'])) return 'attributes to set that are no object';
  const odd = settable.find((key) => set[key] !== undefined && set[key] !== null && !isText(set[key]));
  return odd === undefined ? undefined : `a ${odd} that is no text`;
}

/**
 * Calls a rule with the changes of one write, and checks its decisions.
 * @param cards reads complete cards
 * @param call calls the function of the rule
 * @param settable texts that decisions may set besides attributes
 * @throws unavailable if it fails, takes too long or returns something else; errors of the database unchanged
 */
export async function runRule<Change extends object, Decision extends RuleDecision<Change>>(
  owned: OwnedRule,
  { uow, ctx, isPreview }: RuledWrite,
  changes: readonly Change[],
  cards: RuleBatch<Change>['cards'],
  call: (batch: RuleBatch<Change>) => Promise<readonly Decision[]>,
  settable: readonly string[],
): Promise<readonly Decision[]> {
  const ms = CALL_MS + CHANGE_MS * changes.length;
  const reading = uow.reading(ms);
  const batch: RuleBatch<Change> = {
    ctx,
    isPreview,
    changes,
    query: (statement, values) => reading.query(owned.statement(statement), values, owned.role()),
    cards: (ids) => reading.during(() => cards(ids)),
    // What is not written needs no lock, and writes would wait for it.
    lock: async (name) => (isPreview || ctx.dryRun ? undefined : owned.lock(reading, name)),
  };
  try {
    const decisions: unknown = await bounded(ms, () => owned.run(async () => call(batch)));
    // Also if the rule has caught it: what the rule has locked is not locked any more.
    if (reading.failure !== undefined) throw reading.failure;
    if (!Array.isArray(decisions)) throw new Error('it returned no list of decisions');
    const known = new Set<unknown>(changes);
    for (const decision of decisions) {
      const fault = faultOf(decision, owned.module, known, settable);
      if (fault !== undefined) throw new Error(`it returned ${fault}`);
    }
    return decisions as readonly Decision[];
  } catch (error) {
    // Another write holds the lock: the unit of work is executed again.
    if (codeOf(error) === LOCK_NOT_AVAILABLE) throw new WriteConflict();
    if (
      mayRetry(error) ||
      (codeOf(error) !== READ_ONLY && !(error instanceof Problem) && (databaseProblem(error)?.status ?? 0) >= 500)
    )
      throw error;
    const { module, rule } = owned;
    const reason = error instanceof Error ? error.message : String(error);
    owned.failed(new Error(`its rule ${rule.key} failed: ${reason}`, { cause: error }));
    throw problem('unavailable', {
      detail: `Nothing was stored: the rule ${rule.key} of the module ${module} failed. Try again, or ask an administrator.`,
      module,
      headers: { 'retry-after': '5' },
      cause: error,
    });
  } finally {
    await reading.end();
  }
}
