/** An impossible start: the process ends with an error message. */
import t from 'tap';
import { launchService } from '../support/service.js';

t.test('a bad environment is refused at once, naming all that is wrong and no secret', async (t) => {
  const service = launchService({
    env: {
      PORT: 'http',
      LOG_LEVEL: 'loud',
      ALLOWED_ORIGINS: 'https://ea.example.com/path',
      JWT_SECRET: 'hunter2',
      DATABASE_URL: 'mysql://root:hunter3@db/x',
    },
  });
  t.equal((await service.exited).code, 1);
  const lines = service.log();
  t.equal(lines.length, 1, 'one message');
  for (const name of ['PORT', 'LOG_LEVEL', 'ALLOWED_ORIGINS', 'JWT_SECRET', 'DATABASE_URL', 'LINTEL_SECRET_KEY']) {
    t.match(lines[0]?.msg, new RegExp(`^${name} `, 'm'));
  }
  t.notMatch(service.output(), /hunter/);
});
