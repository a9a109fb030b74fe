/** Plain English for the texts of pictures. */
import type { InventoryFilters } from '@lintel/sdk';

/** How the operator of a filter is read. */
const OPERATORS: Readonly<Record<string, string>> = {
  gt: '>',
  gte: '≥',
  lt: '<',
  lte: '≤',
  ne: '≠',
  contains: 'contains',
};

/** The name of a field from its key: `attributes.businessCriticality` is "business criticality". */
const fieldWords = (key: string): string =>
  key
    .replace(/^attributes\./, '')
    .replaceAll(/[_.]/g, ' ')
    .replaceAll(/(?<=[a-z\d])[A-Z](?=[a-z])/g, (letter) => ` ${letter.toLowerCase()}`);

/**
 * The filters of a report in words, such as `business criticality: missionCritical, data quality ≥ 40`.
 * @param shown names of filters that the picture tells already
 * @returns empty without filters
 */
export function filterWords(filters: InventoryFilters, shown: readonly string[] = []): string {
  return Object.entries(filters)
    .filter(([name, value]) => value !== undefined && !shown.includes(name))
    .map(([name, value]) => {
      const [, key = name, operator = ''] = /^(.+?)(?:\[(\w+)\])?$/.exec(name) ?? [];
      const words = fieldWords(key);
      const text = String(value).split(',').join(' or ');
      if (operator === 'empty') return `${words} ${text === 'true' ? 'empty' : text === 'false' ? 'not empty' : text}`;
      return operator === '' ? `${words}: ${text}` : `${words} ${OPERATORS[operator] ?? operator} ${text}`;
    })
    .join(', ');
}

/** A number with its noun, such as `1 card` and `1,200 cards`. @param lang BCP 47 tag, for the number */
export const countWords = (count: number, noun: string, lang: string): string =>
  `${new Intl.NumberFormat(lang).format(count)} ${noun}${count === 1 ? '' : 's'}`;

/** Parts of a line that are not empty, separated. */
export const line = (...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== '').join(' · ');
