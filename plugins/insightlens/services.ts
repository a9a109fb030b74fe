import type { Host } from './basics.js';
import { DuplicateService } from './duplicates/service.js';
import { CardProducts } from './feeds/card-products.js';
import { FeedFetches } from './feeds/fetch.js';
import { FeedService } from './feeds/service.js';
import { ProposalEngine } from './architect/job.js';
import { ProposalService } from './architect/service.js';
import { ExplanationService } from './explanations/service.js';
import { FindingService } from './findings/service.js';
import { Modernisation } from './modernisation/service.js';
import { RunEngine } from './runs/engine.js';
import { RunService } from './runs/service.js';
import { SupplierService } from './suppliers/service.js';
import { BulkTransitions } from './security/bulk.js';
import { Compliance } from './security/compliance.js';
import { FindingPromotion } from './security/promotion.js';

export interface InsightLensServices {
  host: Host;
  runs: RunService;
  engine: RunEngine;
  findings: FindingService;
  duplicates: DuplicateService;
  suppliers: SupplierService;
  feeds: FeedService;
  fetches: FeedFetches;
  cardProducts: CardProducts;
  compliance: Compliance;
  bulkTransitions: BulkTransitions;
  promotion: FindingPromotion;
  modernisation: Modernisation;
  explanations: ExplanationService;
  proposals: ProposalService;
  proposalEngine: ProposalEngine;
}

export function insightLensServices(host: Host): InsightLensServices {
  const findings = new FindingService(host);
  const feeds = new FeedService(host);
  return {
    host,
    runs: new RunService(host),
    engine: new RunEngine(host),
    duplicates: new DuplicateService(host),
    suppliers: new SupplierService(host),
    findings,
    feeds,
    fetches: new FeedFetches(host, feeds.thread),
    cardProducts: new CardProducts(host),
    compliance: new Compliance(host),
    bulkTransitions: new BulkTransitions(host),
    promotion: new FindingPromotion(host, findings),
    modernisation: new Modernisation(host),
    explanations: new ExplanationService(host),
    proposals: new ProposalService(host),
    proposalEngine: new ProposalEngine(host),
  };
}
