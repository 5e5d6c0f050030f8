import { describe, expect, it } from 'vitest';
import { filled, flush, openScheduler } from './testing/open-scheduler.ts';

const MS = 1_000;

describe('without a queue delay', () => {
  it('runs a request at once on an idle instance', async () => {
    const { instance, send } = openScheduler('max_batch_size: 8 dynamic_batching {}');
    const sent = send(7);
    await flush();
    instance.pending[0]?.finish();
    await flush();
    expect(sent.state()).toEqual([7]);
  });

  it('forms the next batch from what came while the instance was busy', async () => {
    const { instance, send } = openScheduler('max_batch_size: 8 dynamic_batching {}');
    send(0);
    await flush();
    const waiting = [1, 2, 3].map((value) => send(value));
    await flush();
    expect(instance.sizes).toEqual([1]);
    instance.pending[0]?.finish();
    await flush();
    expect(instance.sizes).toEqual([1, 3]);
    instance.pending[0]?.finish();
    await flush();
    expect(waiting.map((sent) => sent.state())).toEqual([[1], [2], [3]]);
  });

  it('divides what waits over the idle instances instead of filling one batch', async () => {
    const { instances, send } = openScheduler('max_batch_size: 32 dynamic_batching {}', 2);
    for (let value = 0; value < 32; value += 1) {
      send(value);
    }
    await flush();
    expect(instances.map(({ sizes }) => sizes)).toEqual([[16], [16]]);
  });

  it('counts rows, not requests', async () => {
    const { instance, send } = openScheduler('max_batch_size: 8 dynamic_batching {}');
    for (const rows of [3, 3, 3]) {
      send(rows, { rows });
    }
    await flush();
    instance.pending[0]?.finish();
    await flush();
    expect(instance.sizes).toEqual([6, 3]);
  });

  it('gives a busy instance a full batch ahead of time, a partial one only when it is idle', async () => {
    const { instance, send } = openScheduler('max_batch_size: 4 dynamic_batching {}');
    send(0);
    await flush();
    instance.pending[0]?.finish();
    await flush();
    for (let value = 1; value <= 10; value += 1) {
      send(value);
    }
    await flush();
    expect(instance.pending.map(({ rows }) => rows)).toEqual([4, 4]);
    instance.pending[0]?.finish();
    await flush();
    expect(instance.pending.map(({ rows }) => rows)).toEqual([4]);
    instance.pending[0]?.finish();
    await flush();
    expect(instance.pending.map(({ rows }) => rows)).toEqual([2]);
  });

  it('gives an instance that comes back what waits, before its last batch is handed out', async () => {
    const { instance, send } = openScheduler('max_batch_size: 8 dynamic_batching {}');
    const first = send(1);
    await flush();
    send(2);
    void first.promise.then(() => send(3));
    await flush();
    instance.pending[0]?.finish();
    await flush();
    expect(instance.runs.map(({ values }) => values)).toEqual([[1], [2]]);
  });

  it('keeps batches whole when two instances come back in one turn of the event loop', async () => {
    const { instances, send } = openScheduler('max_batch_size: 8 dynamic_batching {}', 2);
    for (let value = 0; value < 4; value += 1) {
      void send(value).promise.then(() => send(value));
    }
    await flush();
    for (const { pending } of instances) {
      pending[0]?.finish();
      // As with messages of two workers: all microtasks of the first run before the second comes.
      await new Promise<void>((resolve) => process.nextTick(resolve));
    }
    await flush();
    expect(instances.map(({ sizes }) => sizes)).toEqual([
      [2, 2],
      [2, 2],
    ]);
  });

  it('gives nothing ahead of time to an instance whose executions are long', async () => {
    const { instance, send } = openScheduler('max_batch_size: 1 dynamic_batching {}');
    instance.computeMicroseconds = 2_000 * MS;
    for (let value = 0; value < 4; value += 1) {
      send(value);
    }
    await flush();
    instance.pending[0]?.finish();
    await flush();
    expect(instance.pending).toHaveLength(1);
  });
});

