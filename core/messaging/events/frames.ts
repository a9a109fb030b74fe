import type { LogEvent } from '@lintel/sdk';
import type { LogBounds } from './repository.js';

/** Default reconnection time of clients. */
export const RETRY_MS = 2_000;

const LINE_BREAK = /[\r\n\0]/g;
const frames = new WeakMap<LogEvent, Buffer>();

/** https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/formats/json-format.md */
export function cloudEvent(event: LogEvent): Record<string, unknown> {
  return {
    specversion: '1.0',
    id: String(event.position),
    source: '/api/v1',
    type: event.type,
    time: event.occurred_at,
    subject: event.subject.id,
    datacontenttype: 'application/json',
    // The members of the envelope take precedence over equal keys in the data.
    data: {
      ...event.data,
      actor: event.actor,
      origin: event.origin,
      request_id: event.request_id,
      subject: event.subject,
    },
  };
}

/**
 * An event as server-sent event, serialised once for all receivers of this object. JSON contains no raw line breaks and
 * those in the type are removed, so the content of an event cannot start another one.
 */
export function eventFrame(event: LogEvent): Buffer {
  let frame = frames.get(event);
  if (!frame) {
    frame = Buffer.from(
      `id: ${event.position}\nevent: ${event.type.replace(LINE_BREAK, '')}\ndata: ${JSON.stringify(cloudEvent(event))}\n\n`,
    );
    frames.set(event, frame);
  }
  return frame;
}

/**
 * Sent when the log cannot be continued after the client's position: the client reloads all data and continues from here.
 * @param fault `lost`: the database has lost events that may have been sent, such as by a failover
 */
export function resetFrame({ head: position, oldest, fault: reason }: LogBounds): Buffer {
  return Buffer.from(`id: ${position}\nevent: reset\ndata: ${JSON.stringify({ position, oldest, reason })}\n\n`);
}

/** Sets the reconnection time of the client. */
export function retryFrame(ms: number): Buffer {
  return Buffer.from(`retry: ${ms}\n\n`);
}

/**
 * A comment that keeps the connection open; its id moves the client's resume position past events that do not match its
 * filter.
 */
export function heartbeatFrame(position: number): Buffer {
  return Buffer.from(`: position ${position}\nid: ${position}\n\n`);
}
