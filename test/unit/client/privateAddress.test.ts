import { expect, it } from 'vitest';
import { isPrivate } from '../../../src/core/client/address';

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
