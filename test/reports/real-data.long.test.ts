/** Every figure of the reports on whole landscapes against a computation over the lists, and the lists that they link to. */
import t from 'tap';
import * as cards from '../../plugins/reports/test/card-oracles.js';
import * as relations from '../../plugins/reports/test/relation-oracles.js';
import { Seen } from '../../plugins/reports/test/relations-landscape.js';
import { registerAdmin, testApp, type TestApp } from '../support/app.js';
import { DATA_SETS } from './data-sets.js';

/** Links that are followed for each report, evenly distributed. */
const LINKS = 40;
const APPLICATIONS = { type: 'Application', parent_type: 'BusinessCapability' };

interface Plan {
  /** The type whose portfolio, missing values and life cycles are checked, with fields of one value each. */
  portfolio: cards.PortfolioQuery;
  ranges: readonly string[];
  costs: readonly string[];
  matrices: readonly relations.Query[];
  landscapes: readonly relations.LandscapeQuery[];
  /** External id of the card in the centre of a graph. */
  around?: string;
  graph: relations.Query & { type: string; direction: relations.Direction; depth: number };
  lifecycles: readonly (cards.Query & { type: string })[];
}

const PLANS: Readonly<Record<string, Plan>> = {
  demo: {
    portfolio: {
      type: 'Application',
      x: 'businessCriticality',
      y: 'timeModel',
      color: 'lifecycle_phase',
      group_by: 'hostingType',
      size: 'costTotalAnnual',
    },
    ranges: ['data_quality', 'numberOfUsers', 'costTotalAnnual'],
    costs: ['type', 'parent', 'applicationToBusinessCapability', 'lifecycle_phase', 'subtype'],
    matrices: [
      { row_type: 'Application', col_type: 'BusinessCapability', relation_type: 'applicationToBusinessCapability' },
      {
        row_type: 'BusinessCapability',
        col_type: 'Application',
        relation_type: 'applicationToBusinessCapability',
        direction: 'incoming',
        row_level: 2,
        empty: true,
      },
      { row_type: 'Interface', col_type: 'DataObject', relation_type: 'interfaceToDataObject', col_level: 1 },
    ],
    landscapes: [
      { ...APPLICATIONS, relation: 'applicationToBusinessCapability', color_by: 'businessCriticality' },
      { ...APPLICATIONS, relation: 'applicationToBusinessCapability', level: 2 },
      { type: 'ITComponent', parent_type: 'TechCategory', relation: 'itComponentToTechCategory' },
    ],
    around: 'demo-ticket-core',
    graph: { type: 'BusinessProcess', direction: 'downstream', depth: 2 },
    lifecycles: [
      { type: 'Application', group_by: 'businessCriticality' },
      { type: 'Initiative', from: '2020', to: '2040' },
    ],
  },
  technology: {
    portfolio: {
      type: 'Application',
      x: 'hostingType',
      y: 'businessCriticality',
      color: 'lifecycle_phase',
      group_by: 'subtype',
    },
    ranges: ['data_quality'],
    costs: ['type'],
    matrices: [
      {
        row_type: 'Application',
        col_type: 'Organization',
        relation_type: 'organizationToApplication',
        direction: 'incoming',
        col_level: 1,
      },
      { row_type: 'Provider', col_type: 'ITComponent', relation_type: 'providerToITComponent', row_level: 1 },
    ],
    landscapes: [
      { type: 'ITComponent', parent_type: 'TechCategory', relation: 'itComponentToTechCategory', color_by: 'subtype' },
      { type: 'Provider', parent_type: 'ITComponent', relation: 'providerToITComponent' },
    ],
    graph: { type: 'Application', direction: 'both', depth: 1, relation_type: 'related' },
    lifecycles: [{ type: 'Application', group_by: 'businessCriticality' }, { type: 'ITComponent' }],
  },
  capabilities: {
    portfolio: {
      type: 'BusinessCapability',
      x: 'approval_status',
      y: 'lifecycle_phase',
      color: 'subtype',
      group_by: 'type',
    },
    ranges: ['data_quality'],
    costs: ['type'],
    matrices: [
      {
        row_type: 'BusinessContext',
        col_type: 'BusinessCapability',
        relation_type: 'businessContextToBusinessCapability',
        col_level: 1,
      },
      {
        row_type: 'BusinessContext',
        col_type: 'BusinessCapability',
        relation_type: 'businessContextToBusinessCapability',
      },
    ],
    landscapes: [
      {
        type: 'BusinessContext',
        parent_type: 'BusinessCapability',
        relation: 'businessContextToBusinessCapability',
        level: 2,
      },
    ],
    graph: { type: 'BusinessContext', direction: 'downstream', depth: 2 },
    lifecycles: [{ type: 'BusinessContext' }],
  },
};

for (const set of DATA_SETS)
  t.test(set.title, { skip: set.absent ?? false }, async (t) => {
    const plan = PLANS[set.key]!;
    const app: TestApp = await testApp();
    t.teardown(app.close);
    const admin = await registerAdmin(app.origin);
    const { api } = admin;
    await set.fill(app, admin);
    const seen = await Seen.by(admin, admin);
    const known = { api, cards: [...seen.cards.values()], relations: seen.relations, links: LINKS };
    const { type } = plan.portfolio;

    await t.test('dashboard', (t) => cards.checkDashboard(t, known));
    await t.test('data quality', async (t) => void (await cards.checkQuality(t, known, type)));
    await t.test('portfolio', (t) => cards.checkPortfolio(t, known, plan.portfolio));
    await t.test('portfolio by ranges', (t) => cards.checkRanges(t, known, type, plan.ranges));
    for (const group of plan.costs) await t.test(`costs by ${group}`, (t) => cards.checkCosts(t, known, group));
    await t.test('stakeholders', (t) => cards.checkStakeholders(t, known));
    for (const query of plan.lifecycles) await t.test('life cycle', (t) => cards.checkLifecycle(t, known, query));
    for (const query of plan.matrices) await t.test('matrix', (t) => relations.checkMatrix(t, api, seen, query, LINKS));
    for (const query of plan.landscapes)
      await t.test('landscape', (t) => relations.checkLandscape(t, api, seen, query, LINKS));
    await t.test('dependencies of a type', (t) => relations.checkOfType(t, api, seen, plan.graph));
    if (plan.around !== undefined) {
      const { body } = await api.get('/cards', { query: { external_id: plan.around } });
      for (const direction of ['downstream', 'upstream', 'both'] as const)
        await t.test(`dependencies ${direction}`, (t) =>
          relations.checkAround(t, api, seen, body.items[0]!.id, direction, 2),
        );
    }
    await t.test('end of life', async (t) => {
      const queries: relations.Query[] = [{}, { horizon_days: 3_650, dependent_type: 'Application' }];
      for (const query of queries) await relations.checkEndOfLife(t, api, seen, query, LINKS);
    });
  });
