import type { FastifyRequest } from 'fastify';
import { formatsOf, reportQuery, type ReportFormat } from '@lintel/sdk';
import type { ReportsHost } from './host.js';
import { mayRun, reportId } from './serve.js';

export interface CatalogueEntry {
  id: string;
  module: string;
  title: string;
  description: string;
  href: string;
  formats: ReportFormat[];
  parameters: Record<string, unknown>;
  permission: string;
}

/** The reports that the caller may see. */
export function entries(request: FastifyRequest, host: ReportsHost): CatalogueEntry[] {
  return host.reports
    .all()
    .filter((owned) => mayRun(request, owned))
    .map((owned) => {
      const { module, report } = owned;
      const id = reportId(owned);
      return {
        id,
        module,
        title: report.title,
        description: report.description,
        href: `/api/v1/reports/${id}`,
        formats: [...formatsOf(report)],
        parameters: JSON.parse(JSON.stringify(reportQuery(report, host.inventory.filters))) as Record<string, unknown>,
        permission: report.permission,
      };
    });
}
