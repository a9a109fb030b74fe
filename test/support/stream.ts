import { get } from 'node:http';

export interface StreamEvent {
  /** Position in the event log. */
  id: string;
  event: string;
  /** Parsed if it is JSON. */
  data: unknown;
}

export interface StreamOptions {
  lastEventId?: string | number;
  query?: Record<string, string>;
  /** Path of another stream than that of the event log. */
  path?: string;
}

export interface EventStream {
  status: number;
  /** All events so far, in order of arrival. */
  events: StreamEvent[];
  /** Comments so far, which are heartbeats. */
  comments: string[];
  /** Resolves when the stream has ended or the connection is broken. */
  ended: Promise<void>;
  /**
   * Waits for the first event that fits, including earlier ones.
   * @param ms longest wait
   * @throws if the stream ends or the time is up before
   */
  waitFor(fits: (event: StreamEvent) => boolean, ms?: number): Promise<StreamEvent>;
  close(): void;
}

/**
 * Opens a server-sent event stream and collects its events.
 * @throws if the connection fails; an answer other than 200 has its status and no events
 */
export async function openStream(
  origin: string,
  token: string | undefined,
  options: StreamOptions = {},
): Promise<EventStream> {
  const url = new URL(options.path ?? '/api/v1/events/stream', origin);
  for (const [name, value] of Object.entries(options.query ?? {})) url.searchParams.set(name, value);
  const headers: Record<string, string> = {
    accept: 'text/event-stream',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  if (options.lastEventId !== undefined) headers['last-event-id'] = String(options.lastEventId);

  return await new Promise((resolve, reject) => {
    const request = get(url, { headers, agent: false });
    request.once('error', reject);
    request.once('response', (response) => {
      const events: StreamEvent[] = [];
      const comments: string[] = [];
      const watchers = new Set<() => void>();
      const notify = (): void => {
        for (const watcher of watchers) watcher();
      };
      let isOver = false;
      const ended = new Promise<void>((done) =>
        response.once('close', () => {
          isOver = true;
          notify();
          done();
        }),
      );
      // An aborted stream also raises an error; `ended` already reports it.
      response.on('error', () => undefined);
      request.on('error', () => undefined);
      const feed = eventParser(
        (event) => events.push(event),
        (comment) => comments.push(comment),
      );
      const collects = response.statusCode === 200;
      response.setEncoding('utf8').on('data', (text: string) => {
        if (collects) {
          feed(text);
          notify();
        }
      });

      const waitFor: EventStream['waitFor'] = (fits, ms = 20_000) =>
        new Promise((found, failed) => {
          const finish = (act: () => void): void => {
            watchers.delete(look);
            clearTimeout(timer);
            act();
          };
          let seen = 0;
          const look = (): void => {
            for (; seen < events.length; seen++) {
              const event = events[seen]!;
              if (fits(event)) return finish(() => found(event));
            }
            if (isOver)
              finish(() => failed(new Error(`the stream ended after ${events.length} events, none of which fits`)));
          };
          const timer = setTimeout(
            () => finish(() => failed(new Error(`no fitting event among ${events.length} within ${ms} ms`))),
            ms,
          );
          watchers.add(look);
          look();
        });
      resolve({ status: response.statusCode ?? 0, events, comments, ended, waitFor, close: () => request.destroy() });
    });
  });
}

/** Splits a stream of text into events: https://html.spec.whatwg.org/multipage/server-sent-events.html */
function eventParser(onEvent: (event: StreamEvent) => void, onComment: (text: string) => void): (text: string) => void {
  let rest = '';
  let id = '';
  let event = '';
  let data: string[] = [];
  const line = (text: string): void => {
    if (text === '') {
      if (data.length > 0) onEvent({ id, event: event || 'message', data: parseData(data.join('\n')) });
      event = '';
      data = [];
      return;
    }
    const colon = text.indexOf(':');
    const field = colon < 0 ? text : text.slice(0, colon);
    const value = colon < 0 ? '' : text.slice(colon + 1).replace(/^ /, '');
    if (field === '') onComment(value);
    else if (field === 'id') id = value;
    else if (field === 'event') event = value;
    else if (field === 'data') data.push(value);
  };
  return (text) => {
    const lines = (rest + text).split(/\r?\n/);
    rest = lines.pop() ?? '';
    lines.forEach(line);
  };
}

function parseData(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
