import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface PortTunnel {
  /** Gives each port of this machine an origin of its own, as the tunnels of a remote VS Code do. */
  readonly template: string;
  close(): void;
}

/** Leads `p8188.localhost` to port 8188 of this machine. */
export async function portTunnel(): Promise<PortTunnel> {
  const open = new Set<Socket>();
  const server = createServer((here) => {
    open.add(here);
    here.on('error', () => undefined);
    here.once('data', (first) => {
      const port = /^host: p(\d+)\.localhost/im.exec(first.toString('latin1'))?.[1];
      if (port === undefined) {
        here.destroy();
        return;
      }
      const there = connect(Number(port), '127.0.0.1', () => {
        there.write(first);
        here.pipe(there).pipe(here);
      });
      open.add(there);
      there.on('error', () => here.destroy());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    template: `http://p{{port}}.localhost:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