describe('shapes', () => {
  it('D01: only equal trailing shapes share a batch, and each reply has its own shape', async () => {
    const { clock, instance, send } = openScheduler(
      'max_batch_size: 8 dynamic_batching { max_queue_delay_microseconds: 50000 }',
    );
    const sent = [send(1, { width: 16 }), send(2, { width: 20 }), send(3, { width: 16 })];
    await clock.advance(50 * MS);
    await flush();
    instance.pending[0]?.finish();
    await flush();
    instance.pending[0]?.finish();
    await flush();
    expect(sent.map((one) => one.state())).toEqual([
      new Array(16).fill(1),
      new Array(20).fill(2),
      new Array(16).fill(3),
    ]);
    expect(instance.runs.map(({ values }) => values.length)).toEqual([32, 20]);
  });

  it('D01: a lone odd shape waits no longer than the delay while others fill batches', async () => {
    const { clock, instance, send } = openScheduler(
      'max_batch_size: 4 dynamic_batching { max_queue_delay_microseconds: 50000 }',
    );
    const odd = send(-1, { width: 5 });
    for (let step = 0; step < 50; step += 1) {
      for (let value = 0; value < 4; value += 1) {
        send(value);
      }
      await clock.advance(MS);
      await flush();
      expect(odd.state()).toBe('waiting');
      instance.pending[0]?.finish();
      await flush();
    }
    instance.pending.find(({ values }) => values[0] === -1)?.finish();
    await flush();
    expect(odd.state()).toEqual([-1, -1, -1, -1, -1]);
  });

  it('D01: a request with an optional input never shares a batch with one without', async () => {
    const { instance, send } = openScheduler('max_batch_size: 8 dynamic_batching {}');
    const inputs = new Map([
      ['x', filled(1, 1)],
      ['bias', filled(9, 1)],
    ]);
    send(1);
    send(1, { inputs });
    send(1);
    await flush();
    instance.pending[0]?.finish();
    await flush();
    expect(instance.runs.map(({ rows, batch }) => [rows, batch.inputs[1]?.shape[0]])).toEqual([
      [2, undefined],
      [1, 1],
    ]);
  });
});

describe('requests without a single input', () => {
  it('run alone: nothing would tell the model how many stand in a batch', async () => {
    const { scheduler, instances } = openScheduler('max_batch_size: 8 dynamic_batching {}', 2);
    const request = { modelName: 'fake', inputs: new Map() };
    const inputs = [undefined, undefined];
    const validated = { request, inputs, rows: 1, outputNames: ['same'], priority: 0 };
    const results = [scheduler.schedule(validated), scheduler.schedule(validated)];
    await flush();
    for (const { pending } of instances) {
      pending[0]?.finish();
    }
    await Promise.all(results);
    expect(instances.map(({ sizes }) => sizes)).toEqual([[1], [1]]);
  });
});

describe('with a queue delay', () => {
  it('D02: batches are of the preferred size until the delay is over, never one larger', async () => {
    const { clock, instance, send } = openScheduler(
      'max_batch_size: 8 dynamic_batching { preferred_batch_size: [4] max_queue_delay_microseconds: 2000000 }',
    );
    instance.computeMicroseconds = 50 * MS;
    for (let value = 0; value < 9; value += 1) {
      send(value);
    }
    await flush();
    for (let step = 0; step < 2; step += 1) {
      await clock.advance(50 * MS);
      instance.pending[0]?.finish();
      await flush();
    }
    expect(instance.sizes).toEqual([4, 4]);
    await clock.advance(1_899 * MS);
    await flush();
    expect(instance.sizes).toEqual([4, 4]);
    await clock.advance(MS);
    await flush();
    expect(instance.sizes).toEqual([4, 4, 1]);
  });

  it('D02: after the delay a batch takes what is there, up to the maximum', async () => {
    const { clock, instance, send } = openScheduler(
      'max_batch_size: 8 dynamic_batching { preferred_batch_size: [4] max_queue_delay_microseconds: 1000 }',
    );
    instance.computeMicroseconds = 50 * MS;
    for (let value = 0; value < 4; value += 1) {
      send(value);
    }
    await flush();
    for (let value = 0; value < 7; value += 1) {
      send(value);
    }
    await clock.advance(50 * MS);
    instance.pending[0]?.finish();
    await flush();
    expect(instance.sizes).toEqual([4, 7]);
  });

  it('fills to the maximum where no size is preferred, and does not divide it', async () => {
    const { clock, instances, send } = openScheduler(
      'max_batch_size: 8 dynamic_batching { max_queue_delay_microseconds: 1000 }',
      2,
    );
    for (let value = 0; value < 11; value += 1) {
      send(value);
    }
    await flush();
    expect(instances.map(({ sizes }) => sizes)).toEqual([[8], []]);
    await clock.advance(MS);
    await flush();
    expect(instances.map(({ sizes }) => sizes)).toEqual([[8], [3]]);
  });

  it('takes the largest preferred size that is there', async () => {
    const { instance, send } = openScheduler(
      'max_batch_size: 8 dynamic_batching { preferred_batch_size: [2, 4, 6] max_queue_delay_microseconds: 1000 }',
    );
    for (let value = 0; value < 7; value += 1) {
      send(value);
    }
    await flush();
    expect(instance.sizes).toEqual([6]);
  });

  it('runs a batch at once that can grow no further', async () => {
    const { instance, send } = openScheduler(
      'max_batch_size: 8 dynamic_batching { preferred_batch_size: [8] max_queue_delay_microseconds: 1000 }',
    );
    send(1, { rows: 5 });
    send(2, { rows: 5 });
    await flush();
    expect(instance.sizes).toEqual([5]);
  });
});

