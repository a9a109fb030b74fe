import t from 'tap';
import { testApp } from '@lintel/sdk/testing';
import module from '../index.js';
import { behaviour, source } from './support/source.js';

const app = await testApp({ modules: [module, source] });
t.teardown(app.close);

t.test('another system that never answers, and a connector that does not obey its signal, take 30 s', async (t) => {
  behaviour.is = 'silent';
  t.teardown(() => (behaviour.is = 'fine'));
  const connection = await app.admin.post(`${app.prefix}/connections`, {
    name: 'Silent',
    connector: 'acme_source',
    config: { url: 'https://one.example.com' },
    secrets: { token: 'first' },
  });
  const one = `${app.prefix}/connections/${connection.body.id}`;
  const [tested, listed] = await Promise.all([app.admin.post(`${one}/test`), app.admin.get(`${one}/tables`)]);
  t.match(tested, { status: 200, body: { ok: false, detail: 'No answer within 30 s.' } });
  t.match(listed, { status: 422, body: { code: 'cmdbsync_source_failed', fault: 'unreachable' } });
});
