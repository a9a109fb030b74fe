/** Documents that the tests of rendering use: a realistic one, and parts of others. */
import type { Cell, RenderedDocument, RenderedSection, RenderedTable } from '../rendering/model.js';

/** The hash of the samples. */
export const HASH = '3fa9c1d27be04f5f8a6d0b1e9c7742d13e5a90b8c6f2174d9e08ab55c3d1f0e7';

/** An image of 60 by 20 pixels. */
export const LOGO_SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="240" height="80" viewBox="0 0 240 80"><rect width="240" height="80" rx="10" fill="#1f3864"/><circle cx="40" cy="40" r="22" fill="#f4b183"/><text x="76" y="52" font-size="28" font-weight="bold" font-family="DejaVu Sans" fill="#fff">Nordwind</text></svg>';

export const document = (change: Partial<RenderedDocument> = {}): RenderedDocument => ({
  number: 'SOAW-0007',
  title: 'Migration of the sales platform to the cloud',
  revision: 2,
  status: 'signed',
  organisation: 'Nordwind Energy AG',
  date: '2026-11-23',
  contentHash: HASH,
  header: 'Enterprise Architecture Office',
  footer: 'Internal – for the addressees of this document only',
  logo: null,
  sections: [],
  signatures: [],
  withheld: false,
  lang: 'en',
  ...change,
});

export const section = (...blocks: RenderedSection['blocks']): RenderedSection => ({
  key: 'section',
  title: 'Section',
  blocks,
});
export const markdown = (text: string): RenderedSection['blocks'][number] => ({ kind: 'markdown', text });
export const tableOf = (table: Partial<RenderedTable>): RenderedSection['blocks'][number] => ({
  kind: 'table',
  table: { title: 'Table', columns: [{ title: 'Name' }], rows: [], ...table },
});

const money = (amount: number): Cell => ({ money: amount.toFixed(2), currency: 'EUR' });
const day = (date: string): Cell => ({ date });