describe('exclusive requests', () => {
  it('run alone as they are, several in flight, without waiting for a delay', async () => {
    const { instance, send } = openScheduler(
      'max_batch_size: 8 dynamic_batching { max_queue_delay_microseconds: 1000000 }',
    );
    send(0, { exclusive: true });
    await flush();
    instance.pending[0]?.finish();
    await flush();
    send(1);
    const sent = [2, 3, 4].map((value) => send(value, { exclusive: true, rows: 2 }));
    await flush();
    expect(instance.pending.map(({ values }) => values)).toEqual([
      [2, 2],
      [3, 3],
    ]);
    for (const run of instance.pending) {
      run.finish();
    }
    await flush();
    instance.pending[0]?.finish();
    await flush();
    expect(sent.map((one) => one.state())).toEqual([
      [2, 2],
      [3, 3],
      [4, 4],
    ]);
  });

  it('take turns with the others by age', async () => {
    const { clock, instance, send } = openScheduler('max_batch_size: 2 dynamic_batching {}');
    instance.computeMicroseconds = 100 * MS;
    send(0);
    await flush();
    for (const value of [1, 2, 3]) {
      send(value, { exclusive: value === 2 });
      await clock.advance(1);
    }
    for (let step = 0; step < 3; step += 1) {
      instance.pending[0]?.finish();
      await flush();
    }
    expect(instance.runs.map(({ values }) => values)).toEqual([[0], [1, 3], [2]]);
  });
});

describe('priorities', () => {
  it('are strict, with the order of arrival inside a level', async () => {
    const { instance, send } = openScheduler(
      'max_batch_size: 1 dynamic_batching { priority_levels: 3 default_priority_level: 2 }',
    );
    instance.computeMicroseconds = 100 * MS;
    send(0);
    await flush();
    send(31, { priority: 3 });
    send(21);
    send(11, { priority: 1 });
    send(22, { priority: 2 });
    send(12, { priority: 1 });
    for (let step = 0; step < 6; step += 1) {
      await flush();
      instance.pending[0]?.finish();
    }
    await flush();
    expect(instance.runs.map(({ values }) => values[0])).toEqual([0, 11, 12, 21, 22, 31]);
  });

  it('fill a batch up with requests of lower levels', async () => {
    const { instance, send } = openScheduler(
      'max_batch_size: 3 dynamic_batching { priority_levels: 2 default_priority_level: 2 }',
    );
    send(2);
    send(3);
    send(4);
    send(1, { priority: 1 });
    await flush();
    expect(instance.runs[0]?.values).toEqual([1, 2, 3]);
  });

  it('a batch that is ready gives way to one led by a higher level', async () => {
    const { clock, instance, send } = openScheduler(
      'max_batch_size: 2 dynamic_batching { priority_levels: 2 default_priority_level: 2 max_queue_delay_microseconds: 1000 }',
    );
    instance.computeMicroseconds = 100 * MS;
    send(0);
    await clock.advance(MS);
    await flush();
    send(20);
    await clock.advance(2 * MS);
    send(10, { priority: 1, width: 2 });
    send(11, { priority: 1, width: 2 });
    await flush();
    instance.pending[0]?.finish();
    await flush();
    expect(instance.runs[1]?.values).toEqual([10, 10, 11, 11]);
  });
});

