import type { Picture, ReportRequest, TreeMapNode } from '@lintel/sdk';
import type { Answer, CostGroup } from './cost.js';

/** The sums as a tree map. */
export function costPicture({ label, currency, total, count, groups }: Answer, { lang }: ReportRequest): Picture {
  const unit = currency ?? '';
  const number = new Intl.NumberFormat(lang, { notation: 'compact', maximumSignificantDigits: 3 });
  const text = (sum: number | null): string => (sum === null ? 'none' : `${number.format(sum)} ${unit}`.trim());
  const nodes = (of: readonly CostGroup[]): TreeMapNode[] =>
    of
      .filter(({ sum }) => (sum ?? 0) > 0)
      .map((group) => ({
        label: group.label,
        href: group.href ?? undefined,
        value: group.sum!,
        text: text(group.sum),
        color: group.color,
        ...(group.children && { children: nodes(group.children) }),
      }));
  return {
    title: `Cost: ${label}`,
    subtitle: `${text(total)} in ${count} cards`,
    description: groups
      .slice(0, 30)
      .map((group) => `${group.label}: ${text(group.sum)}`)
      .join('; '),
    notes: groups.some(({ sum }) => (sum ?? 0) < 0) ? ['Groups with a negative sum are not shown.'] : [],
    content: { kind: 'treemap', nodes: nodes(groups), unit },
  };
}
