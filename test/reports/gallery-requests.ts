/** What the gallery shows: requests for reports with sensible parameters, for each data set. */
import type { Session } from '../support/app.js';
import type { DataSet } from './data-sets.js';

type Query = Readonly<Record<string, string | number | boolean>>;

/** A picture of the gallery. */
export interface GalleryRequest {
  /** Name of its file within the data set. */
  name: string;
  report: string;
  query: Query;
  /** The external id of the card whose id is `card_id`. */
  around?: string;
}

const at = (name: string, report: string, query: Query = {}, around?: string): GalleryRequest => ({
  name,
  report,
  query,
  ...(around !== undefined && { around }),
});

/** The requests of a data set. */
export const REQUESTS: Readonly<Record<DataSet['key'], readonly GalleryRequest[]>> = {
  demo: [
    at('dashboard', 'dashboard'),
    at('dashboard-applications', 'dashboard', { type: 'Application', 'attributes.hostingType': 'saas' }),
    at('portfolio', 'portfolio', {
      type: 'Application',
      x: 'businessCriticality',
      y: 'timeModel',
      size: 'costTotalAnnual',
    }),
    at('portfolio-dark', 'portfolio', {
      type: 'Application',
      x: 'functionalSuitability',
      y: 'technicalSuitability',
      color: 'timeModel',
      theme: 'dark',
    }),
    at('portfolio-groups', 'portfolio', {
      type: 'ITComponent',
      x: 'lifecycle_phase',
      y: 'resourceClassification',
      group_by: 'subtype',
      lang: 'de',
    }),
    at('cost-type', 'cost', { field: 'costTotalAnnual' }),
    at('cost-capability', 'cost', {
      field: 'costTotalAnnual',
      group_by: 'applicationToBusinessCapability',
      lang: 'de',
    }),
    at('cost-time-model', 'cost', { field: 'costTotalAnnual', group_by: 'timeModel', type: 'Application' }),
    at('data-quality', 'data-quality'),
    at('data-quality-applications', 'data-quality', { type: 'Application', theme: 'dark' }),
    at('stakeholders', 'stakeholders'),
    at('matrix', 'matrix', {
      row_type: 'Application',
      col_type: 'Organization',
      relation_type: 'organizationToApplication',
      measure: 'usageType',
      'attributes.businessCriticality': 'missionCritical',
    }),
    at('matrix-capabilities', 'matrix', {
      row_type: 'BusinessCapability',
      col_type: 'BusinessProcess',
      relation_type: 'businessProcessToBusinessCapability',
      row_level: 1,
    }),
    at('matrix-costs', 'matrix', {
      row_type: 'Application',
      col_type: 'ITComponent',
      relation_type: 'applicationToITComponent',
      measure: 'costTotalAnnual',
      'attributes.businessCriticality': 'missionCritical',
      theme: 'dark',
      lang: 'de',
    }),
    at('landscape', 'landscape', {
      type: 'Application',
      parent_type: 'BusinessCapability',
      color_by: 'timeModel',
    }),
    at('landscape-technology', 'landscape', {
      type: 'ITComponent',
      parent_type: 'TechCategory',
      color_by: 'lifecycle_phase',
      theme: 'dark',
    }),
    at('dependencies', 'dependencies', { depth: 2 }, 'demo-ticket-core'),
    at('dependencies-both', 'dependencies', { depth: 1, direction: 'both', lang: 'de' }, 'demo-ticket-core'),
    at('dependencies-type', 'dependencies', { type: 'BusinessProcess', depth: 1 }),
    at('lifecycle', 'lifecycle', { type: 'Application', group_by: 'businessCriticality' }),
    at('lifecycle-initiatives', 'lifecycle', { type: 'Initiative', theme: 'dark' }),
    at('end-of-life', 'end-of-life', { horizon_days: 1_095 }),
    at('risks', 'risks.heat-map'),
    at('decisions', 'adr.decisions'),
    at('processes', 'bpm.dashboard'),
    at('process-map', 'bpm.process-map', { lang: 'de' }),
    at('process-map-scores', 'bpm.process-map', { color_by: 'overall', theme: 'dark' }),
    at('process-capabilities', 'bpm.capability-process-matrix'),
    at('process-applications', 'bpm.process-application-matrix', { lang: 'fr' }),
    at('process-dependencies', 'bpm.dependencies'),
    at('process-elements', 'bpm.element-application-map', { lang: 'es' }),
    at('process-assessments', 'bpm.heatmap', { lang: 'de', theme: 'dark' }),
    at('initiatives', 'ppm.dashboard'),
    at('initiatives-time', 'ppm.gantt', { lang: 'de' }),
    at('initiatives-costs', 'ppm.budget-vs-actual', { lang: 'it' }),
    at('initiatives-load', 'ppm.resource-load', { theme: 'dark' }),
  ],
  technology: [
    at('dashboard', 'dashboard'),
    at('portfolio', 'portfolio', { type: 'Application', x: 'businessCriticality', y: 'hostingType' }),
    at('portfolio-components', 'portfolio', {
      type: 'ITComponent',
      x: 'lifecycle_phase',
      y: 'resourceClassification',
      theme: 'dark',
    }),
    at('cost', 'cost', { field: 'costTotalAnnual' }),
    at('data-quality', 'data-quality', { type: 'Application' }),
    at('stakeholders', 'stakeholders'),
    at('matrix', 'matrix', {
      row_type: 'Application',
      col_type: 'Organization',
      relation_type: 'organizationToApplication',
      col_level: 1,
      'attributes.businessCriticality': 'missionCritical',
    }),
    at('landscape', 'landscape', {
      type: 'ITComponent',
      parent_type: 'TechCategory',
      color_by: 'resourceClassification',
      'attributes.resourceClassification': 'standard,phaseIn',
    }),
    at('dependencies', 'dependencies', { type: 'Application', relation_type: 'related', depth: 1 }),
    at('lifecycle', 'lifecycle', { type: 'ITComponent', 'attributes.resourceClassification': 'standard' }),
    at('lifecycle-applications', 'lifecycle', {
      type: 'Application',
      group_by: 'hostingType',
      'attributes.businessCriticality': 'missionCritical',
    }),
    at('end-of-life', 'end-of-life', { type: 'ITComponent', horizon_days: 730 }),
  ],
  capabilities: [
    at('dashboard', 'dashboard'),
    at('portfolio', 'portfolio', { type: 'BusinessCapability', x: 'data_quality', y: 'approval_status' }),
    at('data-quality', 'data-quality', { type: 'BusinessCapability' }),
    at('matrix', 'matrix', {
      row_type: 'BusinessContext',
      col_type: 'BusinessCapability',
      relation_type: 'businessContextToBusinessCapability',
      col_level: 1,
    }),
    at('landscape', 'landscape', { type: 'BusinessContext', parent_type: 'BusinessCapability', level: 1 }),
    at('dependencies', 'dependencies', { type: 'BusinessContext', depth: 2, lang: 'de' }),
    at('lifecycle', 'lifecycle', { type: 'BusinessCapability' }),
    at('end-of-life', 'end-of-life'),
  ],
};

/** The path of a request, with the id of the card that it is about. */
export async function pathOf({ report, query, around }: GalleryRequest, { api }: Session): Promise<string> {
  const all = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) all.set(name, String(value));
  if (around !== undefined) {
    const { body } = await api.get('/cards', { query: { external_id: around } });
    all.set('card_id', body.items[0]!.id);
  }
  return `/api/v1/reports/${report}?${all.toString()}`;
}
