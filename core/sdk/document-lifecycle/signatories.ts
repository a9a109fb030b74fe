import type { Actor, RequestContext } from '../context.js';
import type { ModuleServices } from '../services.js';
import type { DocumentRow, SignatureRow } from './repository.js';
import type { DocumentLifecycleSpec } from './spec.js';

/** Checks who may sign a document: permissions, pending signatures, and the four-eyes rule. */
export class Signatories<Settings> {
  constructor(
    private readonly spec: DocumentLifecycleSpec<Settings>,
    private readonly host: ModuleServices<Settings>,
  ) {}

  /** The users named as signatories. @throws validation_failed with an error for each who cannot sign */
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

  /** @throws validation_failed if the four-eyes rule does not allow these signatories */
  requireOthers(row: DocumentRow, requestedBy: string | null, ids: readonly string[]): void {
    if (this.isOwnWork(row, requestedBy, ids))
      throw this.host.invalid({ field: '/user_ids', reason: 'must name another user than the author' });
  }

  /** @throws four_eyes if the rule does not allow the signature of `actor` in addition to those of the other signatories */
  requireFourEyes(row: DocumentRow, actor: Actor, named: readonly SignatureRow[]): void {
    const signing = this.rule() === 'others_only' ? [actor.id] : named.flatMap((s) => s.user_id ?? []);
    if (this.isOwnWork(row, row.requested_by, signing))
      throw this.host.problem('four_eyes', { detail: 'The author cannot sign; another user must sign.' });
  }

  /** @returns the caller, whose signature is pending @throws forbidden if the caller is not a signatory, invalid_state if the caller has signed */
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

  /** Whether the four-eyes rule refuses these signatories: because one of them, or all, are the author. */
  private isOwnWork(row: DocumentRow, requestedBy: string | null, signing: readonly string[]): boolean {
    const isAuthor = (id: string): boolean => id === row.created_by || id === requestedBy;
    const rule = this.rule();
    return rule === 'others_only' ? signing.some(isAuthor) : rule === 'another' && signing.every(isAuthor);
  }

  private rule() {
    return this.spec.fourEyes?.(this.host.settings()) ?? 'off';
  }
}
