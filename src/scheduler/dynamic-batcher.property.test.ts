import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MillraceError } from '../base/errors.ts';
import { FakeInstance } from './testing/fake-instance.ts';
import { flush, openScheduler, type Sent, type TestBench } from './testing/open-scheduler.ts';

const MAX_BATCH_SIZE = 6;

/** Every sixth value is one that the model refuses. */
const isGuilty = (value: number): boolean => value % 6 === 5;

interface Arrival {
  readonly kind: 'send';
  readonly rows: number;
  readonly width: number;
  readonly priority: number;
  readonly exclusive: boolean;
  readonly timeoutMicroseconds: number;
  readonly outputs: readonly string[];
}

type Step =
  | Arrival
  | { readonly kind: 'abort' | 'finish' | 'die'; readonly index: number }
  | { readonly kind: 'advance'; readonly microseconds: number };

const arrival: fc.Arbitrary<Arrival> = fc.record({
  kind: fc.constant('send' as const),
  rows: fc.integer({ min: 1, max: 2 * MAX_BATCH_SIZE + 1 }),
  width: fc.integer({ min: 1, max: 2 }),
  priority: fc.integer({ min: 0, max: 2 }),
  exclusive: fc.boolean(),
  timeoutMicroseconds: fc.constantFrom(0, 0, 300, 5_000),
  outputs: fc.constantFrom(['same'], ['same', 'negated']),
});

const step: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: arrival, weight: 5 },
  { arbitrary: fc.record({ kind: fc.constantFrom('finish' as const), index: fc.nat(5) }), weight: 4 },
  { arbitrary: fc.record({ kind: fc.constantFrom('abort' as const), index: fc.nat(40) }), weight: 1 },
  { arbitrary: fc.record({ kind: fc.constantFrom('die' as const), index: fc.nat(2) }), weight: 1 },
  { arbitrary: fc.record({ kind: fc.constant('advance' as const), microseconds: fc.nat(1_500) }), weight: 2 },
);

/** An order of answers can only be kept where nothing changes the order of executions. */
const order = fc.constantFrom(
  { ordering: 'preserve_ordering: true', action: 'REJECT' },
  { ordering: 'priority_levels: 2 default_priority_level: 2', action: 'REJECT' },
  { ordering: 'priority_levels: 2 default_priority_level: 2', action: 'DELAY' },
  { ordering: '', action: 'DELAY' },
);

const config = fc
  .record({
    order,
    preferred: fc.constantFrom('', 'preferred_batch_size: [2, 4]'),
    delay: fc.constantFrom(0, 0, 1_000),
    timeout: fc.constantFrom(0, 2_000),
    queueSize: fc.constantFrom(0, 3),
  })
  .map(
    ({ order: { ordering, action }, preferred, delay, timeout, queueSize }) => `
      max_batch_size: ${MAX_BATCH_SIZE}
      parameters { key: "split_oversize" value { string_value: "true" } }
      dynamic_batching {
        ${preferred} max_queue_delay_microseconds: ${delay} ${ordering}
        default_queue_policy {
          timeout_action: ${action} default_timeout_microseconds: ${timeout} allow_timeout_override: true
          max_queue_size: ${queueSize}
        }
      }`,
  );

interface Tracked {
  readonly value: number;
  readonly arrival: Arrival;
  readonly sent: Sent;
  readonly controller: AbortController;
  readonly answers: { count: number };
  /** It was given up before any of it ran. */
  neverRuns: boolean;
}

/** A bench that counts answers, and replaces what dies. */
class Simulation {
  readonly #bench: TestBench;
  readonly #instances: FakeInstance[];
  readonly #living: FakeInstance[];
  readonly requests: Tracked[] = [];

  constructor(text: string) {
    this.#bench = openScheduler(text, 2);
    this.#instances = [...this.#bench.instances];
    this.#living = [...this.#bench.instances];
  }

  get runs() {
    return this.#instances.flatMap(({ runs }) => runs);
  }

  get statistics() {
    return this.#bench.scheduler.statistics();
  }

