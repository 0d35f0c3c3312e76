// The parts of undici that the command line loads: its index would load about a hundred more modules.

declare module 'undici/lib/dispatcher/agent.js' {
  export { Agent as default } from 'undici';
}

declare module 'undici/lib/web/fetch/formdata.js' {
  export { FormData } from 'undici';
}

declare module 'undici/lib/web/fetch/index.js' {
  export { fetch } from 'undici';
}
