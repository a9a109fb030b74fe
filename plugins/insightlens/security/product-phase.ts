import type { AnalysisWork, NewFinding, Phase } from '../analyses/definition.js';
import { MOST_FINDINGS } from '../analyses/definition.js';
import { readProducts, readVulnerabilities } from '../feeds/repository.js';
import { ProductIndex } from '../feeds/products.js';
import { configuredRules, ruleOf } from './configured.js';
import { dayAfter } from './evaluate.js';
import { productFindings, type ProductRules } from './product-findings.js';
import {
  deleteMatches,
  deleteOldMatches,
  readCandidates,
  storeMatches,
  type StoredMatch,
} from './product-repository.js';

const PAGE = 500;
const OLD_BATCH = 5_000;

function rulesOf(work: AnalysisWork): ProductRules {
  const rules = configuredRules(work.host.settings());
  const enabled = (id: string) => {
    const rule = ruleOf(rules, id);
    return rule.isEnabled ? rule.severity : undefined;
  };
  const { condition } = ruleOf(rules, 'release-ended');
  return {
    day: work.day,
    soon: dayAfter(work.day, condition.kind === 'release' ? condition.days : 0),
    release: enabled('release-ended'),
    patch: enabled('patch-missing'),
    exploited: enabled('known-exploited'),
  };
}

/** Finds the products of cards in the feeds, and what these say about them. The feeds are read once; cards are read page by page. */
export const productPhase: Phase = {
  key: 'products',
  async run(work) {
    // Only those of the current run are read, and rows of many cards are not to be deleted with a run in one transaction.
    for (let isMore = true; isMore; )
      await work.step(async (uow) => {
        isMore = await deleteOldMatches(uow, work.runId, OLD_BATCH);
      });
    const rules = rulesOf(work);
    const [products, vulnerabilities] = await work.read(
      async (inventory) => [await readProducts(inventory), await readVulnerabilities(inventory)] as const,
    );
    if (products.length === 0 && vulnerabilities.length === 0) return;
    const index = new ProductIndex(work.host.searchFold, products, vulnerabilities);
    for (let after = work.position as string | null; ; ) {
      const from = after;
      const cards = await work.read((inventory) => readCandidates(inventory, work.day, from, PAGE));
      const last = cards.at(-1);
      if (!last) return;
      const findings: NewFinding[] = [];
      const matches: StoredMatch[] = [];
      for (const card of cards) {
        if (work.slice.isOver) await work.slice.next();
        const { match, found } = productFindings(index, card, rules);
        matches.push(match);
        findings.push(...found);
      }
      await work.step((uow) => storeMatches(uow, work.runId, matches));
      after = last.id;
      // The position is stored with the last of them: after a crash the page is read again, and its findings replace those that were stored.
      while (findings.length > MOST_FINDINGS) await work.store(findings.splice(0, MOST_FINDINGS));
      await work.store(findings, { position: after });
    }
  },
  async reset(uow, runId) {
    await deleteMatches(uow, runId);
  },
};
