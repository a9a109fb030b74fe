import { defineReport, Nullable, Strict, Type, Uuid, type Picture, type ReportRequest, type Static } from '@lintel/sdk';
import { cardsHref, within } from '../links.js';
import { Parameters, typesOf } from '../parameters.js';
import { VIEW } from '../permissions.js';
import type { ReportsServices } from '../services.js';
import { countWords, filterWords, line, textsOf } from '../words/index.js';
import { FIGURE, Figure, TYPE, typeView } from './shapes.js';
import { readRoles, readUsers } from './stakeholders-repository.js';

const USERS = 200;
const SHOWN = 25;

const parameters = Strict({});

const answer = Type.Object({
  total: Type.Integer({ description: 'Cards of the types whose stakeholders the caller may see.' }),
  href: Nullable(Type.String()),
  without: Figure({ description: 'Cards without any stakeholder.' }),
  by_type: Type.Array(Type.Object({ ...TYPE, ...FIGURE, without: Figure() })),
  by_role: Type.Array(
    Type.Object({ ...TYPE, role: Type.String(), role_label: Type.String(), ...FIGURE, vacant: Figure() }),
    { description: 'For each role of each type: cards on which it is held, and on which it is not (`vacant`).' },
  ),
  by_user: Type.Array(
    Type.Object({
      user: Type.Object({ id: Uuid(), display_name: Type.String() }),
      ...FIGURE,
      roles: Type.Array(Type.Object({ role: Type.String(), ...FIGURE })),
    }),
    { description: 'Users with roles on most cards, 200 at most.' },
  ),
  truncated: Type.Boolean(),
});
type Answer = Static<typeof answer>;

async function run(
  { host }: ReportsServices,
  { ctx, filters, lang, asOf }: ReportRequest<Static<typeof parameters>>,
): Promise<Answer> {
  return await host.inventory.read(ctx, { lang, asOf }, async (inventory) => {
    const check = new Parameters(host, inventory);
    for (const type of typesOf(filters) ?? []) check.type('type', type);
    check.check();
    const { roles, types } = await readRoles(inventory, filters);
    const users = await readUsers(inventory, filters, USERS + 1);
    const names = await host.users.find(users.map(({ user_id }) => user_id));
    const href = (more: Record<string, string>): string | null => {
      const all = within(filters, more);
      return all ? cardsHref(all) : null;
    };
    const counts = new Map(types.map((row) => [row.type, row]));
    const held = new Map(roles.map((row) => [`${row.type} ${row.role}`, row.held]));
    const present = [...inventory.types.values()].filter(({ key }) => counts.has(key));
    const sum = (of: 'count' | 'without'): number => types.reduce((all, row) => all + row[of], 0);
    return {
      total: sum('count'),
      href:
        filters['type'] === undefined && inventory.stakeholderTypes.length < inventory.types.size
          ? cardsHref(filters, { type: inventory.stakeholderTypes.join(',') })
          : href({}),
      without: { count: sum('without'), href: href({ 'stakeholder_role[empty]': 'any' }) },
      by_type: present.map((type) => {
        const { count, without } = counts.get(type.key)!;
        return {
          ...typeView(type),
          count,
          href: href({ type: type.key }),
          without: { count: without, href: href({ type: type.key, 'stakeholder_role[empty]': 'any' }) },
        };
      }),
      by_role: present.flatMap((type) =>
        type.roles.map(({ key, label }) => {
          const count = held.get(`${type.key} ${key}`) ?? 0;
          return {
            ...typeView(type),
            role: key,
            role_label: label,
            count,
            href: href({ type: type.key, stakeholder_role: key }),
            vacant: {
              count: counts.get(type.key)!.count - count,
              href: href({ type: type.key, 'stakeholder_role[empty]': key }),
            },
          };
        }),
      ),
      by_user: users.slice(0, USERS).flatMap(({ user_id, count, roles: of }) => {
        const user = names.get(user_id);
        return user
          ? {
              user: { id: user.id, display_name: user.display_name },
              count,
              href: href({ stakeholder_id: user_id }),
              roles: of.map(({ role, count: n }) => ({
                role,
                count: n,
                href: href({ stakeholder_id: user_id, stakeholder_role: role }),
              })),
            }
          : [];
      }),
      truncated: users.length > USERS,
    };
  });
}

