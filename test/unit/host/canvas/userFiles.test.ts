import { describe, expect, it } from 'vitest';
import { decodedSegments, readUserFileRequest } from '../../../../src/host/canvas/userFiles';

/** What a request for `target` asks for; undefined if it isn't for user files. */
function asked(method: string, target: string): string | undefined {
  const [path = '', query] = target.split('?');
  return readUserFileRequest(method, decodedSegments(path), new URLSearchParams(query))?.kind;
}

describe('requests for user files', () => {
  it.each([
    ['GET', '/api/userdata/workflows%2Fa.json', 'read'],
    ['POST', '/api/userdata/workflows%2Fa.json?overwrite=true', 'write'],
    ['POST', '/userdata/workflows%252Fa.json', 'write'],
    ['GET', '/api/userdata?dir=workflows&recurse=true&full_info=true', 'list'],
    ['GET', '/api/v2/userdata?path=workflows', 'missing'],
    ['POST', '/api/userdata/workflows%2F.index.json', 'bookmarks'],
    ['GET', '/api/userdata/user.css', 'foreign'],
    ['GET', '/api/userdata?dir=subgraphs', 'foreign'],
    ['POST', '/api/userdata/subgraphs%2F%E6%B0%B4%E5%BD%A9.json', 'foreign'],
    ['GET', '/api/queue', undefined],
    ['GET', '/assets/userdata-panel.js', undefined],
  ])('knows %s %s', (method, target, kind) => {
    expect(asked(method, target)).toBe(kind);
  });

  const spellings = [
    'workflows%2Fb.json',
    'Workflows%2Fb.json',
    'WORKFLOWS/b.json',
    'workflows%252Fb.json',
    'workflows%25252Fb.json',
    'workflows%5Cb.json',
    'workflows//b.json',
    '%77orkflows%2fb.json',
    'subgraphs%2F..%2Fworkflows%2Fb.json',
    'subgraphs/../workflows/b.json',
    './workflows/b.json',
    '%2Fhome%2Fuser%2Fdefault%2Fworkflows%2Fb.json',
    'workflows.%2Fb.json',
    'workflows%20%2Fb.json',
    'workflows::$INDEX_ALLOCATION%2Fb.json',
    'WORKFL~1%2Fb.json',
    'work%E2%80%8Cflows%2Fb.json',
    '%EF%BD%97orkflows%2Fb.json',
    'wor%E2%84%AAflows%2Fb.json',
    'workflow%C5%BF%2Fb.json',
  ];

  it.each(spellings)('lets no request for userdata/%s reach the server that changes it', (spelling) => {
    for (const before of [
      '/api/userdata/',
      '/userdata/',
      '/api/v2/userdata/',
      '/api/UserData/',
      '//api//userd%61ta/',
    ]) {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        expect(asked(method, before + spelling)).toMatch(/^(write|change|forbidden|bookmarks)$/);
      }
      for (const moved of [
        `${spelling}/move/c.json`,
        `c.json/move/${spelling}`,
        `c.json%2Fmove%2F${spelling}`,
      ]) {
        expect(asked('POST', before + moved)).toMatch(/^(change|forbidden)$/);
      }
    }
  });

  it('lists no workflows of the server, under no name of their folder', () => {
    for (const dir of [
      '',
      '.',
      '/',
      './workflows',
      'Workflows',
      '..',
      'subgraphs/..',
      'workflows/deep',
      'WORKFL~1',
    ]) {
      expect(asked('GET', `/api/userdata?dir=${dir}`)).toMatch(/^(missing|list)$/);
      expect(asked('GET', `/api/v2/userdata?path=${dir}`)).toMatch(/^(missing|list)$/);
    }
  });
});
