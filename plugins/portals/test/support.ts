import { expectStatus, type Session } from '../../../test/support/app.js';

/** A portal as administrators see it. */
export interface Portal {
  id: string;
  slug: string;
  version: number;
  is_published: boolean;
  page_url: string;
  problems: { field: string; reason: string }[];
  [member: string]: unknown;
}

/** An answer to a visitor. */
export interface Visit {
  status: number;
  headers: Headers;
  text: string;
  /** Parsed; empty if it is not JSON. */
  json: VisitJson;
}

/** Members of the answers to visitors, as far as tests read them. */
interface VisitJson {
  items: { id: string; name: string; fields: Record<string, unknown> }[];
  total: number | null;
  next_cursor: string | null;
  /** Of a card by key, of a portal a list. */
  fields?: Record<string, unknown>;
  filters: string[];
  sorts: string[];
  code: string;
}

export const PUBLIC = '/api/v1/portals/public';

/** Sends a GET without a token. @param path below the public prefix, or from `/api` */
export async function visit(origin: string, path: string, init: RequestInit = {}): Promise<Visit> {
  const answer = await fetch(`${origin}${path.startsWith('/api') ? path : `${PUBLIC}/${path}`}`, init);
  const text = await answer.text();
  const isJson = /json/.test(answer.headers.get('content-type') ?? '');
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    json: isJson && text !== '' ? (JSON.parse(text) as VisitJson) : ({} as VisitJson),
  };
}

export async function createPortal(by: Session, body: object): Promise<Portal> {
  return expectStatus(
    await by.api.post<Portal>('/portals', { title: 'Portal', type: 'Application', ...body }),
    201,
    'a portal',
  ).body;
}

/** Changes a portal, whatever its version. */
export async function change(by: Session, { id }: { id: string }, body: object): Promise<Portal> {
  return expectStatus(await by.api.patch<Portal>(`/portals/${id}`, body), 200, 'the change of a portal').body;
}
