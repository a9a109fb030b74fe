import type { Inventory, RequestContext } from '@lintel/sdk';
import { SEVERITIES } from '../analyses/definition.js';
import type { Host } from '../basics.js';
import { countByRule, currentRun, type RuleCount } from './compliance-repository.js';
import { configuredRules } from './configured.js';
import { isApplicable } from './metamodel.js';
import type { Regulation } from './regulations/definition.js';
import { REFERENCES, REGULATIONS } from './regulations/index.js';
import type { ComplianceView, RuleView } from './schemas.js';

const OPEN = ['new', 'in_review'];

/** The rules, and what their findings mean for regulations. */
export class Compliance {
  constructor(private readonly host: Host) {}

  async rules(ctx: RequestContext): Promise<RuleView[]> {
    return await this.host.inventory.read(ctx, {}, async (inventory) => this.rulesIn(inventory));
  }

  /** All regulations with the numbers of findings that the caller sees. */
  async regulations(ctx: RequestContext): Promise<ComplianceView[]> {
    return await this.host.inventory.read(ctx, {}, async (inventory) => {
      const run = await currentRun(inventory);
      const counts = await countByRule(inventory);
      const applied = new Set(
        run
          ? this.rulesIn(inventory)
              .filter((rule) => rule.is_enabled && rule.is_applicable)
              .map(({ id }) => id)
          : [],
      );
      return REGULATIONS.map((regulation) => viewOf(regulation, counts, applied, run?.finished_at));
    });
  }

  /** @throws not_found */
  async regulation(ctx: RequestContext, id: string): Promise<ComplianceView> {
    const found = (await this.regulations(ctx)).find((one) => one.id === id);
    if (!found) throw this.host.problem('not_found');
    return found;
  }

  private rulesIn(inventory: Inventory): RuleView[] {
    return configuredRules(this.host.settings()).map((rule) => ({
      id: rule.id,
      title: rule.title,
      severity: rule.severity,
      is_enabled: rule.isEnabled,
      is_applicable: isApplicable(inventory, rule),
      condition: rule.condition as unknown as Record<string, unknown>,
      references: [...(REFERENCES.get(rule.id) ?? [])],
    }));
  }
}

function viewOf(
  { id, title, reference, requirements }: Regulation,
  counts: readonly RuleCount[],
  applied: ReadonlySet<string>,
  at: Date | undefined,
): ComplianceView {
  const of = (rules: ReadonlySet<string>): RuleCount[] => counts.filter(({ rule }) => rules.has(rule));
  // A finding of a rule that several requirements name is one finding of the regulation.
  const all = of(new Set(requirements.flatMap(({ rules }) => rules)));
  const open = all.filter(({ state }) => OPEN.includes(state));
  return {
    id,
    title,
    reference,
    findings: sum(all),
    open: sum(open),
    by_state: by(all, ({ state }) => state),
    by_severity: by(open, ({ severity }) => SEVERITIES[severity - 1]!),
    requirements: requirements.map(({ rules, ...requirement }) => {
      const found = of(new Set(rules));
      const isOpen = found.some(({ state }) => OPEN.includes(state));
      const isChecked = rules.some((rule) => applied.has(rule));
      return {
        ...requirement,
        rules: [...rules],
        status: isOpen ? 'findings' : isChecked ? 'no_findings' : 'not_checked',
        by_state: by(found, ({ state }) => state),
      };
    }),
    analysed_at: at?.toISOString() ?? null,
  };
}

const sum = (counts: readonly RuleCount[]): number => counts.reduce((total, { n }) => total + n, 0);

function by(counts: readonly RuleCount[], key: (count: RuleCount) => string): Record<string, number> {
  const numbers: Record<string, number> = {};
  for (const count of counts) numbers[key(count)] = (numbers[key(count)] ?? 0) + count.n;
  return numbers;
}
