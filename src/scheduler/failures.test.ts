import { describe, expect, it } from 'vitest';
import { MillraceError } from '../base/errors.ts';
import { FakeInstance, type FakeRun } from './testing/fake-instance.ts';
import { filled, flush, openScheduler } from './testing/open-scheduler.ts';

const BATCHING = 'max_batch_size: 16 dynamic_batching {}';

/** Finishes every run as a model does that refuses batches with one of `guilty` in them. */
async function runAll(instance: FakeInstance, guilty: readonly number[]): Promise<void> {
  for (let run = instance.pending[0]; run !== undefined; run = instance.pending[0]) {
    const culprit = run.values.find((value) => guilty.includes(value));
    if (culprit === undefined) {
      run.finish();
    } else {
      run.fail(new MillraceError('EXECUTION_FAILED', `index ${culprit} is out of range`));
    }
    await flush();
  }
}

describe('a batch that the runtime refuses', () => {
  it('is divided until the guilty request is alone: its mates succeed', async () => {
    const { instance, send } = openScheduler(BATCHING);
    const sent = Array.from({ length: 16 }, (_, value) => send(value));
    await flush();
    await runAll(instance, [5]);
    expect(sent.map((one) => one.state())).toEqual(
      sent.map((_, value) => (value === 5 ? 'EXECUTION_FAILED' : [value])),
    );
    expect(instance.sizes).toEqual([16, 8, 8, 4, 4, 2, 2, 1, 1]);
  });

  it('gives each guilty request its own error', async () => {
    const { instance, send } = openScheduler(BATCHING);
    const sent = [1, 2, 3].map((value) => send(value));
    await flush();
    await runAll(instance, [1, 2, 3]);
    const errors = await Promise.all(
      sent.map(({ promise }) => promise.catch((error: unknown) => String(error))),
    );
    expect(errors.map((error) => /index \d/.exec(String(error))?.[0])).toEqual([
      'index 1',
      'index 2',
      'index 3',
    ]);
  });

  it('runs its parts before what waits, and drops from them what was given up', async () => {
    const { instance, send } = openScheduler('max_batch_size: 4 dynamic_batching {}');
    const controller = new AbortController();
    const signal = controller.signal;
    const sent = [send(1), send(2), send(3, { signal }), send(4, { signal })];
    await flush();
    send(5);
    instance.pending[0]?.fail(new MillraceError('EXECUTION_FAILED', 'no'));
    await flush();
    controller.abort();
    await runAll(instance, []);
    expect(sent.map((one) => one.state())).toEqual([[1], [2], 'REQUEST_CANCELLED', 'REQUEST_CANCELLED']);
    expect(instance.runs.map(({ values }) => values)).toEqual([[1, 2, 3, 4], [1, 2], [5]]);
  });

  it('an error that is none of ours reaches every caller as INTERNAL_ERROR', async () => {
    const { instance, send } = openScheduler(BATCHING);
    const sent = [send(1), send(2)];
    await flush();
    instance.pending[0]?.fail(new TypeError('oops'));
    await flush();
    expect(sent.map((one) => one.state())).toEqual(['INTERNAL_ERROR', 'INTERNAL_ERROR']);
  });
});

describe('outputs that do not fit', () => {
  it('D06: an output without a row for each row fails every caller of the batch, naming it', async () => {
    const { instance, send } = openScheduler(BATCHING);
    const sent = [send(1), send(2), send(3)];
    await flush();
    instance.pending[0]?.finish([filled(6, 1), filled(-6, 1)]);
    await flush();
    expect(sent.map((one) => one.state())).toEqual(new Array(3).fill('OUTPUT_BATCH_MISMATCH'));
    await expect(sent[0]?.promise).rejects.toMatchObject({
      message: expect.stringMatching(/output 'same' .* expected a leading dimension of 3, got 1/),
      details: { output: 'same', expected: 3, found: 1 },
    });
    expect(instance.sizes).toEqual([3]);
  });

  it.each([
    ['missing', [filled(1, 2)]],
    ['of another rank', [filled(1, 2), { datatype: 'FP32', shape: [2], data: new Float32Array(2) } as const]],
  ])('an output that is %s fails every caller of the batch', async (_title, outputs) => {
    const { instance, send } = openScheduler(BATCHING);
    const sent = [send(1), send(2)];
    await flush();
    instance.pending[0]?.finish(outputs);
    await flush();
    expect(sent.map((one) => one.state())).toEqual(['OUTPUT_INVALID', 'OUTPUT_INVALID']);
  });
});

