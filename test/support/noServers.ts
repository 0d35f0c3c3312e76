// Setup of every test in the projects `unit` and `unit-mocking`: a test that starts a server or a process belongs in a
// *.integration.test.ts.
import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

function refuse(): never {
  throw new Error('This test starts a server or a process: name its file *.integration.test.ts.');
}

net.Server.prototype.listen = refuse;
Object.assign(childProcess, {
  exec: refuse,
  execFile: refuse,
  execFileSync: refuse,
  execSync: refuse,
  fork: refuse,
  spawn: refuse,
  spawnSync: refuse,
});
syncBuiltinESMExports();
