import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FaultProxy } from '../../soak/faultProxy';
import { describeCase, planCase } from '../../soak/soakCase';
import { targets, type WireFault, type WireFaultKind } from '../../soak/wireFaults';

describe('the fault proxy', () => {
  it('passes everything on without a fault', async () => {
    const { ask, heard } = await behindProxy([]);
    expect(await ask('a')).toBe(answer);
    expect(await ask('b')).toBe(answer);
    expect(heard).toEqual(['a', 'b']);
  });

  it('resets a connection before the request reaches the server', async () => {
    const { ask, heard, struck } = await behindProxy([fault('refuse')]);
    await expect(ask('a')).rejects.toThrow();
    expect(await ask('b')).toBe(answer);
    expect(heard).toEqual(['b']);
    expect(struck).toEqual(['refuse']);
  });

  it.each([0, 40, 300])('cuts off the answer after %i bytes, once the request was read', async (bytes) => {
    const { ask, heard } = await behindProxy([fault('cut', { bytes })]);
    await expect(ask('a')).rejects.toThrow();
    expect(await ask('b')).toBe(answer);
    expect(heard).toEqual(['a', 'b']);
  });

  it('ends the answer early but cleanly', async () => {
    const { ask, heard } = await behindProxy([fault('halfCloseToClient', { bytes: 400 })]);
    await expect(ask('a')).rejects.toThrow();
    expect(heard).toEqual(['a']);
  });

  it('goes silent in the middle of an answer', async () => {
    const { ask, heard } = await behindProxy([fault('stall', { bytes: 400, ms: 100 })]);
    await expect(ask('a')).rejects.toThrow();
    expect(heard).toEqual(['a']);
  });

  it("forwards a request after the client's connection was closed", async () => {
    const { ask, heard, proxy } = await behindProxy([fault('late', { ms: 100 })]);
    await expect(ask('a')).rejects.toThrow();
    expect(heard).toEqual([]);
    await proxy.settled();
    expect(heard).toEqual(['a']);
  });

  it.each<WireFaultKind>(['delay', 'drip', 'halfCloseToServer'])('only delays with %s', async (kind) => {
    const { ask, heard, struck } = await behindProxy([fault(kind, { bytes: 2_000, ms: 50 })]);
    const said = await ask('a').catch(() => undefined);
    // A server may take the end of a request as the end of the connection.
    expect(said === answer || kind === 'halfCloseToServer').toBe(true);
    expect(heard).toEqual(['a']);
    expect(struck).toEqual([kind]);
    expect(await ask('b')).toBe(answer);
  });

  it('affects only the request that a fault is for', async () => {
    const { ask, heard } = await behindProxy([fault('refuse', { skip: 1 })]);
    expect(await ask('a')).toBe(answer);
    await expect(ask('b')).rejects.toThrow();
    expect(await ask('c')).toBe(answer);
    expect(heard).toEqual(['a', 'c']);
  });
});

describe('a soak case', () => {
  const size = { network: 200, server: 75, kill: 40 };
  const all = (seed: number): readonly string[] =>
    Array.from({ length: 315 }, (_, index) => describeCase(planCase(seed, index, size)));

  it('is the same for the same seed and different for another', () => {
    expect(all(7)).toEqual(all(7));
    expect(all(8)).not.toEqual(all(7));
  });

  it('covers every dialect and every fault', () => {
    const text = all(7).join('\n');
    for (const word of [
      'cloud',
      'local:',
      'local-old',
      'late at',
      'cut at',
      'drip',
      'SIGKILL',
      'restartServer',
      'hang',
    ]) {
      expect(text).toContain(word);
    }
  });
});

const answer = 'x'.repeat(1_000);

function fault(kind: WireFaultKind, more: Partial<WireFault> = {}): WireFault {
  const target = targets.find(({ name }) => name === 'POST prompt');
  if (!target) throw new Error('There is no such target.');
  return { kind, target, skip: 0, bytes: 0, ms: 0, ...more };
}

async function behindProxy(faults: readonly WireFault[]) {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      heard.push(Buffer.concat(chunks).toString());
      response.end(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy = new FaultProxy(faults);
  const url = await proxy.standBefore(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  onTestFinished(async () => {
    await proxy.close();
    server.closeAllConnections();
    server.close();
  });
  const ask = async (body: string): Promise<string> => {
    const response = await fetch(`${url}/api/prompt?x`, { method: 'POST', body });
    return response.text();
  };
  return { ask, heard, proxy, struck: proxy.struck };
}
