import type { Picture, ReportRequest, TreeMapNode } from '@lintel/sdk';
import { NO_VALUE_COLOR } from '../palette.js';
import { countWords, filterWords, line, textsOf } from '../words/index.js';
import type { Answer, CostGroup } from './cost.js';

/** The sums as a tree map. */
export function costPicture(answer: Answer, request: ReportRequest): Picture {
  const { lang } = request;
  const texts = textsOf(lang);
  const { label, currency, total, count, groups, group_label, truncated } = answer;
  const unit = currency ?? '';
  const number = new Intl.NumberFormat(lang, { notation: 'compact', maximumSignificantDigits: 3 });
  const text = (sum: number | null): string =>
    sum === null ? texts.cost.noValue : `${number.format(sum)} ${unit}`.trim();
  // Cards of a hierarchy have the colour of their type, which would be one for all: each part of it gets its own instead.
  const isTree = groups.some(({ children }) => children !== undefined);
  const nodes = (of: readonly CostGroup[]): TreeMapNode[] =>
    of
      .filter(({ sum }) => (sum ?? 0) > 0)
      .map((group) => ({
        label: group.label,
        href: group.href ?? undefined,
        value: group.sum!,
        text: text(group.sum),
        color: group.key === null ? NO_VALUE_COLOR : isTree ? undefined : group.color,
        icon: group.icon,
        ...(group.children && { children: nodes(group.children) }),
      }));
  return {
    title: texts.by(label, group_label),
    subtitle: line(
      count === 0 ? texts.cost.noCards : texts.cost.sum(text(total), countWords(count, 'card', lang)),
      filterWords(request),
    ),
    description: groups
      .slice(0, 30)
      .map((group) => `${group.label}: ${text(group.sum)}`)
      .join('; '),
    notes: [
      ...(groups.some(({ sum }) => (sum ?? 0) < 0) ? [texts.cost.negative] : []),
      ...(truncated ? [texts.cost.truncated] : []),
    ],
    content: { kind: 'treemap', nodes: nodes(groups), unit: unit || label },
  };
}