describe('an instance that dies', () => {
  it('fails the requests it had, once; what waits goes to its replacement', async () => {
    const { scheduler, instance, send } = openScheduler('max_batch_size: 2 dynamic_batching {}');
    instance.computeMicroseconds = 100_000;
    const lost = [send(1), send(2)];
    await flush();
    const waiting = send(3);
    instance.die();
    await flush();
    expect(lost.map((one) => one.state())).toEqual(['INSTANCE_FAILED', 'INSTANCE_FAILED']);
    expect(waiting.state()).toBe('waiting');
    expect(instance.sizes).toEqual([2]);
    const replacement = new FakeInstance('fake_0_0');
    scheduler.addInstance(replacement);
    await flush();
    replacement.pending[0]?.finish();
    await flush();
    expect(waiting.state()).toEqual([3]);
  });

  it('takes nothing more, also when it was idle', async () => {
    const { instances, send } = openScheduler(BATCHING, 2);
    instances[0]?.die();
    await flush();
    send(1);
    await flush();
    expect(instances.map(({ runs }) => runs.length)).toEqual([0, 1]);
  });

  it('leaves waiting requests to their timeouts', async () => {
    const { clock, instance, send } = openScheduler(
      'max_batch_size: 2 dynamic_batching { default_queue_policy { default_timeout_microseconds: 1000 } }',
    );
    instance.die();
    await flush();
    const sent = send(1);
    await flush();
    await clock.advance(1_000);
    await flush();
    expect(sent.state()).toBe('REQUEST_TIMEOUT');
  });

  it('once all are given up, what waits and what comes is refused until there is one again', async () => {
    const { scheduler, instance, send } = openScheduler(BATCHING);
    instance.die();
    await flush();
    const waiting = send(1);
    await flush();
    scheduler.rejectWaiting(new MillraceError('INSTANCE_FAILED', 'every instance has died'));
    const later = send(2);
    await flush();
    expect([waiting.state(), later.state()]).toEqual(['INSTANCE_FAILED', 'INSTANCE_FAILED']);
    const replacement = new FakeInstance();
    scheduler.addInstance(replacement);
    const sent = send(3);
    await flush();
    replacement.pending[0]?.finish();
    await flush();
    expect(sent.state()).toEqual([3]);
  });
});

describe('removeInstance', () => {
  it('lets it finish what it runs and gives it no more', async () => {
    const { scheduler, instances, send } = openScheduler('max_batch_size: 1 dynamic_batching {}', 2);
    const sent = [send(1), send(2)];
    await flush();
    const [removed, kept] = instances;
    if (removed !== undefined) {
      scheduler.removeInstance(removed);
    }
    sent.push(send(3));
    removed?.pending[0]?.finish();
    await flush();
    kept?.pending[0]?.finish();
    await flush();
    kept?.pending[0]?.finish();
    await flush();
    expect(sent.map((one) => one.state())).toEqual([[1], [2], [3]]);
    expect(removed?.sizes).toEqual([1]);
  });
});

