import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assembleTensor } from '../../tensor/create-tensor.ts';
import type { NamedTensors } from '../../tensor/tensor.ts';
import { computeFake, createFakeClient, FAKE_MODEL, valuesOf } from '../testing/fake-client.ts';
import { createFinishedJobs, type FinishedJobs, shownProblems } from '../testing/finished-jobs.ts';

const ROWS = 100;

let jobs: FinishedJobs;

beforeAll(async () => {
  jobs = createFinishedJobs(ROWS);
  await jobs.submit('jsonl');
});

afterAll(() => jobs.folder.remove());

describe('rows run again', () => {
  const shifted =
    (shift: number) =>
    async (request: Parameters<typeof computeFake>[0]): Promise<NamedTensors> => {
      const outputs = new Map(computeFake(request));
      const sum = outputs.get('sum');
      if (sum?.datatype !== 'FP64') {
        return outputs;
      }
      return outputs.set(
        'sum',
        assembleTensor(
          'FP64',
          sum.shape,
          sum.data.map((value) => value + shift),
        ),
      );
    };

  it('are named with the output that has another value now', async () => {
    const report = await jobs.verify('jsonl', { recompute: 3 }, createFakeClient({ infer: shifted(1) }));
    expect(report.recomputed).toEqual({ rows: 3, same: 0, close: 0, nondeterministicNodes: [] });
    expect(shownProblems(report).recompute).toEqual([
      "'r16', row 16: output 'sum' has another value now",
      "'r50', row 50: output 'sum' has another value now",
      "'r83', row 83: output 'sum' has another value now",
    ]);
  });

  it('may differ by rounding', async () => {
    const report = await jobs.verify('jsonl', { recompute: 3 }, createFakeClient({ infer: shifted(1e-12) }));
    expect(report).toMatchObject({ problems: [], recomputed: { rows: 3, close: 3 } });
  });

  it('O07: of a model that is not deterministic are no problem', async () => {
    const model = { ...FAKE_MODEL, nondeterministicNodes: ['Dropout_3'] };
    const report = await jobs.verify(
      'jsonl',
      { recompute: 3 },
      createFakeClient({ model, infer: shifted(1) }),
    );
    expect(report.problems).toEqual([]);
    expect(report.recomputed).toEqual({ rows: 3, same: 0, close: 0, nondeterministicNodes: ['Dropout_3'] });
  });

  it('are in the batches that they were in', async () => {
    const sizes: number[] = [];
    const infer = async (request: Parameters<typeof computeFake>[0]): Promise<NamedTensors> => {
      sizes.push(valuesOf(request).length / 3);
      return computeFake(request);
    };
    await jobs.verify('jsonl', { recompute: ROWS }, createFakeClient({ infer }));
    // 5 shards of 20 rows, in batches of 8.
    expect(sizes).toEqual([8, 8, 4, 8, 8, 4, 8, 8, 4, 8, 8, 4, 8, 8, 4]);
  });

  it('tell why they fail now', async () => {
    const infer = async (): Promise<NamedTensors> => {
      throw new Error('out of order');
    };
    const report = await jobs.verify('jsonl', { recompute: 1 }, createFakeClient({ infer }));
    expect(shownProblems(report).recompute).toEqual([
      expect.stringMatching(/'r50', row 50: fails now: .*out of order/),
    ]);
  });

  it('are not run by another model', async () => {
    const model = { ...FAKE_MODEL, sha256: 'b'.repeat(64) };
    const report = await jobs.verify('jsonl', { recompute: 3 }, createFakeClient({ model }));
    expect(shownProblems(report).recompute).toEqual([expect.stringContaining('the model has sha256 bbb')]);
  });
});
