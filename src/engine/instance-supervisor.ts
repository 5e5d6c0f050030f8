import type { Backend, InstanceSpec, ModelInstance } from '../backend/backend.ts';
import type { Clock } from '../base/clock.ts';
import { errorText, MillraceError, toMillraceError } from '../base/errors.ts';
import type { Scheduler } from '../scheduler/scheduler.ts';

/** Tries to replace an instance that died, and the wait before the second of them; it doubles with each. */
const MAX_REPLACEMENTS_IN_A_ROW = 5;
const FIRST_WAIT_MICROSECONDS = 100_000;

/** An instance that has worked for this long counts as healthy: its death begins a new count. */
const HEALTHY_MICROSECONDS = 60_000_000;

/**
 * Owns the instances of one model version: makes them, gives them to the scheduler, replaces those that die, closes
 * them. An instance that dies again and again is given up; when the last is given up, what waits fails.
 */
export class InstanceSupervisor {
  readonly #backend: Backend;
  readonly #scheduler: Scheduler;
  readonly #clock: Clock;
  readonly #onNotice: (message: string) => void;
  readonly #instances = new Map<InstanceSpec, ModelInstance>();
  readonly #replacing = new Set<Promise<void>>();
  #closing = false;

  constructor(backend: Backend, scheduler: Scheduler, clock: Clock, onNotice: (message: string) => void) {
    this.#backend = backend;
    this.#scheduler = scheduler;
    this.#clock = clock;
    this.#onNotice = onNotice;
  }

  /** Devices that the instances really run on, each once. */
  get devices(): readonly string[] {
    return [...new Set([...this.#instances.values()].map(({ device }) => device))];
  }

  /** Instances that work now. */
  get size(): number {
    return this.#instances.size;
  }

  /** Makes all instances side by side. When one fails, those that were made are closed. @throws as `createInstance`. */
  async start(specs: readonly InstanceSpec[]): Promise<void> {
    const results = await Promise.allSettled(specs.map((spec) => this.#backend.createInstance(spec)));
    const failure = results.find((result) => result.status === 'rejected');
    if (failure !== undefined) {
      await Promise.all(
        results.map((result) => (result.status === 'fulfilled' ? result.value.close() : undefined)),
      );
      throw toMillraceError(failure.reason, 'an instance could not be made');
    }
    for (const [index, result] of results.entries()) {
      const spec = specs[index];
      if (spec !== undefined && result.status === 'fulfilled') {
        this.#adopt(spec, result.value, 0);
      }
    }
  }

  /** Waits for replacements under way, then closes every instance. */
  async close(): Promise<void> {
    this.#closing = true;
    await Promise.all(this.#replacing);
    await Promise.all([...this.#instances.values()].map((instance) => instance.close()));
    this.#instances.clear();
  }

  #adopt(spec: InstanceSpec, instance: ModelInstance, replacements: number): void {
    this.#instances.set(spec, instance);
    this.#scheduler.addInstance(instance);
    const bornMicroseconds = this.#clock.nowMicroseconds();
    void instance.failed.then((cause) => {
      this.#scheduler.removeInstance(instance);
      this.#instances.delete(spec);
      const lived = this.#clock.nowMicroseconds() - bornMicroseconds;
      const replacing = this.#replace(spec, cause, lived > HEALTHY_MICROSECONDS ? 0 : replacements);
      this.#replacing.add(replacing);
      void replacing.finally(() => this.#replacing.delete(replacing));
    });
  }

  async #replace(spec: InstanceSpec, cause: Error, replacements: number): Promise<void> {
    let reason = cause;
    for (let attempt = replacements; attempt < MAX_REPLACEMENTS_IN_A_ROW && !this.#closing; attempt += 1) {
      this.#onNotice(`instance '${spec.name}' died (${reason.message}); making a new one`);
      if (attempt > 0) {
        await this.#wait(FIRST_WAIT_MICROSECONDS * 2 ** (attempt - 1));
      }
      try {
        const instance = await this.#backend.createInstance(spec);
        if (this.#closing) {
          await instance.close();
          return;
        }
        this.#adopt(spec, instance, attempt + 1);
        return;
      } catch (error) {
        reason = toMillraceError(error, `instance '${spec.name}' could not be made`);
      }
    }
    if (this.#instances.size === 0) {
      const text = `every instance of model '${spec.config.name}' has died, the last because: ${errorText(reason)}`;
      this.#onNotice(text);
      this.#scheduler.rejectWaiting(new MillraceError('INSTANCE_FAILED', text, { cause: reason }));
    }
  }

  #wait(microseconds: number): Promise<void> {
    return new Promise((resolve) => {
      this.#clock.schedule(microseconds, resolve);
    });
  }
}
