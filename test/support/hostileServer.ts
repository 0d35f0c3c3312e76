import type { ServerResponse } from 'node:http';
import type { WebSocket } from 'ws';
import type { Arrival, Loopback } from './loopback';
import { loopback } from './loopback';
import { secretForms } from './secretForms';

export type Hostility =
  | 'completes'
  | 'fails'
  | 'failsInHistory'
  | 'refusesPrompt'
  | 'refusesAccount'
  | 'answersPlainText'
  | 'redirects'
  | 'redirectsFiles'
  | 'refusesFiles'
  | 'asksForPatience'
  | 'isNoServer';

export interface HostileServer extends Loopback {
  /** Names of the requested files, as they appeared in the requests. */
  readonly fetched: Set<string>;
  /** Real names of all output files. */
  readonly names: readonly string[];
}

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/**
 * A server that quotes the caller's key in every field it can fill, in every form, one after the other. On the wire
 * some of its JSON spells the key in escapes.
 */
export async function hostileServer(
  key: string,
  hostility: Hostility,
  dialect: 'local' | 'cloud' = 'local',
): Promise<HostileServer> {
  const forms = Object.values(secretForms).map((form) => form(key));
  let next = 0;
  /** Forms in turn, few enough to stay below the length at which texts are cut. */
  const quote = (count = 3): string =>
    ['(', ...Array.from({ length: count }, () => forms[next++ % forms.length]), escapedOnTheWire, ')'].join(
      ' ',
    );
  const names = forms.map((form) => `${form}.png`);
  const fetched = new Set<string>();
  const sockets: WebSocket[] = [];
  let job: string | undefined;

  const failure = () => ({
    prompt_id: job,
    node_id: '1',
    node_type: quote(),
    executed: [],
    exception_type: quote(1),
    exception_message: quote(6),
    traceback: [quote(), quote()],
    current_inputs: { [quote(1)]: [quote()] },
  });
  const images = () => names.map((filename) => ({ filename, subfolder: key, type: 'output' }));
  const outputs = () => ({
    2: { images: images(), text: [quote(forms.length)], [quote(1)]: [{ [quote(1)]: quote() }] },
  });
  const fails = () => hostility === 'fails' || hostility === 'failsInHistory';
  const history = () => ({
    prompt: [1, job, {}, { [quote(1)]: quote() }, []],
    outputs: fails() ? {} : outputs(),
    status: {
      status_str: fails() ? 'error' : 'success',
      completed: !fails(),
      messages: fails() ? [['execution_error', failure()]] : [['execution_success', { prompt_id: job }]],
    },
  });
  const tell = (type: string, data: unknown) => {
    for (const socket of sockets) socket.send(onTheWire(JSON.stringify({ type, data }), key));
  };
  const run = () => {
    tell('execution_start', { prompt_id: job });
    tell('notification', { value: quote() });
    tell('progress_state', {
      prompt_id: job,
      nodes: { [key]: { value: 1, max: 2, state: quote(1) }, 1: { value: 1, max: 1, state: 'finished' } },
    });
    for (const socket of sockets) {
      socket.send(Buffer.concat([Buffer.from([0, 0, 0, 3, 0, 0, 0, 1]), Buffer.from(`1${quote()}`)]));
    }
    if (hostility === 'failsInHistory') return;
    if (hostility === 'fails') {
      tell('execution_error', failure());
      return;
    }
    tell('executed', { prompt_id: job, node: '2', output: outputs()[2] });
    tell('execution_success', { prompt_id: job });
  };

  const answers: Record<string, (arrival: Arrival) => unknown> = {
    '/api/system_stats': () => ({
      system: {
        os: quote(1),
        comfyui_version: quote(1),
        python_version: quote(1),
        ...(dialect === 'cloud' && { deploy_environment: 'cloud' }),
      },
      devices: [{ name: quote(), type: quote() }],
    }),
    '/api/features': () => ({ supports_preview_metadata: true, [quote(1)]: quote() }),
    '/api/user': () => ({ id: quote(), status: quote() }),
    '/api/object_info': () => ({
      EmptyImage: node([], { width: ['INT', { tooltip: quote() }] }, ['IMAGE'], quote()),
      SaveImage: node(
        ['IMAGE'],
        { images: ['IMAGE'], filename_prefix: ['STRING', { default: quote() }] },
        [],
        quote(),
        true,
      ),
      [quote(1)]: node([], { [quote(1)]: [[quote(), quote()]] }, ['IMAGE'], quote()),
    }),
    '/api/queue': () => ({ queue_running: [], queue_pending: [] }),
    '/api/upload/image': () => ({ name: quote(1), subfolder: quote(1), type: 'input' }),
    '/api/prompt': (arrival) => {
      job =
        (JSON.parse(arrival.body) as { prompt_id?: string }).prompt_id ??
        '00000000-0000-4000-8000-000000000001';
      setTimeout(run, 20);
      return { prompt_id: job, number: 1, node_errors: {} };
    },
  };

  const jobRecord = () => ({
    id: job,
    status: fails() ? 'failed' : 'completed',
    outputs: fails() ? {} : outputs(),
    ...(fails() && { execution_error: failure() }),
    execution_status: history().status,
    workflow: { [quote(1)]: quote() },
  });

  const server = await loopback({
    socket: (socket) => {
      sockets.push(socket);
      socket.send(onTheWire(JSON.stringify({ type: 'status', data: { sid: quote(1), status: {} } }), key));
    },
    answer: (arrival, response) => {
      const { path: target } = arrival;
      response.setHeader('Set-Cookie', `session=${key}`);
      response.setHeader('WWW-Authenticate', `Bearer realm="${key}"`);
      const json = (status: number, body: unknown) => {
        response
          .writeHead(status, { 'Content-Type': 'application/json' })
          .end(onTheWire(JSON.stringify(body), key));
      };
      if (hostility === 'isNoServer') {
        response
          .writeHead(500, { 'Content-Type': 'text/html', 'Retry-After': key })
          .end(`<h1>${quote()}</h1>`);
        return;
      }
      if (hostility === 'redirects') {
        response.writeHead(302, { Location: `https://${key}.example/?${key}` }).end(quote());
        return;
      }
      if (target === '/api/prompt' && arrival.method === 'POST') {
        if (hostility === 'refusesPrompt') {
          json(400, {
            error: {
              type: quote(1),
              message: quote(4),
              details: quote(),
              extra_info: { [quote(1)]: quote() },
            },
            node_errors: {
              1: {
                class_type: quote(1),
                dependent_outputs: ['2'],
                errors: [nodeError(quote), nodeError(quote)],
              },
              [key]: { class_type: quote(1), errors: [nodeError(quote)] },
            },
          });
          return;
        }
        if (hostility === 'refusesAccount') {
          json(402, { code: quote(1), message: quote(5) });
          return;
        }
        if (hostility === 'asksForPatience') {
          json(403, { detail: quote(5) });
          return;
        }
        if (hostility === 'answersPlainText') {
          response.writeHead(403, { 'Content-Type': 'text/plain' }).end(quote(2));
          return;
        }
      }
      if (target === '/api/view') {
        sendFile(arrival, response);
        return;
      }
      if (dialect === 'cloud' && target === '/api/jobs') {
        json(200, { jobs: [], pagination: {} });
        return;
      }
      if (dialect === 'cloud' && job !== undefined && target === `/api/jobs/${job}`) {
        json(200, jobRecord());
        return;
      }
      if (dialect === 'cloud' && job !== undefined && target === `/api/job/${job}/status`) {
        json(200, { status: jobRecord().status, error_message: quote() });
        return;
      }
      if (target.startsWith('/api/history')) {
        json(200, job === undefined ? {} : { [job]: history() });
        return;
      }
      const answer = answers[target];
      if (answer) json(200, answer(arrival));
      else response.writeHead(404, { 'Content-Type': 'text/plain' }).end('404: Not Found');
    },
  });

  function sendFile(arrival: Arrival, response: ServerResponse): void {
    const name = arrival.query.get('filename') ?? '';
    if (hostility === 'redirectsFiles') {
      response.writeHead(302, { Location: `http://${key}.example/x?token=${key}` }).end();
    } else if (
      hostility === 'refusesFiles' ||
      !names.includes(name) ||
      arrival.query.get('subfolder') !== key
    ) {
      response.writeHead(404, { 'Content-Type': 'text/plain' }).end(`no file ${quote(2)}`);
    } else {
      fetched.add(name);
      response.writeHead(200, { 'Content-Type': 'image/png', 'Content-Length': png.length }).end(png);
    }
  }

  return { ...server, fetched, names };
}

function node(
  _needs: readonly string[],
  required: Readonly<Record<string, unknown>>,
  output: readonly string[],
  words: string,
  isOutput = false,
) {
  return {
    input: { required },
    output,
    output_is_list: output.map(() => false),
    output_name: output.map(() => words),
    name: words,
    display_name: words,
    description: words,
    category: words,
    output_node: isOutput,
  };
}

function nodeError(quote: (count?: number) => string) {
  return { type: quote(1), message: quote(), details: quote(), extra_info: { received_value: quote() } };
}

/** Placeholder for the escaped key until the bytes are made. */
const escapedOnTheWire = '@key@';

function onTheWire(text: string, key: string): string {
  const escaped = Array.from(key)
    .map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
  return text.replaceAll(escapedOnTheWire, escaped);
}
