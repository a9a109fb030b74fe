import { expectStatus, type Session } from '../../../test/support/app.js';

export interface Item {
  id: string;
  version: number;
  title: string;
  parent_id: string | null;
  outline: string;
  depth: number;
  children_count: number;
  start_date: string | null;
  end_date: string | null;
  duration_days: number | null;
  completion: number;
  planned_cost: number | null;
  planned_currency: string | null;
  amounts_withheld: boolean;
  [member: string]: unknown;
}
export interface Task {
  id: string;
  version: number;
  title: string;
  status: string;
  completed_at: string | null;
  wbs_id: string | null;
  [member: string]: unknown;
}
interface Page<T> {
  items: T[];
  total: number;
}

/** The plan of one initiative, in the tests of its parts. */
export class Plan {
  readonly path: string;

  constructor(readonly id: string) {
    this.path = `/ppm/initiatives/${id}`;
  }

  static async make(by: Session, name: string): Promise<Plan> {
    return new Plan(expectStatus(await by.api.post('/cards', { type: 'Initiative', name }), 201, name).body.id);
  }

  async item(by: Session, title: string, more: object = {}): Promise<Item> {
    return expectStatus(await by.api.post<Item>(`${this.path}/wbs`, { title, ...more }), 201, title).body;
  }

  async task(by: Session, title: string, more: object = {}): Promise<Task> {
    return expectStatus(await by.api.post<Task>(`${this.path}/tasks`, { title, ...more }), 201, title).body;
  }

  move(by: Session, part: 'wbs' | 'tasks', id: string, body: object, headers = {}) {
    return by.api.send('POST', `${this.path}/${part}/${id}/move`, body, { headers });
  }

  depend(by: Session, predecessor_id: string, successor_id: string, more: object = {}) {
    return by.api.post(`${this.path}/dependencies`, { predecessor_id, successor_id, ...more });
  }

  async items(by: Session, query: Record<string, string> = {}): Promise<Item[]> {
    const page = await by.api.get<Page<Item>>(`${this.path}/wbs`, { query: { page_size: '200', ...query } });
    return expectStatus(page, 200, 'items').body.items;
  }

  async tasks(by: Session, query: Record<string, string> = {}): Promise<Task[]> {
    const page = await by.api.get<Page<Task>>(`${this.path}/tasks`, { query: { page_size: '200', ...query } });
    return expectStatus(page, 200, 'tasks').body.items;
  }

  /** Titles with outline numbers, in the order of the tree. */
  async outline(by: Session): Promise<string[]> {
    return (await this.items(by)).map(({ outline, title }) => `${outline} ${title}`);
  }
}
