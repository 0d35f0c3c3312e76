import { afterEach, describe, expect, it } from 'vitest';
import { failureLine, failureSource, tellFailure } from '../../../src/core/jobs/failureText';
import type { Job } from '../../../src/core/jobs/job';
import { stored } from './observations';
import { useTranslations } from '../../../src/core/safety/localize';

const told = (exceptionType: string, message: string, node?: string) =>
  tellFailure(
    { nodeId: '4', nodeType: 'CheckpointLoaderSimple', exceptionType, message, traceback: [] },
    node,
  );

describe("each Comfy Cloud error has our explanation, the server's words and a next step", () => {
  it.each([
    [
      'ValidationError',
      'The width must be a multiple of 8.',
      'The server rejected the workflow. The server says: “The width must be a multiple of 8”',
      'Fix the reported problems, then run again.',
    ],
    [
      'ModelDownloadError',
      'could not fetch flux1-dev.safetensors',
      "A model couldn't be downloaded. The server says: “could not fetch flux1-dev.safetensors”",
      'Check the model names and that you have access to them, then run again.',
    ],
    [
      'ImageDownloadError',
      'image not found: portrait.png',
      "An input image couldn't be downloaded. The server says: “image not found: portrait.png”",
      "Check the image's name or URL, upload it again if it's a file, then run again.",
    ],
    [
      'OOMError',
      'the machine has 24 GB',
      'The GPU ran out of memory. The server says: “the machine has 24 GB”',
      'Use a smaller image, batch, or model, or a machine with more memory.',
    ],
    [
      'InsufficientFundsError',
      '3 credits are left',
      "Your account doesn't have enough credits for this node. The server says: “3 credits are left”",
      'Add credits to your Comfy account, then try again.',
    ],
    [
      'InactiveSubscriptionError',
      'ended yesterday',
      'Your account has no active subscription. The server says: “ended yesterday”',
      'Check your subscription, then run again.',
    ],
  ])('%s', (type, words, message, nextAction) => {
    const source = `(${type} at CheckpointLoaderSimple, node 4)`;
    expect(told(type, words)).toEqual({ message: `${message} ${source}.`, nextAction });
    expect(told(type, '').message).toBe(`${message.replace(/\. The server says: .*/, '')} ${source}.`);
  });
});

describe('a failure in words', () => {
  it('shows an unknown server message once', () => {
    expect(told('ValueError', 'bad size\nat line 3').message).toBe(
      'CheckpointLoaderSimple failed: bad size at line 3 (ValueError at CheckpointLoaderSimple, node 4).',
    );
    expect(told('ValueError', 'bad size.', 'My loader').message).toBe(
      'bad size (ValueError at CheckpointLoaderSimple, node 4).',
    );
    expect(told('ValueError', '').message).toBe(
      'CheckpointLoaderSimple failed (ValueError at CheckpointLoaderSimple, node 4).',
    );
  });

  it('does not repeat the node type when the node has the same name', () => {
    expect(told('OOMError', 'full', 'CheckpointLoaderSimple').message).toMatch(
      /full” \(OOMError at node 4\)\.$/,
    );
  });

  it('of the infrastructure names no node', () => {
    const failure = { exceptionType: 'PanicError', message: 'oops', traceback: [] };
    expect(tellFailure(failure).message).toBe(
      'The server stopped in the middle of the run. The server says: “oops” (PanicError).',
    );
    expect(failureSource({ ...failure, exceptionType: 'Error' })).toBe('');
  });

  it('shows the message of a late refusal without its JSON', () => {
    const words = 'Failed to send prompt request: 400: {"error":{"message":"Prompt has no outputs"}}';
    expect(told('ValidationError', words).message).toBe(
      'The server rejected the workflow: Prompt has no outputs (ValidationError at CheckpointLoaderSimple, node 4).',
    );
    expect(
      told('ValidationError', 'Failed: 400: {"error":{"message":""},"node_errors":{"1":{}}}').message,
    ).not.toContain('{');
  });

  it('is a single bounded line in which nothing acts', () => {
    const { message } = told('OOMError', `\u001b[31mred\n\u202eturned ${'x'.repeat(5_000)}`);
    expect(message).toMatch(/The server says: “\[31mred turned x+…” \(OOMError/);
    expect(message.length).toBeLessThan(600);
  });
});

describe('in another language', () => {
  afterEach(() => useTranslations('en', {}));

  it("has the server's words at their place in the sentence", () => {
    useTranslations('zh-cn', {
      '{0} failed: {1}': '因为“{1}”，{0} 失败',
      '{0} at {1}': '{1} 的 {0}',
      'node {0}': '节点 {0}',
    });
    expect(told('ValueError', 'bad size').message).toBe(
      '因为“bad size（CheckpointLoaderSimple，节点 4 的 ValueError）”，CheckpointLoaderSimple 失败。',
    );
  });
});

describe('the notification of a failed run', () => {
  const line = (message: string, more: Partial<Job> = {}) =>
    failureLine(
      { ...stored('failed'), ...more },
      { nodeId: '4', nodeType: 'KSampler', exceptionType: 'RuntimeError', message, traceback: [] },
    ).line();

  it('is never longer than 160 characters, whatever the names and the message', () => {
    const long = 'sizes of tensors must match except in dimension 1 '.repeat(20);
    const origin = { ...stored('failed').origin, label: long, nodeNames: { 4: long } } as Job['origin'];
    for (const told of [line(long), line(long, { origin }), line('Boom', { origin })]) {
      expect(told.length).toBeLessThanOrEqual(160);
      expect(told).toContain('failed at ');
    }
  });
});
