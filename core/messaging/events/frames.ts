import type { LogEvent } from '@lintel/sdk';

/** When a client comes back that is given no other time. */
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
    // What the envelope says stands, whatever the data holds.
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
 * An event as server-sent event, serialised once for all who receive this object. JSON has no raw line break and the
 * type loses its own, so nothing in an event can begin another one.
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

/** The position asked for is unknown or retained no longer: the client reads all anew and goes on from here. */
export function resetFrame(position: number, oldest: number): Buffer {
  return Buffer.from(`id: ${position}\nevent: reset\ndata: ${JSON.stringify({ position, oldest })}\n\n`);
}

/** How long the client waits before it comes back. */
export function retryFrame(ms: number): Buffer {
  return Buffer.from(`retry: ${ms}\n\n`);
}

/** A comment that keeps the connection open; the id moves the client's resume point past what it did not want. */
export function heartbeatFrame(position: number): Buffer {
  return Buffer.from(`: position ${position}\nid: ${position}\n\n`);
}