describe('close', () => {
  it('finishes what waits and runs, also what waits out a delay, and takes nothing new', async () => {
    const { clock, scheduler, instance, send } = openScheduler(
      'max_batch_size: 4 dynamic_batching { max_queue_delay_microseconds: 1000000 default_queue_policy { default_timeout_microseconds: 9000000 } }',
    );
    const running = send(1, { rows: 4 });
    await flush();
    const waiting = send(2);
    let closed = false;
    const closing = scheduler.close().then(() => {
      closed = true;
    });
    const refused = send(3);
    await flush();
    expect(refused.state()).toBe('SHUTTING_DOWN');
    instance.pending[0]?.finish();
    await flush();
    expect(closed).toBe(false);
    instance.pending[0]?.finish();
    await closing;
    await scheduler.close();
    expect([running.state(), waiting.state()]).toEqual([[1, 1, 1, 1], [2]]);
    expect(clock.pendingTimers).toBe(0);
  });

  it('waits for a removed instance, and for the parts of a failed batch', async () => {
    const { scheduler, instances, send } = openScheduler(BATCHING, 2);
    const sent = [send(1), send(2)];
    await flush();
    for (const removed of instances.slice(0, 1)) {
      scheduler.removeInstance(removed);
    }
    let closed = false;
    const closing = scheduler.close().then(() => {
      closed = true;
    });
    instances[1]?.pending[0]?.finish();
    await flush();
    expect(closed).toBe(false);
    instances[0]?.pending[0]?.finish();
    await closing;
    expect(sent.map((one) => one.state())).toEqual([[1], [2]]);
  });

  it('ends at once when nothing is there, or all that waits is given up', async () => {
    const { scheduler, instance, send } = openScheduler(BATCHING);
    instance.die();
    await flush();
    const controller = new AbortController();
    const sent = send(1, { signal: controller.signal });
    const closing = scheduler.close();
    await flush();
    controller.abort();
    await closing;
    expect(sent.state()).toBe('REQUEST_CANCELLED');
  });
});

describe('requests larger than a batch', () => {
  const OVERSIZE =
    'max_batch_size: 4 dynamic_batching {} parameters { key: "split_oversize" value { string_value: "true" } }';

  it('are cut into pieces, and their outputs put together in order', async () => {
    const { instances, send } = openScheduler(OVERSIZE, 2);
    const inputs = new Map([
      [
        'x',
        {
          datatype: 'FP32',
          shape: [10, 1],
          data: Float32Array.from({ length: 10 }, (_, row) => row),
        } as const,
      ],
    ]);
    const sent = send(0, { inputs });
    await flush();
    const finishLast = (runs: readonly FakeRun[]) => runs.at(-1)?.finish();
    for (let step = 0; step < 3; step += 1) {
      finishLast(instances.flatMap(({ pending }) => pending));
      await flush();
    }
    expect(sent.state()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(instances.flatMap(({ sizes }) => sizes).sort()).toEqual([2, 4, 4]);
    expect((await sent.promise).outputs.map(({ shape }) => shape)).toEqual([
      [10, 1],
      [10, 1],
    ]);
  });

  it('fail with their first piece that fails; pieces that wait are dropped', async () => {
    const { scheduler, instance, send } = openScheduler(OVERSIZE);
    instance.computeMicroseconds = 100_000;
    const sent = send(1, { rows: 40 });
    await flush();
    instance.pending[0]?.fail(new MillraceError('EXECUTION_FAILED', 'no'));
    await flush();
    expect(sent.state()).toBe('EXECUTION_FAILED');
    expect(scheduler.statistics().pendingRequests).toBe(0);
    instance.pending[0]?.finish();
    await flush();
    expect(instance.runs.length).toBeLessThanOrEqual(2);
  });

  it('are given up as a whole, without a warning about listeners', async () => {
    const { instance, send } = openScheduler(OVERSIZE);
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => warnings.push(warning);
    process.on('warning', onWarning);
    const controller = new AbortController();
    const sent = send(1, { rows: 400, signal: controller.signal });
    await flush();
    controller.abort();
    await flush();
    instance.pending[0]?.finish();
    await flush();
    process.off('warning', onWarning);
    expect(sent.state()).toBe('REQUEST_CANCELLED');
    expect(instance.runs).toHaveLength(1);
    expect(warnings).toEqual([]);
  });

  it('exclusive ones give the same batches at any load', async () => {
    const { instance, send } = openScheduler(OVERSIZE);
    send(9, { rows: 3 });
    send(1, { rows: 6, exclusive: true });
    send(9);
    await flush();
    await runAll(instance, []);
    expect(instance.runs.filter(({ values }) => values.includes(1)).map(({ values }) => values)).toEqual([
      [1, 1, 1, 1],
      [1, 1],
    ]);
  });
});