describe('preserve_ordering', () => {
  const TEXT = 'max_batch_size: 1 dynamic_batching { preserve_ordering: true }';

  it('holds an answer back until every earlier one is out', async () => {
    const { instances, send } = openScheduler(TEXT, 2);
    const order: number[] = [];
    for (const value of [1, 2]) {
      void send(value).promise.then(() => order.push(value));
    }
    await flush();
    instances[1]?.pending[0]?.finish();
    await flush();
    expect(order).toEqual([]);
    instances[0]?.pending[0]?.finish();
    await flush();
    expect(order).toEqual([1, 2]);
  });

  it('tells a refusal at once', async () => {
    const { instance, send } = openScheduler(TEXT);
    instance.computeMicroseconds = 100 * MS;
    const controller = new AbortController();
    const first = send(1);
    const second = send(2, { signal: controller.signal });
    await flush();
    controller.abort();
    await flush();
    expect([first.state(), second.state()]).toEqual(['waiting', 'REQUEST_CANCELLED']);
  });

  it('without it answers go out as they come', async () => {
    const { instances, send } = openScheduler('max_batch_size: 1 dynamic_batching {}', 2);
    const sent = [send(1), send(2)];
    await flush();
    instances[1]?.pending[0]?.finish();
    await flush();
    expect(sent.map((one) => one.state())).toEqual(['waiting', [2]]);
  });
});

describe('without dynamic batching', () => {
  it.each([
    ['max_batch_size: 8', [2, 1, 1]],
    ['max_batch_size: 8 dynamic_batching {}', [4]],
  ])('%s', async (text, sizes) => {
    const { instance, send } = openScheduler(text);
    const sent = [send(1, { rows: 2 }), send(2), send(3)];
    for (let step = 0; step < 3; step += 1) {
      await flush();
      instance.pending[0]?.finish();
    }
    await flush();
    expect(sent.map((one) => one.state())).toEqual([[1, 1], [2], [3]]);
    expect(instance.sizes).toEqual(sizes);
  });

  it('requests of a model without a batch dimension run one by one over the idle instances', async () => {
    const { instances, send } = openScheduler('max_batch_size: 0', 2);
    const inputs = (value: number) =>
      new Map([['x', { datatype: 'FP32', shape: [1], data: new Float32Array([value]) } as const]]);
    const sent = [1, 2, 3].map((value) => send(0, { inputs: inputs(value) }));
    await flush();
    for (const instance of [...instances, ...instances]) {
      instance.pending[0]?.finish();
      await flush();
    }
    expect(sent.map((one) => one.state())).toEqual([[1], [2], [3]]);
    expect(instances.map(({ sizes }) => sizes)).toEqual([[1, 1], [1]]);
  });
});

describe('different outputs', () => {
  it('D06: are computed once for the batch, and each caller gets exactly its own', async () => {
    const { instance, send } = openScheduler('max_batch_size: 8 dynamic_batching {}');
    const sent = [
      send(1, { outputs: ['negated'] }),
      send(2, { outputs: ['same'] }),
      send(3),
      send(4, { outputs: ['negated', 'same'] }),
    ];
    await flush();
    expect(instance.runs.map(({ batch }) => batch.outputNames)).toEqual([['negated', 'same']]);
    instance.pending[0]?.finish();
    const results = await Promise.all(sent.map(({ promise }) => promise));
    expect(results.map(({ outputs }) => outputs.map(({ data }) => Number(data[0])))).toEqual([
      [-1],
      [2],
      [3, -3],
      [-4, 4],
    ]);
  });
});

describe('statistics', () => {
  it('count executions by rows, rows of successful requests and what waits', async () => {
    const { clock, scheduler, instance, send } = openScheduler('max_batch_size: 4 dynamic_batching {}');
    const first = send(1, { rows: 3 });
    await flush();
    send(2);
    send(3);
    await clock.advance(700);
    expect(scheduler.statistics()).toEqual({
      executionCount: 1,
      inferenceCount: 0,
      pendingRequests: 2,
      executionsByRows: new Map([[3, 1]]),
    });
    instance.computeMicroseconds = 500;
    instance.pending[0]?.finish();
    expect((await first.promise).timings).toEqual({
      queueMicroseconds: 200,
      computeInputMicroseconds: 0,
      computeInferMicroseconds: 500,
      computeOutputMicroseconds: 0,
      batchRows: 3,
    });
    await flush();
    instance.pending[0]?.finish();
    await flush();
    expect(scheduler.statistics()).toEqual({
      executionCount: 2,
      inferenceCount: 5,
      pendingRequests: 0,
      executionsByRows: new Map([
        [3, 1],
        [2, 1],
      ]),
    });
  });
});
