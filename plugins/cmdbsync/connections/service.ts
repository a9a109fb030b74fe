import type { ListParams, OwnedConnector, PageResult, RequestContext } from '@lintel/sdk';
import type { Host } from '../basics.js';
import { findMapping } from '../mappings/load-repository.js';
import type { FieldItem, TableItem, TestView } from './schemas.js';
import { ask, requireConnection } from './calls.js';
import { mappingsByTable, storeTest } from './repository.js';

/** Most tables or fields that are listed: other systems may send any number. */
const MOST_LISTED = 20_000;

/** What users ask about other systems. */
export class ConnectionService {
  constructor(private readonly host: Host) {}

  /** The connectors of enabled modules, by title. */
  connectors(): (OwnedConnector['connector'] & { module: string })[] {
    return this.host.connectors
      .all()
      .map(({ module, connector }) => ({ ...connector, module }))
      .sort((a, b) => (a.title < b.title ? -1 : 1));
  }

  /** Tests a connection and stores the result. @throws not_found */
  async test(ctx: RequestContext, id: string): Promise<TestView> {
    const connection = await requireConnection(this.host, id);
    const { ok, detail } = await this.tested(connection);
    const test = { tested_at: new Date().toISOString(), ok, detail };
    await this.host.transactions.run(ctx, async (uow) => {
      const name = await storeTest(uow, id, test);
      if (name === undefined) throw this.host.problem('not_found');
      uow.emit({
        type: 'cmdbsync_connection.tested',
        subject: { kind: 'cmdbsync_connection', id, name },
        data: { ok },
      });
    });
    return test;
  }

  private async tested(connection: Parameters<typeof ask>[1]): Promise<{ ok: boolean; detail: string }> {
    try {
      const { detail } = await ask(this.host, connection, (connector) => connector.test());
      return { ok: true, detail: detail.slice(0, 2_000) };
    } catch (error) {
      const problem = this.host.refusalOf(error);
      if (problem?.code !== 'cmdbsync_source_failed') throw error;
      return { ok: false, detail: problem.detail };
    }
  }

  /** The tables of a connection, with the mappings of each. @throws not_found, cmdbsync_source_failed */
  async tables(id: string, params: ListParams & { search?: string | undefined }): Promise<PageResult<TableItem>> {
    const connection = await requireConnection(this.host, id);
    const tables = await ask(this.host, connection, (connector) => connector.tables());
    const mapped = await mappingsByTable(this.host.db, id);
    const { search, ...page } = params;
    const items = tables
      .slice(0, MOST_LISTED)
      .filter((table) => this.isFound(search, table))
      .map(({ key, label, records }) => ({ key, label, records: records ?? null, mapped_by: mapped.get(key) ?? [] }));
    return this.host.http.pageOf(items, 'key', 'key', page, JSON.stringify(['tables', id, search ?? '']));
  }

  /**
   * The fields of a table.
   * @param mappingId the mapping whose targets are shown
   * @throws not_found, cmdbsync_source_failed; validation_failed for a mapping of another table
   */
  async fields(
    id: string,
    table: string,
    params: ListParams & { search?: string | undefined; mapping_id?: string | undefined },
  ): Promise<PageResult<FieldItem>> {
    const connection = await requireConnection(this.host, id);
    const { search, mapping_id, ...page } = params;
    const mapping = mapping_id === undefined ? undefined : await findMapping(this.host.db, mapping_id);
    if (mapping_id !== undefined && (mapping?.connection_id !== connection.id || mapping.table_name !== table))
      throw this.host.problem('validation_failed', {
        errors: [{ field: 'mapping_id', reason: 'names no mapping of this table', in: 'query' }],
      });
    const fields = await ask(this.host, connection, (connector) => connector.fields(table));
    const targets = new Map<string, string[]>();
    const add = (source: string, target: string) => targets.set(source, [...(targets.get(source) ?? []), target]);
    for (const map of mapping?.fields ?? []) add(map.source, map.target);
    for (const map of mapping?.relations ?? []) add(map.source, map.relation_type);
    const items = fields
      .slice(0, MOST_LISTED)
      .filter((field) => this.isFound(search, field))
      .map(({ key, label, type, table: references, isWritable }) => ({
        key,
        label,
        type,
        references: references ?? null,
        is_writable: isWritable,
        mapped_to: targets.get(key) ?? [],
      }));
    return this.host.http.pageOf(items, 'key', 'key', page, JSON.stringify(['fields', id, table, search, mapping_id]));
  }

  private isFound(search: string | undefined, { key, label }: { key: string; label: string }): boolean {
    const text = this.host.searchFold(`${key} ${label}`);
    return this.host
      .searchFold(search ?? '')
      .split(' ')
      .every((word) => text.includes(word));
  }
}
