import { expectStatus, until, type AnyBody, type Answer, type Client } from '../../../../test/support/app.js';

/** A file of a form. */
export interface FormFile {
  name: string;
  content: string | Buffer;
}

/** Uploads files to a feed. */
export async function upload(api: Client, feed: string, files: readonly FormFile[]): Promise<Answer> {
  const boundary = 'between-the-files';
  const parts = files.flatMap(({ name, content }) => [
    Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="files"; filename="${name}"\r\ncontent-type: application/octet-stream\r\n\r\n`,
    ),
    Buffer.from(content as string),
    Buffer.from('\r\n'),
  ]);
  return await api.post(
    `/insightlens/feeds/${feed}/upload`,
    Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]),
    {
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    },
  );
}

/** Runs an analysis and waits for its end. */
export async function analyse(api: Client, kind = 'security'): Promise<AnyBody> {
  const { id } = expectStatus(await api.post(`/insightlens/${kind}/analyse`), 201, 'a run').body;
  const run = await until(async () => {
    const { body } = await api.get(`/insightlens/runs/${id}`);
    return ['done', 'failed', 'cancelled'].includes(String(body['state'])) && body;
  });
  if (run['state'] !== 'done') throw new Error(`the run is ${String(run['state'])}`);
  return run;
}

/** All items of a list. */
export async function all(api: Client, path: string, query: Record<string, string> = {}): Promise<AnyBody[]> {
  const items: AnyBody[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { body } = expectStatus(
      await api.get(path, { query: { page_size: 200, ...query, ...(cursor !== undefined && { cursor }) } }),
      200,
      path,
    );
    items.push(...(body.items as AnyBody[]));
    cursor = body.next_cursor as string | null;
  }
  return items;
}

const entry = (cveID: string, vendorProject: string, product: string, more: object = {}): object => ({
  cveID,
  vendorProject,
  product,
  vulnerabilityName: `${vendorProject} ${product} Vulnerability`,
  dateAdded: '2025-03-01',
  dueDate: '2025-03-22',
  knownRansomwareCampaignUse: 'Unknown',
  requiredAction: 'Apply updates.',
  shortDescription: 'Short.',
  notes: '',
  cwes: [],
  ...more,
});

/** A feed of known exploited vulnerabilities. @param entries CVE, vendor, product */
export const kevFile = (...entries: [cve: string, vendor: string, product: string, more?: object][]): string =>
  JSON.stringify({ catalogVersion: '2025.08.25', vulnerabilities: entries.map((one) => entry(...one)) });
