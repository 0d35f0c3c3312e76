import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { embeddedValidation, readErrorBody } from '../../../src/core/protocol/errorBody';

const read = (body: unknown) => readErrorBody(JSON.stringify(body), 'application/json');

const shapes: readonly (readonly [name: string, body: string, message?: string, code?: string])[] = [
  [
    'a refused prompt',
    '{"error":{"type":"no_prompt","message":"No prompt provided","details":"","extra_info":{}},"node_errors":{}}',
    'No prompt provided',
    'no_prompt',
  ],
  ['error with code', '{"error":{"code":"queue_full","message":"Full","details":{}}}', 'Full', 'queue_full'],
  ['error with type', '{"error":{"type":"QUEUE_LIMIT","message":"Full"}}', 'Full', 'QUEUE_LIMIT'],
  ['error as text', '{"error":"Job not found"}', 'Job not found'],
  ['code and message', '{"code":"UNAUTHORIZED","message":"Who?","details":{}}', 'Who?', 'UNAUTHORIZED'],
  ['error as code beside a message', '{"error":"NOT_FOUND","message":"No node"}', 'No node', 'NOT_FOUND'],
  [
    'error as heading of a message',
    '{"error":"Internal Server Error","message":"No node"}',
    'Internal Server Error: No node',
  ],
  ['message', '{"message":"Just words"}', 'Just words'],
  ['reason', '{"reason":"Because"}', 'Because'],
  ['detail as text', '{"detail":"Nope"}', 'Nope'],
  ['detail as record', '{"detail":{"code":"payment_required","message":"Pay"}}', 'Pay', 'payment_required'],
  ['detail as list', '{"detail":[{"msg":"a"},{"msg":"b"}]}', 'a; b'],
  ['errors as list', '{"code":"invalid","errors":[{"message":"a"},"b"]}', 'a; b', 'invalid'],
  ['plain text', '500 Internal Server Error\n', '500 Internal Server Error'],
  ['JSON text in a string', '"{\\"error\\":{\\"type\\":\\"x\\",\\"message\\":\\"inside\\"}}"', 'inside', 'x'],
  ['JSON text in a message', '{"message":"{\\"error\\":\\"inside\\"}"}', 'inside'],
  ['a page', '<!DOCTYPE html><html><body><h1>502</h1></body></html>'],
  ['a page without doctype', 'Oops <center><h1>Bad gateway</h1></center>'],
  ['long text', 'x'.repeat(501)],
  ['nothing', ''],
  ['blanks', ' \n'],
  ['an empty record', '{}'],
  ['null', 'null', 'null'],
  ['broken JSON', '{"error":', '{"error":'],
];

describe('error bodies', () => {
  for (const [name, body, message, code] of shapes) {
    it(`reads ${name}`, () => {
      const said = readErrorBody(body);
      expect([said.message, said.code]).toEqual([message, code]);
    });
  }

  it('trusts the header that says it is a page', () => {
    expect(readErrorBody('Sorry', 'text/html; charset=utf-8')).toEqual({});
  });

  it('reads node errors, and every form of none', () => {
    const error = { type: 't', message: 'm', details: 'd', extra_info: { input_name: 'steps' } };
    expect(
      read({
        error: 'bad',
        node_errors: { '3': { class_type: 'K', errors: [error], dependent_outputs: ['9'] } },
      }).nodeErrors,
    ).toEqual({
      '3': {
        classType: 'K',
        dependentOutputs: ['9'],
        errors: [{ type: 't', message: 'm', details: 'd', extraInfo: { input_name: 'steps' } }],
      },
    });
    expect(read({ error: 'bad', node_errors: [] }).nodeErrors).toEqual({});
    expect(read({ error: 'bad', node_errors: null }).nodeErrors).toEqual({});
    expect(read({ error: 'bad' })).not.toHaveProperty('nodeErrors');
  });

  it('passes on the complete error about a prompt', () => {
    expect(
      read({
        error: { type: 'missing_node_type', message: 'No', details: 'Node 1', extra_info: { node_id: '1' } },
      }).promptError,
    ).toEqual({ type: 'missing_node_type', message: 'No', details: 'Node 1', extraInfo: { node_id: '1' } });
    expect(read({ error: 'plain words' }).promptError).toEqual({ message: 'plain words' });
  });

  it('never throws, and never passes on markup or very long text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (body) => {
        expect((readErrorBody(body).message ?? '').length).toBeLessThanOrEqual(2001);
      }),
    );
    expect(read({ message: '<html><body>secret page</body></html>' })).toEqual({});
    expect(read({ message: 'y'.repeat(9000) }).message).toHaveLength(2001);
  });
});

describe('late validation', () => {
  it('finds the refusal inside the message', () => {
    const refusal = {
      error: { type: 'prompt_outputs_failed_validation', message: 'Prompt outputs failed validation' },
      node_errors: { '3': { errors: [{ type: 'value_not_in_list' }] } },
    };
    const message = `Failed to send prompt request: request returned error status 400: ${JSON.stringify(refusal)}\n`;
    expect(embeddedValidation(message)).toMatchObject({
      error: { type: 'prompt_outputs_failed_validation' },
      nodeErrors: { '3': { errors: [{ type: 'value_not_in_list' }] } },
    });
  });

  it('skips empty node errors, and finds nothing in other messages', () => {
    expect(embeddedValidation('x {"error":"bad","node_errors":{}} y')).toEqual({ error: { message: 'bad' } });
    for (const message of ['', 'CUDA out of memory', 'a } b {', '{}', "{'python': 1}"]) {
      expect(embeddedValidation(message)).toBeUndefined();
    }
  });
});
