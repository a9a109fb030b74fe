import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OwnedReport, ReportFormat, ReportQuery, ReportRequest, SentFile } from '@lintel/sdk';
import type { ReportsHost } from './host.js';
import { typesOf } from './parameters.js';
import { VIEW } from './permissions.js';
import type { ReportsServices } from './services.js';
import { describedFilters, textsOf } from './words/index.js';

export const MEDIA: Readonly<Record<ReportFormat, string>> = {
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  svg: 'image/svg+xml; charset=utf-8',
  png: 'image/png',
};

/** Opened as a document, a picture cannot load or run anything. */
const PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox allow-popups";

/** The id of a report in paths and in the catalogue. */
export const reportId = ({ module, report }: Pick<OwnedReport, 'module' | 'report'>): string =>
  module === 'reports' ? report.id : `${module}.${report.id}`;

/** Whether the caller may see a report. */
export const mayRun = (request: Pick<FastifyRequest, 'ctx'>, { report }: Pick<OwnedReport, 'report'>): boolean =>
  request.ctx.permissions.has(VIEW) && request.ctx.permissions.has(report.permission);

/** Runs reports and sends them in the requested format. */
export class ReportServer {
  private readonly host: ReportsHost;

  constructor(private readonly services: ReportsServices) {
    this.host = services.host;
  }

  /**
   * @throws forbidden, validation_failed
   * @returns the return value of the handler
   */
  async send(request: FastifyRequest, reply: FastifyReply, owned: OwnedReport, query: ReportQuery): Promise<SentFile> {
    const { report } = owned;
    if (!mayRun(request, owned))
      throw this.host.problem('forbidden', {
        detail: `The permission ${report.permission} is required.`,
        required_permission: report.permission,
      });
    const { format, parameters, filters, asOf } = query;
    const lang = query.lang ?? this.host.workspace().locales[0] ?? 'en';
    const computed = { ctx: request.ctx, parameters, filters, lang, asOf };
    const answer = await owned.run(computed);
    const text = JSON.stringify(answer);
    const name = `${reportId(owned)}-${new Date().toISOString().slice(0, 10)}.${format}`;
    const isShown = format === 'svg' || format === 'png';
    if (format !== 'json')
      reply.header('content-disposition', `${isShown ? 'inline' : 'attachment'}; filename="${name}"`);
    if (isShown) reply.header('content-security-policy', PICTURE_POLICY);
    const bytes = async (): Promise<Buffer> => {
      switch (format) {
        case 'json':
          return Buffer.from(text);
        case 'csv':
          return this.host.spreadsheets.csv(report.tables(answer, computed)[0]!);
        case 'xlsx':
          return await this.host.spreadsheets.xlsx(report.tables(answer, computed));
        default:
          return await this.services.pictures.draw(
            request.ctx,
            format,
            report.picture!(answer, await this.withTexts(computed)),
            {
              width: query.width,
              theme: query.theme,
              lang,
            },
          );
      }
    };
    // The tag depends on what was read and on how it is shown, not on when it was computed.
    const derived = createHash('sha256')
      .update(JSON.stringify([format, lang, ...(isShown ? [query.width, query.theme] : [])]))
      .update(text)
      .digest('base64url');
    return this.host.http.sendBytes(request, reply, { version: 1, derived, type: MEDIA[format], bytes });
  }

  /** The request of a picture, with its filters in words. */
  private async withTexts(request: ReportRequest): Promise<ReportRequest> {
    const { ctx, parameters, filters, lang } = request;
    if (Object.keys(filters).length === 0) return request;
    const type = filters['type'] ?? parameters['type'];
    const types = typeof type === 'string' ? typesOf({ type }) : undefined;
    const texts = textsOf(lang);
    const filterTexts = await this.host.inventory.read(ctx, { lang }, async (inventory) =>
      describedFilters(inventory, filters, types, texts),
    );
    return { ...request, filterTexts };
  }
}
