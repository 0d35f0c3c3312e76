// `npm run package`: builds the .vsix beside package.json.
import path from 'node:path';
import { packageVsix } from './vsix';

const { file, bytes } = packageVsix();
console.log(`${path.basename(file)}: ${(bytes / 1000).toFixed(0)} KB`);
