import { describe, expect, it } from 'vitest';
import {
  isLoopback,
  mayCarryCredential,
  normaliseBase,
  socketAddress,
} from '../../../src/core/client/address';
import { Secrets } from '../../../src/core/safety/secrets';

describe('addresses', () => {
  it('are reduced to what is needed', () => {
    expect(normaliseBase('http://127.0.0.1:8188/')).toBe('http://127.0.0.1:8188');
    expect(normaliseBase('https://Host.example/comfy/?a=1#b')).toBe('https://host.example/comfy');
  });

  it("that can't be a server are rejected with a sentence", () => {
    for (const url of ['', 'localhost:8188', 'ftp://x', 'https://name:word@host']) {
      expect(() => normaliseBase(url)).toThrow(/server address/);
    }
  });

  it('distinguish this machine from others', () => {
    for (const url of ['http://localhost:1', 'http://127.9.0.1', 'http://[::1]:8', 'ws://a.localhost']) {
      expect(isLoopback(url)).toBe(true);
    }
    for (const url of [
      'http://localhost.example',
      'http://128.0.0.1',
      'http://0.0.0.0',
      'http://127.0.0.1.example',
    ]) {
      expect(isLoopback(url)).toBe(false);
    }
  });

  it('allow credentials only over https or on this machine', () => {
    expect(mayCarryCredential('https://cloud.comfy.org')).toBe(true);
    expect(mayCarryCredential('http://127.0.0.1:8188')).toBe(true);
    expect(mayCarryCredential('http://192.168.1.2:8188')).toBe(false);
    expect(mayCarryCredential('no address')).toBe(false);
  });

  it('give the socket address, without a token if unencrypted', () => {
    expect(socketAddress('https://host/comfy', 'me', 'test key')).toBe(
      'wss://host/comfy/ws?clientId=me&token=test+key',
    );
    expect(socketAddress('http://10.0.0.1:8188', 'me')).toBe('ws://10.0.0.1:8188/ws?clientId=me');
    expect(() => socketAddress('http://10.0.0.1:8188', 'me', 'test-key')).toThrow(/wasn't sent/);
  });
});

describe('text for logs and errors', () => {
  const hidden: readonly (readonly [string, string])[] = [
    ['wss://h/ws?clientId=a&token=abc def', 'token in an address'],
    ['https://s/x?X-Goog-Signature=abc&X-Goog-Date=abc', 'signed address'],
    ['X-API-Key: abc', 'key header'],
    ['{"authorization":"Bearer abc"}', 'bearer header'],
    ['Authorization: Basic abc', 'basic header'],
    ['{"extra_data":{"api_key_comfy_org":"abc"}}', 'partner key'],
    ['{\\"auth_token_comfy_org\\":\\"abc\\"}', 'partner token in a string'],
    ['http://user:abc@host/', 'password in an address'],
    ['my test+abc', 'a known secret'],
    ['q=test%2Babc%3D', 'a known secret, encoded'],
  ];
  for (const [text, name] of hidden) {
    it(`hides a ${name}`, () => {
      const secrets = new Secrets();
      secrets.add('test+abc');
      const clean = secrets.scrub(text);
      expect(clean).not.toContain('abc');
      expect(clean).toContain('[hidden]');
    });
  }

  it('keeps everything else', () => {
    const text = 'GET /api/queue answered 200; node 3: KSampler, key order kept, tokens: 77';
    expect(new Secrets().scrub(text)).toBe(text);
  });
});