/** A statement of architecture work for a migration, with six tables. @param amounts whether costs are shown */
export function migration(change: Partial<RenderedDocument> = {}, amounts = true): RenderedDocument {
  const cost = (amount: number): Cell => (amounts ? money(amount) : { withheld: true });
  return document({
    withheld: !amounts,
    logo: { type: 'image/svg+xml', bytes: new TextEncoder().encode(LOGO_SVG) },
    sections: [
      {
        key: 'request_and_background',
        title: 'Request and background',
        blocks: [
          markdown(
            'The sales platform runs in a data centre whose **lease ends on 30 June 2028**. Its operating system and database are no longer supported by their makers after the same year.\n\nThe board has asked the *Enterprise Architecture Office* to plan the move to a public cloud, together with the teams that own the applications. Earlier work:\n\n- the target picture of 2025, see [the decision](https://intranet.example.com/decisions/ADR-0042),\n- the inventory of applications of this repository,\n- the review of the data centre, with\n  1. the power supply,\n  2. the network and\n  3. the contracts.\n\n> The move must not interrupt the billing run at the end of a month.',
          ),
        ],
      },
      {
        key: 'description_and_scope',
        title: 'Project description and scope',
        blocks: [
          markdown(
            '## In scope\n\nAll applications of the business capability *Sales* and the interfaces between them.\n\n### Applications\n\nSee the table. Those marked as retired are replaced, not moved.\n\n## Out of scope\n\nThe billing system and its data warehouse: they follow in a project of their own.',
          ),
          tableOf({
            title: 'Applications that are moved',
            columns: [
              { title: 'Name' },
              { title: 'Type' },
              { title: 'Life cycle' },
              { title: 'Owner' },
              { title: 'Users', align: 'right' },
            ],
            rows: [
              ['Customer portal', 'Application', 'active', 'Digital Sales', 128_400],
              ['Offer configurator', 'Application', 'active', 'Product Management', 860],
              ['Partner exchange', 'Application', 'phase-out', 'Wholesale', 42],
              ['Tariff calculator (legacy, COBOL/CICS)', 'Application', 'end of life', 'Pricing', 17],
              ['Identity and access for customers', 'IT component', 'active', 'Information Security', null],
            ],
          }),
        ],
      },
      {
        key: 'overview',
        title: 'Architecture vision: overview',
        blocks: [
          markdown(
            'The target has **three layers**: channels, sales services and shared data. Services talk through `events`, not through shared tables.\n\n| Layer | Principle | Measure |\n|:--|:-:|--:|\n| Channels | one design system | 4 channels |\n| Sales services | one owner each | 11 services |\n| Shared data | one source of truth | 3 stores |\n\n```\nportal -> offer service -> event stream -> billing\n```\n\n---\n\nOpen questions are kept as decisions of this repository.',
          ),
          tableOf({
            title: 'Gaps between baseline and target',
            columns: [{ title: 'Card' }, { title: 'Gap' }, { title: 'End of life' }, { title: 'Successor' }],
            rows: [
              [
                'Tariff calculator (legacy, COBOL/CICS)',
                'End of life before the target date, no successor is named',
                day('2027-12-31'),
                null,
              ],
              ['Partner exchange', 'Phases out before the target date', day('2028-03-31'), 'API gateway'],
              ['Oracle Database 12c', 'No longer supported', day('2026-07-31'), 'PostgreSQL 18'],
            ],
          }),
        ],
      },
      {
        key: 'plan',
        title: 'Plan and schedule',
        blocks: [
          markdown('Work begins once all have signed.'),
          tableOf({
            title: 'Roadmap',
            columns: [
              { title: 'Card' },
              { title: 'Type' },
              { title: 'Plan' },
              { title: 'Phase-in' },
              { title: 'Active' },
              { title: 'Phase-out' },
              { title: 'End of life' },
              { title: 'Provider' },
              { title: 'Criticality' },
              { title: 'Note' },
            ],
            rows: Array.from({ length: 28 }, (_, n) => [
              ['Customer portal', 'Offer configurator', 'Partner exchange', 'API gateway'][n % 4]! + ` ${n + 1}`,
              ['Application', 'Interface'][n % 2]!,
              day(`2026-0${(n % 9) + 1}-01`),
              day('2026-06-01'),
              day('2027-01-01'),
              day('2031-01-01'),
              day('2032-01-01'),
              'Nordwind IT',
              ['high', 'medium', 'mission critical'][n % 3]!,
              n % 5 === 0 ? 'Depends on the network connection of the new region' : null,
            ]),
          }),
        ],
      },
      {
        key: 'risks_and_mitigations',
        title: 'Risks and mitigations',
        blocks: [
          tableOf({
            title: 'Risks of the linked cards',
            columns: [{ title: 'Number' }, { title: 'Risk' }, { title: 'Level' }, { title: 'Mitigation' }],
            rows: [
              [
                'RISK-0012',
                'Data are lost while they are copied',
                'high',
                'Copy twice and compare the sums of all tables; keep the old system readable for 90 days',
              ],
              [
                'RISK-0019',
                'Skills for the platform are missing',
                'medium',
                'Training for 14 people, two external engineers for six months',
              ],
            ],
          }),
          tableOf({
            title: 'Decisions',
            columns: [{ title: 'Number' }, { title: 'Decision' }, { title: 'Status' }],
            rows: [],
            note: 'The module of decisions is disabled.',
          }),
        ],
      },
      {
        key: 'costs',
        title: 'Costs',
        blocks: [
          tableOf({
            title: 'Costs of the cards in scope',
            columns: [{ title: 'Card' }, { title: 'One-off', align: 'right' }, { title: 'Per year', align: 'right' }],
            rows: [
              ['Customer portal', cost(1_250_000), cost(310_500.5)],
              ['Offer configurator', cost(480_000), cost(95_000)],
              ['Partner exchange', cost(75_250), cost(12_000)],
            ],
            footer: ['Sum', cost(1_805_250), cost(417_500.5)],
          }),
        ],
      },
    ],
    signatures: [
      {
        name: 'Dr. Ines Hoffmann',
        status: 'signed',
        signedAt: '2026-11-20T09:12:44.120Z',
        comment: 'With the budget of 2027.',
      },
      { name: 'Marc Lefèvre', status: 'signed', signedAt: '2026-11-21T16:40:02.000Z', comment: null },
      { name: 'Aroha Te Whata', status: 'signed', signedAt: '2026-11-23T07:05:59.000Z', comment: null },
    ],
    ...change,
  });
}