function picture(
  { total, without, by_role, by_user }: Answer,
  request: ReportRequest<Static<typeof parameters>>,
): Picture {
  const { lang } = request;
  const { column, stakeholders: own, unit } = textsOf(lang);
  const number = new Intl.NumberFormat(lang);
  const shown = by_user.slice(0, SHOWN);
  const roles = [...new Set(shown.flatMap((user) => user.roles.map(({ role }) => role)))].sort();
  const labels = new Map(by_role.map(({ role, role_label }) => [role, role_label]));
  return {
    title: own.title,
    subtitle: line(own.without(countWords(total, 'card', lang), number.format(without.count)), filterWords(request)),
    description: by_role
      .slice(0, 40)
      .map(
        ({ label, role_label, count, vacant }) =>
          `${label}, ${role_label}: ${own.filled(number.format(count), number.format(vacant.count))}`,
      )
      .join('; '),
    notes: by_user.length > SHOWN ? [own.moreUsers(number.format(by_user.length - SHOWN))] : [],
    content: {
      kind: 'panels',
      panels: [
        {
          title: own.roles,
          isWide: true,
          picture: {
            kind: 'bars',
            categories: by_role.map(({ label, role_label, icon, href }) => ({
              label: `${label}: ${role_label}`,
              icon,
              href: href ?? undefined,
            })),
            series: [
              {
                label: column.held,
                color: '#0072b2',
                values: by_role.map(({ count }) => count),
                hrefs: by_role.map(({ href }) => href ?? undefined),
              },
              {
                label: column.vacant,
                color: '#d9d9d9',
                values: by_role.map(({ vacant }) => vacant.count),
                hrefs: by_role.map(({ vacant }) => vacant.href ?? undefined),
              },
            ],
            unit: unit.cards,
          },
        },
        ...(shown.length === 0
          ? []
          : [
              {
                title: own.users,
                isWide: true,
                picture: {
                  kind: 'bars' as const,
                  categories: shown.map(({ user, href }) => ({ label: user.display_name, href: href ?? undefined })),
                  series: roles.map((role) => ({
                    label: labels.get(role) ?? role,
                    values: shown.map((user) => user.roles.find((one) => one.role === role)?.count ?? null),
                  })),
                  unit: unit.roles,
                },
              },
            ]),
      ],
    },
  };
}

/** Who has roles on cards, and which roles are vacant. */
export const stakeholders = defineReport<ReportsServices, typeof parameters, typeof answer>({
  id: 'stakeholders',
  title: 'Stakeholders',
  description:
    'Who has which role on how many cards, and what has no owner. Needs the permission to see stakeholders as well.',
  permission: VIEW,
  parameters,
  cardFilters: true,
  answer,
  run,
  tables: ({ by_role, by_user, by_type }, { lang }) => {
    const { column } = textsOf(lang);
    return [
      {
        name: column.roles,
        columns: [
          { title: column.type, kind: 'text' },
          { title: column.role, kind: 'text' },
          { title: column.held, kind: 'number' },
          { title: column.vacant, kind: 'number' },
        ],
        rows: by_role.map(({ label, role_label, count, vacant }) => [label, role_label, count, vacant.count]),
      },
      {
        name: column.users,
        columns: [
          { title: column.user, kind: 'text' },
          { title: column.role, kind: 'text' },
          { title: column.cards, kind: 'number' },
        ],
        rows: by_user.flatMap(({ user, roles }) => roles.map(({ role, count }) => [user.display_name, role, count])),
      },
      {
        name: column.types,
        columns: [
          { title: column.type, kind: 'text' },
          { title: column.cards, kind: 'number' },
          { title: column.withoutStakeholders, kind: 'number' },
        ],
        rows: by_type.map(({ label, count, without }) => [label, count, without.count]),
      },
    ];
  },
  picture,
});
