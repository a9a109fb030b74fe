import type { PageResult, RequestContext, ResourceService, Static } from '@lintel/sdk';
import type { Trend } from '../assessments/resource.js';
import { trend } from '../assessments/trend.js';
import type { ElementService } from '../elements/service.js';
import type { Host } from '../basics.js';
import type { VersionService } from '../versions/service.js';
import { requireProcess } from './access.js';
import { findProcess, listProcesses, readImplied } from './repository.js';
import type { ProcessItem, ProcessQuery, ProcessView } from './schemas.js';

/** Bounds of the lists in the answer for one process. */
const MOST = { children: 200, versions: 20, elements: 200, assessments: 20, relations: 500 };
type Whole = Static<typeof ProcessView>;

/** Processes with their flows, elements and assessments. */
export class ProcessService {
  constructor(
    private readonly host: Host,
    private readonly versions: VersionService,
    private readonly elements: ElementService,
    private readonly assessments: ResourceService,
  ) {}

  async list(ctx: RequestContext, query: ProcessQuery): Promise<PageResult<ProcessItem>> {
    return await this.host.inventory.read(ctx, {}, (inventory) => listProcesses(inventory, query));
  }

  /** Everything about one process, with bounded lists. @throws not_found */
  async get(ctx: RequestContext, cardId: string): Promise<Whole> {
    const { id } = await requireProcess(this.host, ctx, cardId);
    const [item, children, relations] = await this.host.inventory.read(
      ctx,
      {},
      async (inventory) =>
        [
          await findProcess(inventory, id),
          await listProcesses(inventory, { parent_id: id, page_size: MOST.children }),
          await readImplied(inventory, id, MOST.relations),
        ] as const,
    );
    if (!item) throw this.host.problem('not_found');
    const versions = await this.versions.list(ctx, id, { page_size: MOST.versions });
    const elements = await this.elements.list(ctx, id, { page_size: MOST.elements });
    const assessments = await this.assessments.list(ctx, { page_size: MOST.assessments }, { card_id: id });
    const course: Trend = await trend(this.host, ctx, id);
    return {
      ...item,
      children: children.items,
      versions: versions.items,
      version_count: versions.total ?? 0,
      elements: elements.items,
      element_count: elements.total ?? 0,
      assessments: assessments.items,
      assessment_count: assessments.total ?? 0,
      trend: course,
      relations,
    };
  }
}
