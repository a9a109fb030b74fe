import type { Answer, Session } from '../../../test/support/app.js';

/** A file with a linear flow. @param steps by BPMN id, the name; an id that begins with `Call` is a call activity of the process `calls` */
export function flow(
  steps: Readonly<Record<string, string>>,
  { processId = 'Process_1', calls = 'Process_2', broken = false } = {},
): string {
  const ids = ['Start', ...Object.keys(steps), 'End'];
  const flows = ids.slice(1).map((id, i) => ({ id: `Flow_${ids[i]}_${id}`, from: ids[i]!, to: id }));
  const ends = (id: string): string =>
    [
      ...flows.filter(({ to }) => to === id).map((one) => `<bpmn:incoming>${one.id}</bpmn:incoming>`),
      ...flows.filter(({ from }) => from === id).map((one) => `<bpmn:outgoing>${one.id}</bpmn:outgoing>`),
    ].join('');
  const step = (id: string): string => {
    if (id === 'Start') return `<bpmn:startEvent id="Start">${ends(id)}</bpmn:startEvent>`;
    if (id === 'End') return `<bpmn:endEvent id="End">${ends(id)}</bpmn:endEvent>`;
    const tag = id.startsWith('Call') ? 'callActivity' : 'userTask';
    const called = id.startsWith('Call') ? ` calledElement="${calls}"` : '';
    return `<bpmn:${tag} id="${id}" name="${steps[id]}"${called}>${ends(id)}</bpmn:${tag}>`;
  };
  return `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:acme="http://acme.example.org" id="Definitions_1" targetNamespace="http://example.org">
  <bpmn:process id="${processId}" name="Orders" isExecutable="false" acme:owner="Ada">
    ${ids.map(step).join('\n    ')}
    ${flows.map(({ id, from, to }) => `<bpmn:sequenceFlow id="${id}" sourceRef="${from}" targetRef="${broken ? 'Nowhere' : to}" />`).join('\n    ')}
  </bpmn:process>
</bpmn:definitions>
`;
}

export interface Version {
  id: string;
  revision: number;
  state: string;
  version: number;
  error_count: number;
  allowed_actions: string[];
  [member: string]: unknown;
}
export interface Element {
  id: string;
  bpmn_id: string;
  kind: string;
  position: number;
  name: string;
  version: number;
  links_set: boolean;
  links: { card_id: string; type: string; is_automatic: boolean }[];
}

const XML = { 'content-type': 'application/xml' };

/** What tests do with the flow of one process. */
export class Flow {
  readonly path: string;
  readonly versions: string;

  constructor(readonly cardId: string) {
    this.path = `/bpm/processes/${cardId}`;
    this.versions = `${this.path}/flow/versions`;
  }

  upload(by: Session, xml: string | Buffer, query: Record<string, string> = {}): Promise<Answer<Version>> {
    return by.api.send<Version>('POST', this.versions, xml, { headers: XML, query });
  }

  replace(by: Session, id: string, xml: string): Promise<Answer<Version>> {
    return by.api.send<Version>('PUT', `${this.versions}/${id}.bpmn`, xml, { headers: XML });
  }

  move(
    by: Session,
    id: string,
    action: string,
    body?: unknown,
    headers = {},
  ): Promise<Answer<Version & { code: string; allowed: string[] }>> {
    return by.api.send('POST', `${this.versions}/${id}/${action}`, body, { headers });
  }

  async elements(by: Session, query: Record<string, string> = {}): Promise<Element[]> {
    return (await by.api.get<{ items: Element[] }>(`${this.path}/elements`, { query: { page_size: '200', ...query } }))
      .body.items;
  }

  /** The element with a BPMN id. */
  async element(by: Session, bpmnId: string, version?: string): Promise<Element> {
    const all = await this.elements(by, version === undefined ? {} : { version_id: version });
    return all.find(({ bpmn_id }) => bpmn_id === bpmnId)!;
  }

  link(by: Session, element: Element, cards: readonly string[]): Promise<Answer<Element & { code: string }>> {
    return by.api.put(`${this.path}/elements/${element.id}/links`, { links: cards.map((card_id) => ({ card_id })) });
  }

  /** Uploads, submits and approves. @returns the id of the published version */
  async publish(editor: Session, approver: Session, xml: string): Promise<string> {
    const { body } = await this.upload(editor, xml);
    return this.release(editor, approver, body.id);
  }

  async release(editor: Session, approver: Session, id: string): Promise<string> {
    for (const [by, action] of [
      [editor, 'submit'],
      [approver, 'approve'],
    ] as const) {
      const answer = await this.move(by, id, action);
      if (answer.status !== 200) throw new Error(`${action} gave ${answer.status}: ${JSON.stringify(answer.body)}`);
    }
    return id;
  }
}
