import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { flush, openScheduler } from './testing/open-scheduler.ts';

const MS = 1_000;

/** An instance that has answered once with `computeMicroseconds`, too long to be given batches ahead of time. */
function openSlow(policy: string, batching = 'max_batch_size: 1') {
  const bench = openScheduler(`${batching} dynamic_batching { default_queue_policy { ${policy} } }`);
  bench.instance.computeMicroseconds = 2_000 * MS;
  return bench;
}

describe('timeout', () => {
  it('D03: a late request is refused at its time, while another runs, and never executed', async () => {
    const { clock, instance, send } = openSlow('default_timeout_microseconds: 200000');
    const first = send(1);
    await flush();
    await clock.advance(50 * MS);
    const second = send(2);
    await clock.advance(199 * MS);
    expect(second.state()).toBe('waiting');
    await clock.advance(MS);
    await flush();
    expect(second.state()).toBe('REQUEST_TIMEOUT');
    await clock.advance(1_750 * MS);
    instance.pending[0]?.finish();
    await flush();
    expect(first.state()).toEqual([1]);
    expect(instance.runs.map(({ values }) => values)).toEqual([[1]]);
  });

  it('D03: what runs is not subject to it', async () => {
    const { clock, instance, send } = openSlow('default_timeout_microseconds: 200000');
    const sent = send(1);
    await flush();
    await clock.advance(1_000 * MS);
    instance.pending[0]?.finish();
    await flush();
    expect(sent.state()).toEqual([1]);
  });

  it.each([
    ['shortens the default', 'default_timeout_microseconds: 200000 allow_timeout_override: true', 100, 100],
    ['never lengthens it', 'default_timeout_microseconds: 200000 allow_timeout_override: true', 900, 200],
    ['counts without a default', 'allow_timeout_override: true', 100, 100],
    ['does not count where it is not allowed', 'default_timeout_microseconds: 200000', 100, 200],
    ['of 0 is none', 'default_timeout_microseconds: 200000 allow_timeout_override: true', 0, 200],
  ])('D03: the timeout of a request %s', async (_title, policy, requestedMs, refusedMs) => {
    const { clock, send } = openSlow(policy);
    send(1);
    await flush();
    const sent = send(2, { timeoutMicroseconds: requestedMs * MS });
    await clock.advance(refusedMs * MS - 1);
    await flush();
    expect(sent.state()).toBe('waiting');
    await clock.advance(1);
    await flush();
    expect(sent.state()).toBe('REQUEST_TIMEOUT');
  });

  it('that no timer can hold is still kept', async () => {
    const { clock, send } = openSlow('default_timeout_microseconds: 9000000000000');
    send(1);
    await flush();
    const sent = send(2);
    await flush();
    await clock.advance(8_999_999_999_999);
    expect(sent.state()).toBe('waiting');
    await clock.advance(1);
    await flush();
    expect(sent.state()).toBe('REQUEST_TIMEOUT');
  });

  it('counts by the policy of the level', async () => {
    const { clock, send } = openScheduler(`max_batch_size: 1 dynamic_batching {
      priority_levels: 2 default_priority_level: 2
      default_queue_policy { default_timeout_microseconds: 300000 }
      priority_queue_policy { key: 1 value { default_timeout_microseconds: 100000 } }
    }`);
    send(0);
    await flush();
    const sent = [send(1, { priority: 1 }), send(2)];
    await clock.advance(100 * MS);
    await flush();
    expect(sent.map((one) => one.state())).toEqual(['REQUEST_TIMEOUT', 'waiting']);
  });

  it('DELAY: a late request runs after the others of its level', async () => {
    const { clock, instance, send } = openSlow('timeout_action: DELAY default_timeout_microseconds: 200000');
    send(0);
    await flush();
    send(1);
    await clock.advance(150 * MS);
    send(2);
    await clock.advance(100 * MS);
    send(3);
    for (let step = 0; step < 4; step += 1) {
      await flush();
      instance.pending[0]?.finish();
    }
    await flush();
    expect(instance.runs.map(({ values }) => values[0])).toEqual([0, 2, 3, 1]);
  });

  it('D03: executions do not drift while requests are refused', async () => {
    const { clock, instance, send } = openSlow('default_timeout_microseconds: 5000 max_queue_size: 8');
    instance.computeMicroseconds = 10 * MS;
    const executed: number[] = [];
    for (let round = 0; round < 20; round += 1) {
      const before = instance.runs.length;
      for (let step = 0; step < 10; step += 1) {
        for (let value = 0; value < 12; value += 1) {
          send(value);
        }
        await flush();
        await clock.advance(10 * MS);
        instance.pending[0]?.finish();
        await flush();
      }
      executed.push(instance.runs.length - before);
    }
    expect(new Set(executed)).toEqual(new Set([10]));
  });
});

