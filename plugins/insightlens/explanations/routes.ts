import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { IdParams, Type, type ModuleRoutes } from '@lintel/sdk';
import { EXPLAINERS } from '../permissions.js';
import type { InsightLensServices } from '../services.js';
import type { Settings } from '../settings.js';
import { ExplanationView } from './schemas.js';
import { statementOf } from './service.js';

/** Milliseconds after which a client that takes nothing is given up. */
const STALL_MS = 15_000;
const STREAM = 'text/event-stream';

const frame = (event: string, data: unknown): string => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/** Explanations of findings. */
export const explanationRoutes: ModuleRoutes<InsightLensServices, Settings> = async (app, { services, host }) => {
  const { explanations } = services;

  app.post(
    '/findings/:id/explain',
    {
      config: { access: EXPLAINERS },
      schema: {
        operationId: 'explainInsightFinding',
        summary: 'Explain a finding with the language model',
        description:
          'With `Accept: text/event-stream` as server-sent events: `statement` with what was found, `text` with each part of the explanation, `end` with the whole. ' +
          'The finding has to be visible to the caller, with `insightlens.view`. Without a model, or if it fails, `model` says why, and what was found stands. Costs and names of users are not sent to the provider.',
        tags: ['insightlens'],
        params: IdParams,
        response: {
          200: {
            description: 'The explanation.',
            content: { 'application/json': { schema: ExplanationView }, [STREAM]: { schema: Type.String() } },
          },
        },
      },
    },
    async (request, reply) => {
      const { ctx } = request;
      const gone = new AbortController();
      // Before anything is awaited, so that a client that goes away meanwhile is noticed.
      reply.raw.once('close', () => gone.abort());
      const found = await explanations.finding(ctx, request.params.id);
      reply.header('cache-control', 'no-store');
      if (!(request.headers.accept ?? '').includes(STREAM))
        return await explanations.explain(ctx, found, { signal: gone.signal });
      const stream = new PassThrough();
      gone.signal.addEventListener('abort', () => stream.destroy());
      if (gone.signal.aborted) stream.destroy();
      const send = async (event: string, data: unknown): Promise<void> => {
        if (stream.write(frame(event, data))) return;
        await once(stream, 'drain', { signal: AbortSignal.any([gone.signal, AbortSignal.timeout(STALL_MS)]) });
      };
      const work = async (): Promise<void> => {
        await send('statement', { finding_id: found.view.id, statement: statementOf(found) });
        const onText = (text: string): Promise<void> => send('text', { text });
        await send('end', await explanations.explain(ctx, found, { signal: gone.signal, onText }));
      };
      work().then(
        () => stream.end(),
        (error: unknown) => {
          if (!gone.signal.aborted) host.log.warn({ err: error }, 'an explanation ended early');
          stream.destroy();
        },
      );
      reply.header('x-accel-buffering', 'no');
      // The stream ends with its connection, so that a stopping server does not wait for one whose client is gone.
      reply.header('connection', 'close');
      return host.http.sendStream(reply, `${STREAM}; charset=utf-8`, 'explanation.txt', stream);
    },
  );
};
