import type { LinkedCard, ModuleServices, Problem, RequestContext } from '@lintel/sdk';
import { STATUSES } from '../moves.js';
import { referenceOf, today, type Register } from '../register/resource.js';
import { CATEGORIES, IMPACTS, LEVELS, PROBABILITIES } from '../scales.js';
import type { Settings } from '../settings.js';
import { lastDayOf, listOf, monthsUntil } from './href.js';
import { matrixSvg } from './matrix-svg.js';
import { readFigures, readMatrix } from './repository.js';
import type {
  MatrixQuery,
  MatrixView,
  MetricsQuery,
  MetricsView,
  PropagationQuery,
  PropagationView,
} from './schemas.js';

const OWNERS = 100;
const NAMED = 8;
const OPEN = STATUSES.filter((status) => status !== 'closed').join(',');

/** Reports on the register. Each number has a list of the counted risks. */
export class ReportService {
  constructor(
    private readonly host: ModuleServices<Settings>,
    private readonly risks: Register,
  ) {}

  async metrics(ctx: RequestContext, { months = 12, ...filters }: MetricsQuery): Promise<MetricsView> {
    const bindings = this.host.db.bindings();
    const figures = await readFigures(
      this.host.db,
      await this.risks.conditions(ctx, filters, bindings),
      bindings,
      OWNERS,
    );
    const owned = figures.by_owner.flatMap(({ owner_id }) => owner_id ?? []);
    const users = owned.length > 0 ? await this.host.users.find(owned) : new Map<string, never>();
    const { levels } = this.host.settings();
    const counted = (count: number | undefined, more: Record<string, string | boolean>) => ({
      count: count ?? 0,
      href: listOf(filters, more),
    });
    // Only the categories in the filter are returned.
    const categories = filters.category?.split(',') ?? CATEGORIES;
    return {
      total: counted(figures.total, {}),
      open: counted(figures.total - (figures.by_status['closed'] ?? 0), { status: OPEN }),
      overdue: counted(figures.overdue, { overdue: true }),
      by_status: STATUSES.map((key) => ({ key, ...counted(figures.by_status[key], { status: key }) })),
      by_level: [...LEVELS, null].map((key) => ({
        key,
        label: key && levels[key].label,
        ...counted(figures.by_level[key ?? 'none'], { level: key ?? 'none' }),
      })),
      by_category: CATEGORIES.filter((key) => categories.includes(key)).map((key) => ({
        key,
        ...counted(figures.by_category[key], { category: key }),
      })),
      by_owner: figures.by_owner.map(({ owner_id, count }) => {
        const owner = owner_id === null ? undefined : users.get(owner_id);
        return {
          owner: owner ? { id: owner.id, display_name: owner.display_name } : null,
          ...counted(count, { owner: owner_id ?? 'none' }),
        };
      }),
      owners: figures.owners,
      trend: monthsUntil(today(), months).map((month) => ({
        month,
        opened: counted(figures.opened[month], { created_from: `${month}-01`, created_to: lastDayOf(month) }),
        closed: counted(figures.closed[month], { closed_from: `${month}-01`, closed_to: lastDayOf(month) }),
      })),
    };
  }

  async matrix(
    ctx: RequestContext,
    { kind = 'residual', format: _format, lang: _lang, status = OPEN, ...rest }: MatrixQuery,
  ): Promise<MatrixView> {
    const filters = { status, ...rest };
    const bindings = this.host.db.bindings();
    const where = await this.risks.conditions(ctx, filters, bindings);
    const { matrix, cells } = await readMatrix(this.host.db, where, bindings, kind, NAMED);
    const by = new Map(cells.map((cell) => [`${cell.probability} ${cell.impact}`, cell]));
    const { probabilities, impacts, levels } = this.host.settings();
    const rows = PROBABILITIES.map((probability) => ({
      probability,
      cells: IMPACTS.map((impact) => {
        const { count = 0, risks = [] } = by.get(`${probability} ${impact}`) ?? {};
        return {
          impact,
          level: matrix[probability][impact],
          count,
          href: listOf(filters, { [`${kind}_probability`]: probability, [`${kind}_impact`]: impact }),
          risks: risks.map(({ number, ...risk }) => ({ ...risk, reference: referenceOf(number) })),
        };
      }),
    }));
    const all = rows.flatMap((row) => row.cells);
    const sum = (of: readonly { count: number }[]): number => of.reduce((total, { count }) => total + count, 0);
    return {
      kind,
      total: { count: sum(cells), href: listOf(filters) },
      not_judged: { count: sum(cells) - sum(all), href: listOf(filters, { [`${kind}_level`]: 'none' }) },
      probabilities: PROBABILITIES.map((key) => ({ key, ...probabilities[key] })),
      impacts: IMPACTS.map((key) => ({ key, ...impacts[key] })),
      levels: LEVELS.map((key) => ({ key, ...levels[key], count: sum(all.filter(({ level }) => level === key)) })),
      rows,
    };
  }

  /** The problem of a report that is requested for an instant of the past. */
  noPast(): Problem {
    return this.host.problem('validation_failed', {
      errors: [{ field: 'as_of', reason: 'states of the past cannot be read', in: 'query' }],
    });
  }

  /** The matrix as an image. */
  async matrixPicture(ctx: RequestContext, query: MatrixQuery): Promise<string> {
    const lang = query.lang ?? this.host.workspace().locales[0] ?? 'en';
    return matrixSvg(await this.matrix(ctx, query), lang);
  }

  /**
   * The cards reachable from the cards of a risk by relations, each with its shortest path.
   * @throws not_found, forbidden without relations.view
   */
  async propagation(ctx: RequestContext, id: string, query: PropagationQuery): Promise<PropagationView> {
    const risk = await this.risks.get(ctx, id);
    const origins = (risk.cards as LinkedCard<(typeof risk.cards)[number]>[])
      .filter(({ role }) => role !== 'control_owner')
      .map(({ card, role }) => ({ ...card, role }));
    const { nodes, edges, truncated } = await this.host.cards.impact(
      ctx,
      origins.map((card) => card.id),
      query,
    );
    const ends = new Map(edges.map((edge) => [edge.id, edge]));
    const cards = nodes.map((node) => {
      // Backwards from the reached card: the far end of each relation is the near end of the next.
      const way = [node.id];
      for (const relation of [...node.path].reverse()) {
        const { source_id, target_id } = ends.get(relation) ?? { source_id: way[0]!, target_id: way[0]! };
        way.unshift(source_id === way[0] ? target_id : source_id);
      }
      return { ...node, origin_id: way[0]!, via: way.slice(1, -1) };
    });
    return { risk_id: risk.id, origins, cards, relations: edges, truncated };
  }
}
