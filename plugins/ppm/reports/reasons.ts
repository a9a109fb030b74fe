import type { AttentionRow } from './portfolio-repository.js';
import { count, textsOf, type Texts } from './words/index.js';

/** The working days after a day up to another one. Dates are YYYY-MM-DD. */
export type CountDays = (cardId: string, from: string, to: string) => number;

/** What a reason is about: the reported health, the end of the plan, late items, amounts, or risks. */
export const AREAS = ['health', 'finish', 'items', 'costs', 'risks'] as const;

/** Why an initiative needs attention. */
export interface Reason {
  area: (typeof AREAS)[number];
  /** As a sentence without its subject. */
  text: string;
  /** For a narrow column: one or two short lines. */
  short: string[];
}

/** From which score a risk is a reason of its own. */
const HIGH = 15;

/** Numbers as they are written in one language. */
class Writer {
  readonly texts: Texts['reasons'];
  readonly #number: Intl.NumberFormat;

  constructor(readonly lang: string) {
    this.texts = textsOf(lang).reasons;
    this.#number = new Intl.NumberFormat(lang, { maximumFractionDigits: 2 });
  }

  workingDays(days: number): string {
    return count(days, 'workingDay', this.lang);
  }

  days(days: number): string {
    return count(days, 'day', this.lang);
  }

  items(items: number): string {
    return count(items, 'item', this.lang);
  }

  /** @param part per cent */
  share(part: number): string {
    return `${this.number(part)} %`;
  }

  number(value: number): string {
    return this.#number.format(value);
  }
}

/**
 * Why an initiative needs attention, the weightiest reason first.
 * @param today YYYY-MM-DD
 * @param lang BCP 47 tag of the language of the texts
 */
export function reasonsOf(row: AttentionRow, today: string, countDays: CountDays, lang: string): Reason[] {
  const writer = new Writer(lang);
  return [
    ...ofHealth(row, writer),
    ...ofFinish(row, today, countDays, writer),
    ...ofItems(row, today, countDays, writer),
    ...ofCosts(row, writer),
    ...ofRisks(row, writer),
  ];
}

function ofHealth({ areas }: AttentionRow, { texts }: Writer): Reason[] {
  return (['off_track', 'at_risk'] as const).flatMap((state): Reason[] => {
    const named = areas ? (['schedule', 'cost', 'scope'] as const).filter((area) => areas[area] === state) : [];
    if (named.length === 0) return [];
    const words = named.map((area) => texts.areas[area]).join(', ');
    return [{ area: 'health', text: texts.reported(words, state), short: [texts.states[state], words] }];
  });
}

function ofFinish(
  { id, end_date, completion, baseline }: AttentionRow,
  today: string,
  countDays: CountDays,
  writer: Writer,
): Reason[] {
  const { texts } = writer;
  const reasons: Reason[] = [];
  if (end_date !== null && end_date < today && completion !== null && completion < 100) {
    const late = countDays(id, end_date, today);
    const done = writer.share(completion);
    const short = [texts.overdueShort(writer.days(late)), texts.complete(done)];
    reasons.push({ area: 'finish', text: texts.overdue(writer.workingDays(late), done), short });
  }
  if (baseline && end_date !== null) {
    const later = countDays(id, baseline.end_date, end_date);
    const short = [texts.laterShort(writer.days(later)), texts.than(baseline.name)];
    reasons.push({ area: 'finish', text: texts.later(writer.workingDays(later), baseline.name), short });
  }
  return reasons;
}

function ofItems(
  { id, late_items, late_since }: AttentionRow,
  today: string,
  countDays: CountDays,
  writer: Writer,
): Reason[] {
  if (late_items === 0 || late_since === null) return [];
  const { texts } = writer;
  const late = countDays(id, late_since, today);
  const items = writer.items(late_items);
  const short = [items, texts.upTo(writer.days(late))];
  return [{ area: 'items', text: texts.lateItems(items, writer.workingDays(late)), short }];
}

function ofCosts({ budget, actual, forecast }: AttentionRow, writer: Writer): Reason[] {
  if (budget === null || actual === null || forecast === null || budget <= 0) return [];
  const [what, amount] = actual > budget ? (['actual', actual] as const) : (['forecast', forecast] as const);
  if (amount <= budget) return [];
  const { texts } = writer;
  const part = writer.share(Math.round((amount / budget) * 100));
  return [{ area: 'costs', text: texts.costs(what, part), short: [part, texts.ofBudget(what)] }];
}

function ofRisks({ highest_score: score }: AttentionRow, { texts }: Writer): Reason[] {
  if (score === null || score < HIGH) return [];
  return [{ area: 'risks', text: texts.risk(String(score)), short: [texts.riskShort(String(score))] }];
}
