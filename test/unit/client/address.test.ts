import { describe, expect, it } from 'vitest';
import {
  isLoopback,
  isPrivate,
  mayCarryCredential,
  normaliseBase,
  socketAddress,
} from '../../../src/core/client/address';
import { completeAddress } from '../../../src/core/client/completeAddress';

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

describe('the address of a server as typed', () => {
  it.each([
    ['localhost:8188', 'http://localhost:8188'],
    [' 127.0.0.1:8188 ', 'http://127.0.0.1:8188'],
    ['192.168.1.20', 'http://192.168.1.20'],
    ['[::1]:8188', 'http://[::1]:8188'],
    ['render-box:8188/comfy', 'http://render-box:8188/comfy'],
    ['render-box.local', 'http://render-box.local'],
    ['comfy.example.org', 'https://comfy.example.org'],
    ['comfy.example.org/comfy', 'https://comfy.example.org/comfy'],
    ['comfy.example.org:8188', 'http://comfy.example.org:8188'],
    ['https://comfy.example.org', 'https://comfy.example.org'],
    ['HTTP://localhost:8188', 'HTTP://localhost:8188'],
  ])('%j becomes %j', (typed, address) => {
    expect(completeAddress(typed)).toBe(address);
  });

  it.each([
    '',
    'sanbox',
    'not an address',
    'name:secret@localhost:8188',
    'ftp://localhost',
    'mailto:a@b.example',
  ])('%j stays unchanged, to be rejected', (typed) => {
    expect(completeAddress(typed)).toBe(typed);
  });
});

it.each([
  'http://127.0.0.1/',
  'https://0x7f.1/',
  'https://2130706433/',
  'https://localhost./',
  'https://localhost../',
  'https://0177.0.0.1/',
  'https://a.localhost/',
  'https://0.0.0.0/',
  'https://10.1.2.3/',
  'https://100.64.0.1/',
  'https://169.254.169.254/',
  'https://172.31.0.1/',
  'https://192.168.178.1/',
  'https://198.18.0.1/',
  'https://224.0.0.1/',
  'https://255.255.255.255/',
  'https://[::1]/',
  'https://[::]/',
  'https://[::ffff:192.168.0.1]/',
  'https://[::127.0.0.1]/',
  'https://[64:ff9b::10.0.0.1]/',
  'https://[64:ff9b:1::10.0.0.1]/',
  'https://[::ffff:0:10.0.0.1]/',
  'https://[2002:a00:1::]/',
  'https://[::7]/',
  'https://[fe80::1]/',
  'https://[fd00::1]/',
  'https://[FC00::1]/',
  'https://router/',
  'https://printer.local/',
  'https://nas.home.arpa/',
  'https://metadata.google.internal/',
  'no address',
])('%s is private', (url) => {
  expect(isPrivate(url)).toBe(true);
});

it.each([
  'https://storage.example.org/',
  'https://8.8.8.8/',
  'https://100.128.0.1/',
  'https://172.32.0.1/',
  'https://192.0.2.1/',
  'https://[2001:4860:4860::8888]/',
  'https://[::ffff:8.8.8.8]/',
  'https://[64:ff9b::8.8.8.8]/',
  'https://[2002:808:808::]/',
  'https://local.example.org/',
])('%s is public', (url) => {
  expect(isPrivate(url)).toBe(false);
});
