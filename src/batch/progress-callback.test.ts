import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { createDeferred } from '../base/deferred.ts';
import { ManualClock } from '../base/testing/manual-clock.ts';
import type { JobProgress } from './job-events.ts';
import { createProgressCallback } from './progress-callback.ts';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

type Handler = (body: Record<string, unknown>, response: ServerResponse) => void;

/** A server on loopback; gives its address. */
async function listen(handle: Handler): Promise<string> {
  const server = createServer(async (request, response) => handle(await readJson(request), response));
  servers.push(server);
  const listening = createDeferred<void>();
  server.listen(0, '127.0.0.1', () => listening.resolve());
  await listening.promise;
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/progress`;
}

async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) {
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString());
}

function progressAt(done: number): JobProgress {
  return { jobId: 'job_1', done, failed: 1, total: 100, rowsPerSecond: 12.5, etaSeconds: undefined };
}

it('posts the progress and the end as JSON', async () => {
  const bodies: unknown[] = [];
  const first = createDeferred<void>();
  const url = await listen((body, response) => {
    bodies.push(body);
    response.end('ok', () => first.resolve());
  });
  const notices: string[] = [];
  const callback = createProgressCallback({
    url,
    clock: new ManualClock(),
    onNotice: (text) => notices.push(text),
  });
  callback.post(progressAt(10));
  await first.promise;
  await callback.finish(progressAt(99), 'complete');
  const rest = { job_id: 'job_1', failed: 1, total: 100, rows_per_second: 12.5 };
  expect(bodies).toEqual([
    { ...rest, state: 'running', done: 10 },
    { ...rest, state: 'complete', done: 99 },
  ]);
  expect(notices).toEqual([]);
});

it('has one post under way, and drops all that waits but the newest', async () => {
  const seen: unknown[] = [];
  const arrived = createDeferred<void>();
  const answer = createDeferred<void>();
  const all = createDeferred<void>();
  const url = await listen(async ({ done }, response) => {
    seen.push(done);
    arrived.resolve();
    await answer.promise;
    response.end();
    if (done === 5) {
      all.resolve();
    }
  });
  const callback = createProgressCallback({ url, clock: new ManualClock(), onNotice: () => {} });
  callback.post(progressAt(1));
  await arrived.promise;
  for (let done = 2; done <= 5; done += 1) {
    callback.post(progressAt(done));
  }
  answer.resolve();
  await all.promise;
  expect(seen).toEqual([1, 5]);
});

it('gives up a server that does not answer, says so once, and the end is still posted', async () => {
  const hung = createDeferred<void>();
  const url = await listen(({ state }, response) => {
    if (state === 'running') {
      hung.resolve();
    } else {
      response.end();
    }
  });
  const clock = new ManualClock();
  const failed = createDeferred<string>();
  const notices: string[] = [];
  const callback = createProgressCallback({
    url,
    clock,
    onNotice: (text) => {
      notices.push(text);
      failed.resolve(text);
    },
  });
  callback.post(progressAt(1));
  await hung.promise;
  await clock.advance(5_000_000);
  expect(await failed.promise).toContain('no answer in time');
  await callback.finish(progressAt(2), 'complete');
  expect(notices).toHaveLength(1);
  expect(clock.pendingTimers).toBe(0);
});

it('the end does not wait for a post that hangs', async () => {
  const hung = createDeferred<void>();
  const states: unknown[] = [];
  const url = await listen(({ state }, response) => {
    states.push(state);
    if (state === 'running') {
      hung.resolve();
    } else {
      response.end();
    }
  });
  const notices: string[] = [];
  const callback = createProgressCallback({
    url,
    clock: new ManualClock(),
    onNotice: (text) => notices.push(text),
  });
  callback.post(progressAt(1));
  callback.post(progressAt(2));
  await hung.promise;
  await callback.finish(progressAt(3), 'partial');
  expect(states).toEqual(['running', 'partial']);
  expect(notices).toEqual([]);
});

it.each([
  [
    'a refusing server',
    async () => listen((_, response) => response.writeHead(500).end()),
    'it answered 500',
  ],
  ['nobody there', async () => 'http://127.0.0.1:1/', '127.0.0.1:1'],
])('tells of %s once', async (_, makeUrl, problem) => {
  const notices: string[] = [];
  const callback = createProgressCallback({
    url: await makeUrl(),
    clock: new ManualClock(),
    onNotice: (text) => notices.push(text),
  });
  await callback.finish(progressAt(1), 'complete');
  await callback.finish(progressAt(1), 'complete');
  expect(notices).toHaveLength(1);
  expect(notices[0]).toContain(problem);
});
