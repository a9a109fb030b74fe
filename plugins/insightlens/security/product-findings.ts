import type { NewFinding, Severity } from '../analyses/definition.js';
import { commonSupport, findCycle, isBehind, type CycleMatch } from '../feeds/cycles.js';
import type { Product } from '../feeds/definition.js';
import type { Exploited, Found, ProductIndex } from '../feeds/products.js';
import type { MatchReason } from '../feeds/schemas.js';
import { milder } from './evaluate.js';
import type { CandidateCard, StoredMatch } from './product-repository.js';

/** The rules about products; undefined severity: the rule is not applied. */
export interface ProductRules {
  /** YYYY-MM-DD. */
  day: string;
  soon: string;
  release: Severity | undefined;
  patch: Severity | undefined;
  exploited: Severity | undefined;
}

/** Vulnerabilities of one card that are told, the latest ones. */
const MOST_OF_CARD = 300;
const MOST_CANDIDATES = 20;

/** What is known about the products of a card: by decision, or by its name. */
interface Resolved {
  lifecycle: Found<Product>;
  vulnerable: Found<Exploited>;
  version: string | null;
}

function resolve(index: ProductIndex, card: CandidateCard): Resolved {
  const none = { found: [], version: null, via: null, unsure: [] };
  const { decided } = card;
  if (decided) {
    const product = decided.slug === null ? undefined : index.bySlugOf(decided.slug);
    const { vendor, product: name } = decided;
    const exploited = vendor !== null && name !== null ? index.exploitedOf(vendor, name) : undefined;
    return {
      lifecycle: { ...none, found: product ? [product] : [] },
      vulnerable: { ...none, found: exploited ? [exploited] : [] },
      version: decided.release ?? card.version ?? index.lifecycleOf(card).version,
    };
  }
  const lifecycle = index.lifecycleOf(card);
  return { lifecycle, vulnerable: index.vulnerableOf(card), version: card.version ?? lifecycle.version };
}

/** What the feeds say about a card, and what was found out about its products. */
export function productFindings(
  index: ProductIndex,
  card: CandidateCard,
  rules: ProductRules,
): { match: StoredMatch; found: NewFinding[] } {
  const { lifecycle, vulnerable, version } = resolve(index, card);
  const product = lifecycle.found.length === 1 ? lifecycle.found[0] : undefined;
  const exploited = vulnerable.found.length === 1 ? vulnerable.found[0] : undefined;
  const cycle = product && findCycle(version, product.releases);
  const found: NewFinding[] = [];
  const tell = (rule: string, severity: Severity | undefined, via: string | null, more: Partial<NewFinding>): void => {
    if (severity === undefined) return;
    const cards = [{ id: card.id, role: 'subject' }, ...(via === null ? [] : [{ id: via, role: 'supplier' }])];
    const needs = via === null ? [] : (['relations'] as const);
    found.push({ key: `${rule}:${card.id}`, rule, severity, score: null, cards, needs, evidence: {}, ...more });
  };
  if (product && cycle && version !== null) {
    const support = commonSupport(cycle.releases, rules.day, rules.soon);
    const evidence = {
      product: product.slug,
      release: version,
      cycles: cycle.releases.map(({ cycle: name, eol }) => ({ cycle: name, eol })),
    };
    if (rules.release !== undefined && (support === 'ended' || support === 'ending'))
      tell('release-ended', support === 'ended' ? rules.release : milder(rules.release), lifecycle.via, {
        evidence: { ...evidence, support },
      });
    const [release] = cycle.releases;
    if (cycle.reason === null && release && isBehind(version, release))
      tell('patch-missing', rules.patch, lifecycle.via, { evidence: { ...evidence, latest: release.latest } });
  }
  const told = [...(exploited?.vulnerabilities ?? [])].sort(
    (a, b) => Number(a.added < b.added) - Number(a.added > b.added),
  );
  for (const { cve, name, added, due, ransomware, action } of told.slice(0, MOST_OF_CARD))
    tell('known-exploited', rules.exploited, vulnerable.via, {
      key: `known-exploited:${card.id}:${cve}`,
      // The feed does not state which versions are affected.
      evidence: { cve, name, vendor: exploited!.vendor, product: exploited!.product, added, due, ransomware, action },
    });
  // A row is shown by the visibility of one supplier.
  const isShown = lifecycle.via === null || vulnerable.via === null || lifecycle.via === vulnerable.via;
  const match: StoredMatch = {
    card_id: card.id,
    via_id: lifecycle.via ?? vulnerable.via,
    slug: product?.slug ?? null,
    cycles: (cycle?.releases ?? []).slice(0, MOST_CANDIDATES).map(({ cycle: name }) => name),
    release: version,
    vendor: (isShown && exploited?.vendor) || null,
    product: (isShown && exploited?.product) || null,
    reasons: reasonsOf(card, lifecycle, vulnerable, cycle),
    candidates: [
      ...(lifecycle.found.length > 1 ? lifecycle.found.map(({ slug }) => slug) : []),
      ...[...vulnerable.unsure, ...(vulnerable.found.length > 1 ? vulnerable.found : [])].map(
        (one) => `${one.vendor}: ${one.product}`,
      ),
    ].slice(0, MOST_CANDIDATES),
  };
  return { match, found };
}

function reasonsOf(
  { decided }: CandidateCard,
  lifecycle: Found<Product>,
  vulnerable: Found<Exploited>,
  cycle: CycleMatch | undefined,
): MatchReason[] {
  const reasons: MatchReason[] = [];
  // People may have decided that it is none.
  if (lifecycle.found.length === 0 && !(decided && decided.slug === null)) reasons.push('no_product');
  if (lifecycle.found.length > 1) reasons.push('several_products');
  if (vulnerable.unsure.length > 0) reasons.push('supplier_unknown');
  if (vulnerable.found.length > 1) reasons.push('several_vulnerable_products');
  if (cycle?.reason) reasons.push(cycle.reason);
  return reasons;
}
