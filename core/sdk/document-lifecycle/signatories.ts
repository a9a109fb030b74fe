import type { Actor, RequestContext } from '../context.js';
import type { ModuleServices } from '../services.js';
import type { DocumentRow, SignatureRow } from './repository.js';
import type { DocumentLifecycleSpec } from './spec.js';

/** Who may sign a document: the users that can be named, whose turn it is, and the rule of four eyes. */
export class Signatories<Settings> {
  constructor(
    private readonly spec: DocumentLifecycleSpec<Settings>,
    private readonly host: ModuleServices<Settings>,
  ) {}

  /** The users to be named. @throws validation_failed with a fault for each who cannot sign */
  async named(ids: readonly string[]): Promise<{ id: string; display_name: string }[]> {
    const { sign } = this.spec.permissions;
    const [found, holders] = [
      await this.host.users.find(ids),
      new Set((await this.host.users.holding(sign)).map((user) => user.id)),
    ];
    const faults = ids.flatMap((id, i) => {
      const reason =
        ids.indexOf(id) < i
          ? 'is named twice'
          : found.get(id)?.is_active !== true
            ? 'names no active user'
            : !holders.has(id)
              ? `names a user without ${sign}`
              : undefined;
      return reason === undefined ? [] : [{ field: `/user_ids/${i}`, reason }];
    });
    if (faults.length > 0) throw this.host.invalid(...faults);
    return ids.map((id) => found.get(id)!);
  }

  /** @throws validation_failed where the rule of four eyes allows no signature of those to be named */
  requireOthers(row: DocumentRow, requestedBy: string | null, ids: readonly string[]): void {
    if (this.isOwnWork(row, requestedBy, ids))
      throw this.host.invalid({ field: '/user_ids', reason: 'must name another user than the author' });
  }

  /** @throws four_eyes where the rule does not allow the signature of `actor` beside those of the others named */
  requireFourEyes(row: DocumentRow, actor: Actor, named: readonly SignatureRow[]): void {
    const signing = this.rule() === 'others_only' ? [actor.id] : named.flatMap((s) => s.user_id ?? []);
    if (this.isOwnWork(row, row.requested_by, signing))
      throw this.host.problem('four_eyes', { detail: 'The author cannot sign; another user must sign.' });
  }

  /** @returns the caller, who has yet to sign @throws forbidden for who is not named, invalid_state for who has signed */
  requirePending({ actor }: RequestContext, named: readonly SignatureRow[]): Actor {
    const own = named.find((s) => s.user_id !== null && s.user_id === actor?.id);
    if (!own || !actor)
      throw this.host.problem('forbidden', { detail: 'Only a signatory of the document can sign or reject it.' });
    if (own.status === 'signed')
      throw this.host.problem('invalid_state', {
        detail: 'You have signed the document already.',
        document_status: 'in_review',
      });
    return actor;
  }

  /** Whether the rule of four eyes is against these signing: one of them, or all, being the author. */
  private isOwnWork(row: DocumentRow, requestedBy: string | null, signing: readonly string[]): boolean {
    const isAuthor = (id: string): boolean => id === row.created_by || id === requestedBy;
    const rule = this.rule();
    return rule === 'others_only' ? signing.some(isAuthor) : rule === 'another' && signing.every(isAuthor);
  }

  private rule() {
    return this.spec.fourEyes?.(this.host.settings()) ?? 'off';
  }
}
