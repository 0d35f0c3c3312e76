import { expect, it } from 'vitest';
import { RunPointers, type RunPointer } from '../../../src/core/runLife/runPointers';

const pointer: RunPointer = {
  ...{ promptId: 'key', jobId: 'job', server: 'http://server', serverName: 'server', label: 'fox.json' },
  ...{ folder: '/outputs', record: 'fox.run.json', sentAt: 1, isSandbox: false },
};

it('a run is not owed again if the pointers are read while it is being settled', async () => {
  const files = new Map<string, string>();
  const slowly = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
  const pointers = new RunPointers(
    {
      list: (prefix: string) => {
        const names = [...files.keys()].filter((name) => name.startsWith(prefix));
        return Promise.resolve(names.map((name) => ({ name, modified: 0, size: 1 })));
      },
      read: (name: string) => Promise.resolve(files.get(name)),
      write: async (name: string, text: string) => {
        await slowly(10);
        files.set(name, text);
      },
      remove: (name: string) => Promise.resolve(void files.delete(name)),
    },
    { guard: (write) => write.then(() => true) },
  );
  await pointers.put(pointer);
  expect(pointers.owed()).toHaveLength(1);
  await Promise.all([pointers.settle(pointer), pointers.read()]);
  expect(pointers.owed()).toEqual([]);
  await pointers.read();
  expect([pointers.owed(), files.size]).toEqual([[], 1]);
});
