import { describe, expect, it } from 'vitest';
import { completeAddress } from '../../../src/core/client/completeAddress';

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
