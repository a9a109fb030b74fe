import type { RequestContext } from '@lintel/sdk';
import type { Host } from '../basics.js';
import { requireConnection } from '../connections/calls.js';
import { prepareMappings, type Mappings } from '../mappings/resource.js';
import type { Template } from './definition.js';
import { netbox } from './netbox.js';
import type { FromTemplateBody } from './schemas.js';
import { servicenow } from './servicenow.js';

export const TEMPLATES: readonly Template[] = [netbox, servicenow];

/** Makes the mappings of a template. */
export class TemplateService {
  constructor(
    private readonly host: Host,
    private readonly mappings: Mappings,
  ) {}

  /**
   * Creates all mappings of a template for a connection, or none.
   * @returns their ids, in the order in which they are best run
   * @throws not_found; validation_failed if the metamodel has been changed so that the template does not fit, or the connection is of another connector; cmdbsync_name_taken
   */
  async create(ctx: RequestContext, connectionId: string, body: FromTemplateBody): Promise<string[]> {
    const connection = await requireConnection(this.host, connectionId);
    const template = TEMPLATES.find(({ key }) => key === body.template)!;
    if (connection.connector !== template.connector)
      throw this.host.invalid({ field: '/template', reason: `is for the connector ${template.connector}` });
    await prepareMappings(this.host, ctx);
    const { runs_as, owner_id, schedule, time_zone, auto_apply } = body;
    const inputs = template.mappings.map((mapping) => ({
      ...mapping,
      fields: [...mapping.fields],
      identity: [...mapping.identity],
      relations: [...mapping.relations],
      name: `${connection.name}: ${mapping.name}`.slice(0, 200),
      connection_id: connection.id,
      ...(runs_as !== undefined && { runs_as }),
      ...(owner_id !== undefined && { owner_id }),
      ...(schedule !== undefined && { schedule }),
      ...(time_zone !== undefined && { time_zone }),
      ...(auto_apply !== undefined && { auto_apply }),
    }));
    // Accounts and other references are looked up before the transaction.
    const writes: Awaited<ReturnType<Mappings['prepareCreate']>>[] = [];
    for (const input of inputs) writes.push(await this.mappings.prepareCreate(ctx, input));
    return await this.host.transactions.run(ctx, async (uow) => {
      const ids: string[] = [];
      for (const write of writes) ids.push(await write(uow));
      return ids;
    });
  }
}
