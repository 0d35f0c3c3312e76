import { startFaultySandbox } from '../../support/faults/faultySandbox';
import { tellParent } from './tellParent';

/** A server with one output of a gigabyte, generated while it is sent. Reports its address. */
export async function serveHugeFile(): Promise<void> {
  const sandbox = await startFaultySandbox({ dialect: 'local' });
  sandbox.files.write({ filename: 'huge.png', subfolder: '', type: 'output' }, Buffer.from('any'));
  sandbox.faults.set('hugeFile', { bytes: 2 ** 30 });
  tellParent(sandbox.url);
}
