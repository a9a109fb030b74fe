/** Pictures like those of reports: realistic ones of each kind, and the least and greatest contents. */
import type { Picture, PictureBox, SinglePicture } from '@lintel/sdk';

const TYPES =
  'Application,Business Capability,Business Process,Data Object,Interface,IT Component,Initiative,Objective,Organization,Platform,Provider,System,Tech Category';
/** By type, with two names that are none: one unknown, one hostile. */
export const ICONS = [
  'apps',
  'account_tree',
  'schema',
  'database',
  'sync_alt',
  'memory',
  'rocket_launch',
  'flag',
  'corporate_fare',
  'no_such_icon_at_all',
  'storefront',
  '"/><script>alert(1)</script>',
  'category',
];
const COUNTS = [412, 187, 96, 143, 268, 301, 58, 24, 47, 12, 83, 35, 66];
const COLORS = [
  '#0f7eb5',
  '#003399',
  '#028f00',
  '#774fcc',
  '#02afa4',
  '#d29270',
  '#33cc58',
  '#c7527d',
  '#2889ff',
  '#027446',
  '#ffa31f',
  '#5b738b',
  '#a6566d',
];
const APPS =
  'SAP S/4HANA,Salesforce Sales Cloud,Workday,ServiceNow,Confluence,Jira,Power BI,Snowflake,Oracle Hyperion,Coupa,Ariba,SuccessFactors,Adobe Experience Manager,Genesys Cloud,DocuSign,Microsoft 365,GitLab,Azure DevOps,Informatica PowerCenter,MuleSoft Anypoint,Tableau,Avaloq Core Banking,Murex MX.3,Temenos Transact,Guidewire ClaimCenter,OpenText Content Suite,Veeva Vault,Blue Yonder WMS,Manhattan Active,Kinaxis Maestro,Ping Identity,Okta,CyberArk,Splunk,Datadog,Dynatrace,Kafka Platform,API Gateway,Legacy Order System,Customer Data Hub'.split(
    ',',
  );
const DOMAINS =
  'Customer Management,Product Development,Sales & Marketing,Supply Chain,Finance & Controlling,Human Resources,Risk & Compliance,Information Technology'.split(
    ',',
  );
const PARTS =
  'Strategy & Planning,Master Data Management,Order Processing,Reporting & Analytics,Partner Collaboration'.split(',');

export const items = (count: number): string[] =>
  Array.from(
    { length: count },
    (_, i) => `${APPS[i % APPS.length]!}${i < APPS.length ? '' : ` ${Math.floor(i / APPS.length) + 1}`}`,
  );