describe('max_queue_size', () => {
  it('D03: one request more is refused at once, the others are unharmed', async () => {
    const { instance, send } = openSlow('max_queue_size: 2');
    const first = send(1);
    await flush();
    const waiting = [send(2), send(3)];
    const refused = [send(4), send(5)];
    await flush();
    expect(refused.map((one) => one.state())).toEqual(['QUEUE_FULL', 'QUEUE_FULL']);
    for (let step = 0; step < 3; step += 1) {
      instance.pending[0]?.finish();
      await flush();
    }
    expect([first, ...waiting].map((one) => one.state())).toEqual([[1], [2], [3]]);
  });

  it('does not count what an idle instance takes, nor what is late or gone', async () => {
    const { clock, send } = openSlow('max_queue_size: 1 default_timeout_microseconds: 100000');
    const controller = new AbortController();
    const running = send(1);
    const gone = send(2, { signal: controller.signal });
    controller.abort();
    const late = send(3);
    await clock.advance(100 * MS);
    const waiting = send(4);
    await flush();
    expect([running, gone, late, waiting].map((one) => one.state())).toEqual([
      'waiting',
      'REQUEST_CANCELLED',
      'REQUEST_TIMEOUT',
      'waiting',
    ]);
  });

  it('counts each level by itself', async () => {
    const { send } = openScheduler(`max_batch_size: 1 dynamic_batching {
      priority_levels: 2 default_priority_level: 2 default_queue_policy { max_queue_size: 1 }
    }`);
    send(0);
    await flush();
    const sent = [send(1, { priority: 1 }), send(2), send(3), send(4, { priority: 1 })];
    await flush();
    expect(sent.map((one) => one.state())).toEqual(['waiting', 'waiting', 'QUEUE_FULL', 'QUEUE_FULL']);
  });
});

describe('abort', () => {
  it('D05: a request given up while it waits is never executed, its neighbour is right', async () => {
    const { instance, send } = openSlow('', 'max_batch_size: 8');
    send(0);
    await flush();
    const controller = new AbortController();
    const gone = send(1, { signal: controller.signal });
    const neighbour = send(2, { signal: new AbortController().signal });
    await flush();
    controller.abort();
    await flush();
    expect(gone.state()).toBe('REQUEST_CANCELLED');
    instance.pending[0]?.finish();
    await flush();
    instance.pending[0]?.finish();
    await flush();
    expect(neighbour.state()).toEqual([2]);
    expect(instance.runs.map(({ values }) => values)).toEqual([[0], [2]]);
  });

  it('D05: a request given up before it came is refused', async () => {
    const { instance, send } = openSlow('');
    const sent = send(1, { signal: AbortSignal.abort() });
    await flush();
    expect(sent.state()).toBe('REQUEST_CANCELLED');
    expect(instance.runs).toEqual([]);
  });

  it('D05: what runs is finished, its result goes nowhere and is not counted', async () => {
    const { scheduler, instance, send } = openSlow('', 'max_batch_size: 8');
    const controller = new AbortController();
    const gone = send(1, { signal: controller.signal });
    const neighbour = send(2);
    await flush();
    controller.abort();
    await flush();
    expect(gone.state()).toBe('REQUEST_CANCELLED');
    instance.pending[0]?.finish();
    await flush();
    expect(neighbour.state()).toEqual([2]);
    expect(scheduler.statistics().inferenceCount).toBe(1);
  });

  it('D05: many requests may share a signal, which holds nothing when they are done', async () => {
    const { instance, send } = openSlow('', 'max_batch_size: 64');
    const { signal } = new AbortController();
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => warnings.push(warning);
    process.on('warning', onWarning);
    const sent = Array.from({ length: 64 }, (_, value) => send(value, { signal }));
    await flush();
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    instance.pending[0]?.finish();
    await flush();
    process.off('warning', onWarning);
    expect(sent.map((one) => one.state())).toEqual(sent.map((_, value) => [value]));
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    expect(warnings).toEqual([]);
  });

  it('memory stays flat while requests are given up', async () => {
    const { clock, scheduler, send } = openSlow('default_timeout_microseconds: 1000000000');
    send(0);
    await flush();
    for (let value = 0; value < 1_000; value += 1) {
      const controller = new AbortController();
      send(value, { signal: controller.signal, width: 1 + value });
      controller.abort();
    }
    await flush();
    expect(scheduler.statistics().pendingRequests).toBe(0);
    expect(clock.pendingTimers).toBe(1);
  });
});