  async take(taken: Step): Promise<void> {
    switch (taken.kind) {
      case 'send':
        this.#send(taken);
        break;
      case 'abort': {
        const request = this.requests[taken.index];
        if (request?.sent.state() === 'waiting') {
          request.neverRuns = !this.runs.some(({ values }) => values.includes(request.value));
          request.controller.abort();
        }
        break;
      }
      case 'finish':
        this.#finish(taken.index);
        await flush();
        break;
      case 'die': {
        const [instance] = this.#living.splice(taken.index % this.#living.length, 1);
        const replacement = new FakeInstance();
        instance?.die();
        this.#instances.push(replacement);
        this.#living.push(replacement);
        this.#bench.scheduler.addInstance(replacement);
        await flush();
        break;
      }
      case 'advance':
        await this.#bench.clock.advance(taken.microseconds);
        await flush();
    }
  }

  /** Finishes all there is. @returns timers that are left. */
  async close(): Promise<number> {
    const closing = this.#bench.scheduler.close();
    await flush();
    while (this.#living.some(({ pending }) => pending.length > 0)) {
      this.#finish(0);
      await flush();
    }
    await closing;
    await flush();
    return this.#bench.clock.pendingTimers;
  }

  #send(taken: Arrival): void {
    const value = 10 + this.requests.length;
    const controller = new AbortController();
    const sent = this.#bench.send(value, { ...taken, signal: controller.signal });
    const answers = { count: 0 };
    const count = () => {
      answers.count += 1;
    };
    sent.promise.then(count, count);
    this.requests.push({ value, arrival: taken, sent, controller, answers, neverRuns: false });
  }

  #finish(index: number): void {
    const pending = this.#living.flatMap((instance) => instance.pending.slice(0, 1));
    const run = pending[index % Math.max(1, pending.length)];
    if (run?.values.some(isGuilty)) {
      run.fail(new MillraceError('EXECUTION_FAILED', 'a guilty value'));
    } else {
      run?.finish();
    }
  }
}

describe('any sequence of arrivals, executions, failures, deaths, aborts and waits', () => {
  it('answers every request once, with its own rows, in batches that obey the rules', async () => {
    await fc.assert(
      fc.asyncProperty(config, fc.array(step, { minLength: 5, maxLength: 60 }), async (text, steps) => {
        const simulation = new Simulation(text);
        for (const taken of steps) {
          await simulation.take(taken);
        }
        expect(await simulation.close()).toBe(0);
        checkBatches(simulation);
        checkAnswers(simulation);
      }),
      { numRuns: 300 },
    );
  });
});

function checkBatches({ runs, requests, statistics }: Simulation): void {
  const byValue = new Map(requests.map((request) => [request.value, request]));
  for (const { rows, values } of runs) {
    expect(rows).toBeLessThanOrEqual(MAX_BATCH_SIZE);
    const inBatch = [...new Set(values)].map((value) => byValue.get(value));
    expect(new Set(inBatch.map((request) => request?.arrival.width)).size).toBe(1);
    if (inBatch.some((request) => request?.arrival.exclusive)) {
      expect(inBatch).toHaveLength(1);
    }
  }
  expect(statistics.executionCount).toBe(runs.length);
  expect([...statistics.executionsByRows.values()].reduce((sum, count) => sum + count, 0)).toBe(runs.length);
  expect(statistics.pendingRequests).toBe(0);
}

function checkAnswers({ runs, requests }: Simulation): void {
  const executed = new Set(runs.flatMap(({ values }) => values));
  for (const { value, arrival: sent, sent: request, answers, neverRuns } of requests) {
    const state = request.state();
    expect(answers.count).toBe(1);
    if (typeof state !== 'string') {
      expect(isGuilty(value)).toBe(false);
      expect(state).toEqual(new Array(sent.rows * sent.width).fill(value));
    } else {
      expect([
        'QUEUE_FULL',
        'REQUEST_TIMEOUT',
        'REQUEST_CANCELLED',
        'EXECUTION_FAILED',
        'INSTANCE_FAILED',
      ]).toContain(state);
      expect(state === 'EXECUTION_FAILED' && !isGuilty(value)).toBe(false);
    }
    const wasRefused = state === 'QUEUE_FULL' || (state === 'REQUEST_TIMEOUT' && sent.rows <= MAX_BATCH_SIZE);
    if (wasRefused || neverRuns) {
      expect(executed.has(value)).toBe(false);
    }
  }
}