/** A number that looks random and is the same in each run. */
const noise = (n: number): number => (((Math.sin(n * 12.9898) * 43_758.5453) % 1) + 1) % 1;
const day = (n: number): string => new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10);
const card = (n: number): string => `/api/v1/cards/00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;

const PHASES: [string, string][] = [
  ['Plan', '#9e9e9e'],
  ['Phase in', '#33cc58'],
  ['Active', '#0072b2'],
  ['Phase out', '#ffa31f'],
  ['End of life', '#d3302f'],
];

const capability = (n: number): PictureBox => ({
  label: DOMAINS[n % DOMAINS.length]!,
  icon: n % 3 === 0 ? 'account_tree' : undefined,
  href: card(n),
  note: `${12 + n} applications`,
  shape: 'container',
  children: PARTS.map((label, i) => ({
    label,
    shape: 'container' as const,
    href: card(n * 10 + i),
    children: items(1 + Math.floor(noise(n * 7 + i) * 4)).map((_, k) => ({
      label: APPS[(n * 11 + i * 5 + k * 3) % APPS.length]!,
      shape: 'leaf' as const,
      href: card(k),
      color: ['#c8e6c9', '#fff3c4', '#ffcdd2', '#009e73', '#d55e00'][(n + i + k) % 5]!,
    })),
  })),
});

export const bars = (labels: readonly string[]): SinglePicture => ({
  kind: 'bars',
  unit: 'cards',
  categories: labels.map((label, i) => ({ label, href: card(i), icon: ICONS[i % ICONS.length] })),
  series: [
    {
      label: 'Cards',
      values: labels.map((_, i) => COUNTS[i % COUNTS.length]!),
      colors: labels.map((_, i) => COLORS[i % COLORS.length]!),
      hrefs: labels.map((_, i) => card(i)),
    },
  ],
});

export const stack = (labels: readonly string[], series: readonly string[]): SinglePicture => ({
  kind: 'bars',
  unit: 'EUR per year',
  categories: labels.map((label) => ({ label })),
  series: series.map((label, s) => ({
    label,
    icon: ICONS[s % ICONS.length],
    values: labels.map((_, i) => (i === 3 && s === 1 ? null : Math.round(noise(s * 31 + i) * 2_400_000))),
  })),
});

export const lines = (days: number, names: readonly string[]): SinglePicture => ({
  kind: 'lines',
  unit: 'cards',
  dates: Array.from({ length: days }, (_, i) => day(i)),
  series: names.map((label, s) => ({
    label,
    values: Array.from({ length: days }, (_, i) =>
      s === 1 && i > 20 && i < 26 ? null : Math.round(120 + s * 90 + i * (1.8 - s * 0.7) + noise(s * 100 + i) * 14),
    ),
  })),
});

export const grid = (rows: readonly string[], columns: readonly string[]): SinglePicture => ({
  kind: 'grid',
  rowTitle: 'Business capability',
  columnTitle: 'Organization',
  unit: 'applications',
  rows: rows.map((label, i) => ({ label, level: i % 4 === 0 ? 0 : 1 + (i % 2), total: 10 + i, href: card(i) })),
  columns: columns.map((label, i) => ({ label, level: 0, total: 20 + i })),
  cells: rows.flatMap((_, row) =>
    columns.flatMap((_, column) => {
      const value = Math.floor(noise(row * 13 + column) * 16) - 4;
      return value > 0 ? [{ row, column, texts: [String(value)], value, href: card(value) }] : [];
    }),
  ),
});

/** A risk matrix: few cells with several texts and given colours. */
export const matrix = (): SinglePicture => ({
  kind: 'grid',
  rowTitle: 'Probability',
  columnTitle: 'Impact',
  rows: ['Very high', 'High', 'Medium', 'Low'].map((label) => ({ label })),
  columns: ['Low', 'Medium', 'High', 'Critical'].map((label) => ({ label })),
  cells: Array.from({ length: 16 }, (_, i) => {
    const [row, column] = [Math.floor(i / 4), i % 4];
    const count = Math.floor(noise(i) * 9);
    const names = Array.from({ length: Math.min(3, Math.ceil(count / 2)) }, (_, n) => `R-0000${n}1  R-0000${n}2`);
    return {
      row,
      column,
      texts: count > 0 ? [String(count), ...names] : [],
      color: ['#388e3c', '#fbc02d', '#f57c00', '#d32f2f'][Math.max(0, Math.min(3, column + 2 - row))]!,
    };
  }),
  legend: [
    { label: 'Low', color: '#388e3c' },
    { label: 'Medium', color: '#fbc02d' },
    { label: 'High', color: '#f57c00' },
    { label: 'Critical', color: '#d32f2f' },
  ],
});

export const timeline = (count: number, groups: readonly string[]): SinglePicture => ({
  kind: 'timeline',
  from: '2024-01-01',
  to: '2029-12-31',
  marker: '2026-11-23',
  legend: PHASES.map(([label, color]) => ({ label, color })),
  groups: groups.map((label, g) => ({
    label,
    items: items(count)
      .filter((_, i) => i % groups.length === g)
      .map((name, i) => {
        let at = Math.floor(noise(i * 5 + g) * 500) - 200;
        return {
          label: name,
          href: card(i),
          spans: PHASES.map(([phase, color], p) => {
            const from = at;
            at += p === 2 ? 500 + Math.floor(noise(i + g * 3 + p) * 700) : 60 + Math.floor(noise(i * 3 + p) * 240);
            return { from: day(from - 365 * 2), to: day(at - 1 - 365 * 2), label: phase, color };
          }),
        };
      }),
  })),
});

/** One bar with points, a number of days apart. */
export const points = (count: number, days: number): SinglePicture => ({
  kind: 'timeline',
  from: '2026-01-01',
  to: '2027-12-31',
  legend: [],
  groups: [
    {
      label: '',
      items: [
        {
          label: 'Plan',
          spans: [
            { from: '2026-01-01', to: '2027-12-31', label: 'On track', color: '#009e73' },
            ...Array.from({ length: count }, (_, i) => {
              const date = day(31 + i * days);
              return { from: date, to: date, label: `Stage ${i + 1}`, color: '#332288', isPoint: true };
            }),
          ],
        },
      ],
    },
  ],
});

export const capabilities = (count: number): SinglePicture => ({
  kind: 'nested',
  boxes: Array.from({ length: count }, (_, n) => capability(n)),
  legend: [
    { label: 'Appropriate', color: '#009e73' },
    { label: 'Inappropriate', color: '#d55e00' },
  ],
});

export const treemap = (groups: number, each: number): SinglePicture => ({
  kind: 'treemap',
  unit: 'EUR per year',
  nodes: Array.from({ length: groups }, (_, g) => {
    const icon = ICONS[g % ICONS.length];
    const children = Array.from({ length: each }, (_, i) => {
      const value = Math.round(20_000 + noise(g * 17 + i) ** 3 * 1_800_000);
      return {
        label: APPS[(g * 5 + i) % APPS.length]!,
        value,
        text: `${Math.round(value / 1_000)}k EUR`,
        href: card(i),
        icon: ICONS[i % ICONS.length],
      };
    });
    const value = children.reduce((sum, one) => sum + one.value, 0);
    return { label: DOMAINS[g % DOMAINS.length]!, value, text: `${(value / 1e6).toFixed(1)}m EUR`, icon, children };
  }),
});

export const graph = (count: number, edges: number, label?: string): SinglePicture => ({
  kind: 'graph',
  nodes: items(count).map((name, i) => ({
    id: `id ${i}`,
    label: name,
    note: ['Application', 'Interface', 'IT Component', 'Data Object'][i % 4],
    color: ['#0f7eb5', '#02afa4', '#d29270', '#774fcc'][i % 4]!,
    icon: ['apps', 'sync_alt', 'memory', undefined][i % 4],
    isCentre: i === 0,
    href: card(i),
  })),
  edges: Array.from({ length: edges }, (_, i) => {
    const to = (i % Math.max(count - 1, 1)) + 1;
    return { from: `id ${Math.floor(noise(i) * Math.min(to, 24))}`, to: `id ${to}`, label };
  }),
  legend: [
    { label: 'Application', color: '#0f7eb5', icon: 'apps' },
    { label: 'Interface', color: '#02afa4', icon: 'sync_alt' },
    { label: 'IT Component', color: '#d29270', icon: 'memory' },
    { label: 'Data Object', color: '#774fcc' },
  ],
});

export const figures = (count: number): SinglePicture => ({
  kind: 'figures',
  figures: Array.from({ length: count }, (_, i) => ({
    label: ['Cards', 'Relations', 'Complete', 'Running cost', 'Broken seals'][i % 5]!,
    value: ['1,732', '4,918', '78 %', '24.6 m EUR', '3'][i % 5]!,
    note: ['412 applications', undefined, 'weighted by type', 'per year, 83 % of applications', 'since last month'][
      i % 5
    ],
    href: card(i),
  })),
});

export const panels = (): Picture['content'] => ({
  kind: 'panels',
  panels: [
    { title: 'At a glance', picture: figures(4), isWide: true },
    { title: 'Cards by type', picture: bars(typeNames.slice(0, 6)), note: 'Archived cards are not counted.' },
    { title: 'Trend', picture: lines(30, ['Applications', 'Interfaces']) },
    { title: 'Cost by domain', picture: treemap(4, 4) },
    { title: 'Risks', picture: matrix() },
  ],
});

export const typeNames = TYPES.split(',');
export const domainNames = DOMAINS;

/** A content with texts around it. */
export const picture = (
  content: Picture['content'],
  title = 'Application landscape',
  more: Partial<Picture> = {},
): Picture => ({
  title,
  subtitle: '412 applications, status active, organization Europe',
  description: 'What the picture shows, in words.',
  notes: ['Figures of 23 November 2026. Costs without 17 applications that have none.'],
  content,
  ...more,
});
