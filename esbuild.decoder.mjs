// The decoder for VS Code builds without AAC: audio-file-decoder, FFmpeg as WebAssembly, under the LGPL. It ships as
// files of their own in dist/webview/decoder (worker, .wasm, licence, notice), so that anybody can replace them.
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

const library = 'node_modules/audio-file-decoder';

const notice = `This folder holds audio-file-decoder 2.3.0 (https://github.com/aeroheim/audio-file-decoder), which contains
FFmpeg, under the GNU Lesser General Public License 2.1 or later; its text is in LICENSE. decode-audio.wasm is the
library's own file. worker.js is its script with a few lines of Comfy Deck around it and these changes: functions are
bound by closures instead of by evaluated text, which the panel's content security policy forbids, and the copy of the
script that the library carries for a worker of its own is left out. Both files may be replaced.
`;

/** A constructor's name is cosmetic: the original evaluates text only to set it. */
const namedFunction = [
  `return i=xi(i),new Function("body","return function "+i+'() {\\n    "use strict";    return body.apply(this, arguments);\\n};\\n')(n)`,
  `return Object.defineProperty(function(){return n.apply(this,arguments)},"name",{value:xi(i)})`,
];

/** What the evaluated text of the original does: check the count, convert, call, let go, convert back. */
const invoker = [
  /function\(i\)\{var n=Function;if\(!\(n instanceof Function\)\).{0,300}?instanceof Object\?i:u\}\(m\)\.apply\(null,t\)/,
  `(function(bound,types,isMethod,collects,returns){var count=types.length;return function(){
    if(arguments.length!==count-2)bound[0]("called with "+arguments.length+" arguments, expected "+(count-2));
    var first=isMethod?2:1,spare=collects?[]:null,wired=[bound[2]],at;
    if(isMethod)wired.push(bound[5].toWireType(spare,this));
    for(at=0;at<count-2;++at)wired.push(types[at+2].toWireType(spare,arguments[at]));
    var result=bound[1].apply(null,wired);
    if(collects)bound[3](spare);
    else for(at=isMethod?1:2;at<types.length;++at)
      if(types[at].Ba!==null)types[at].Ba(at===1?wired[1]:wired[first+at-2]);
    if(returns)return bound[4].fromWireType(result);
  }})(t,n,d,e,o)`,
];

/** The script that the library carries for a worker of its own. */
const inlinedWorker = [/s=\(c="[A-Za-z0-9+/=]{20000,}"/, 's=(c=""'];

/** Makes the library run under a policy without 'unsafe-eval', and without what is not used of it. */
function adapted(script) {
  return [namedFunction, invoker, inlinedWorker].reduce((text, [from, to]) => {
    const changed = text.replace(from, () => to);
    if (changed === text) throw new Error(`${library} is not the version that esbuild.decoder.mjs knows.`);
    return changed;
  }, script);
}

/** For the webview bundles: the adapted library in the worker, and the files beside it. */
export function decoder(outdir) {
  return {
    name: 'decoder',
    setup(build) {
      build.onLoad(
        { filter: /audio-file-decoder[/\\]dist[/\\]audio-file-decoder\.js$/ },
        async ({ path: file }) => ({
          contents: adapted(await readFile(file, 'utf8')),
          loader: 'js',
        }),
      );
      build.onEnd(async () => {
        const target = path.join(outdir, 'webview/decoder');
        await mkdir(target, { recursive: true });
        await copyFile(path.join(library, 'decode-audio.wasm'), path.join(target, 'decode-audio.wasm'));
        await copyFile(path.join(library, 'LICENSE'), path.join(target, 'LICENSE'));
        await writeFile(path.join(target, 'NOTICE.txt'), notice);
      });
    },
  };
}
