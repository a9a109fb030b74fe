import { expectStatus, type Client } from '../../../../test/support/app.js';
import { kevFile, upload } from './uploads.js';

const KEV = kevFile(
  ['CVE-2020-0001', 'Apache', 'Kafka'],
  ['CVE-2020-0002', 'Microsoft', 'Windows'],
  ['CVE-2020-0003', 'Kong', 'Gateway'],
  ['CVE-2020-0004', 'Other', 'Splunk'],
);
const product = (title: string, releases: string): string => `---\ntitle: ${title}\nreleases:\n${releases}---\n`;
const release = (cycle: string, eol: string, latest = ''): string =>
  `  - releaseCycle: "${cycle}"\n    eol: ${eol}\n${latest && `    latest: "${latest}"\n`}`;
const DATES = [
  {
    name: 'postgresql.md',
    content: product('PostgreSQL', release('17', '2099-11-08') + release('13', '2025-11-13', '13.23')),
  },
  {
    name: 'windows-server.md',
    content: product('Microsoft Windows Server', release('2012-R2', '2023-10-10') + release('2012', '2023-10-10')),
  },
  {
    name: 'kong-gateway.md',
    content: product('Kong Gateway', release('3.9', '2025-12-12') + release('3.8', '2099-01-01')),
  },
  { name: 'apache-kafka.md', content: product('Apache Kafka', release('3.8', '2099-01-01', '3.8.1')) },
  { name: 'apple-watch.md', content: product('Apple Watch', release('ultra-3', 'false')) },
  { name: 'splunk.md', content: product('Splunk', release('9.4', '2099-01-01')) },
];

/** Cards of which some meet each rule, and feeds about their products. @returns ids by name */
export async function fillLandscape(
  api: Client,
): Promise<{ people: string; windows: string; kafka: string; apps: string[] }> {
  const card = async (type: string, name: string, attributes = {}, more = {}): Promise<string> =>
    expectStatus(await api.post('/cards', { type, name, attributes, ...more }), 201, name).body.id;
  const relate = async (type: string, source: string, target: string): Promise<void> => {
    expectStatus(await api.post('/relations', { type, source_id: source, target_id: target }), 201, type);
  };
  const [shop] = [
    await card('Application', 'Shop', { hasAiFeatures: true }),
    await card(
      'Application',
      'CRM',
      { businessCriticality: 'administrative', hostingType: 'saas', hasAiFeatures: false },
      { lifecycle: { active: '2015-01-01', endOfLife: '2020-01-01' } },
    ),
  ];
  const [people, orders, fares] = [
    await card('DataObject', 'People', { isPersonalData: true }),
    await card('DataObject', 'Orders', { isPersonalData: true, dataSensitivity: 'confidential', retentionMonths: 12 }),
    await card('DataObject', 'Fares', { isPersonalData: false, dataSensitivity: 'public' }),
  ];
  const [files, api2, unknown] = [
    await card('Interface', 'Order file', { protocol: 'FTP' }),
    await card('Interface', 'Order service', { protocol: 'HTTPS' }),
    await card('Interface', 'Order queue'),
  ];
  const [postgres, windows, , kafka] = [
    await card('ITComponent', 'PostgreSQL 13', { version: '13' }),
    await card('ITComponent', 'Windows Server 2012 R2'),
    await card('ITComponent', 'Kong Gateway', { version: '3' }),
    await card('ITComponent', 'Kafka', { version: '3.8.0' }),
    await card('ITComponent', 'Apple Watch Ultra'),
    await card('ITComponent', 'Splunk', { version: 'Baseline 3' }),
  ];
  const [microsoft, apache] = [await card('Provider', 'Microsoft Corporation'), await card('Provider', 'Apache')];
  for (const id of [people, orders, fares]) await relate('applicationToDataObject', shop, id);
  for (const id of [files, api2, unknown]) await relate('interfaceToDataObject', id, orders);
  await relate('providerToITComponent', microsoft, windows);
  await relate('providerToITComponent', apache, kafka);
  expectStatus(await upload(api, 'kev', [{ name: 'kev.json', content: KEV }]), 200, 'vulnerabilities');
  expectStatus(await upload(api, 'endoflife', DATES), 200, 'dates');
  const apps = await Promise.all(Array.from({ length: 5 }, (_, i) => card('Application', `Client ${i}`)));
  for (const id of apps) await relate('applicationToITComponent', id, postgres);
  return { people, windows, kafka, apps };
}
