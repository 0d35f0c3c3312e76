import { practiceFaultLines } from './practiceFaults';

/** Where a ComfyUI of one's own listens unless told otherwise. */
export const ownServer = 'http://127.0.0.1:8188';
export const musicService = 'https://api.comfy.org';

export const helpText = `Run ComfyUI workflow files, and make music from a prompt.

Usage:
  comfy-deck run FILE [options]      run a workflow (API format) and save what it makes
  comfy-deck jobs [options]          list the runs whose outputs are not all on disk
  comfy-deck fetch JOB [options]     save the outputs of a job that are not on disk yet
  comfy-deck wait JOB [options]      wait for a job to end, then save what it made
  comfy-deck cancel JOB [options]    cancel a job on its server
  comfy-deck upload PICTURE [options]
                                     upload a picture, with its mask; print its name there
  comfy-deck validate [options] FILES…
                                     say what a server would refuse, drop or fail at, and where
  comfy-deck music PROMPT [options]  make music from a description and save it
  comfy-deck sandbox [options]       start the built-in server and keep it running
  comfy-deck convert FILES [options] turn graph files into prompts (API format)

Options of run:
  --server URL     address of a ComfyUI server, "cloud" for Comfy Cloud, or "sandbox" for one that
                   is started for this run (default: ${ownServer})
  --key-env NAME   environment variable that holds the API key
  --out DIR        folder for the outputs (default: outputs)
  --seed random    give every seed of the workflow a new value
  --upload yes|no  upload the local files that the workflow names; each is listed first
                   (default: only to a server on this machine, and only files in the folder of
                   FILE that are neither hidden nor ignored by Git)
  --spend yes|no   run partner nodes, which cost credits of their own (default: no)
  --force          run although the check expects the server to refuse
  --strict         exit with code 1 if the server leaves nodes out; the other outputs are saved
  --look-out N     seconds to look for the job if the answer to the submission is lost
                   (default: 30 for a server on this machine, else 120)
  --json           print one JSON object per line for everything that happens

Options of jobs, fetch, wait and cancel; JOB is a job id or a run record (….run.json):
  --out DIR        folder with the run records (default: outputs)
  --server URL     address of the server (default: the one in the run record); jobs lists its
                   queue and its latest jobs too
  --key-env NAME   environment variable that holds the API key; needs --server
  --yes            cancel a job that has no run record here
  --json           print one JSON object per line for everything that happens

Options of upload:
  --mask FILE      put the transparent parts of this picture on the picture, as its mask
  --on NAME        PICTURE is on the server already, in its folder input, output or temp
  --overwrite      replace files of the same names on the server (default: add a number)
  --server URL     address of the server, or "cloud" (default: ${ownServer})
  --key-env NAME   environment variable that holds the API key
  --json           print {"event": "uploaded", "value"} instead of the name

Options of validate:
  --definitions FILE   the server's node definitions, as GET /object_info answers them
  --server URL         ask this server for them instead ("cloud" and "sandbox" as above)
  --key-env NAME       environment variable that holds the API key
  --validators FILE    classes that check inputs themselves: a list of
                       [class, generation, [inputs], catch-all or null, module]
  --replacements FILE  classes that the server replaces, as GET /node_replacements answers them
  --format NAME        text, json (one line per file) or github (annotations); default: text

Options of music:
  --duration N     seconds, 1 to 360 (default: 30)
  --server URL     address of the music service, "comfy" for ${musicService}, or
                   "sandbox" for a free test tune (default: comfy with --key-env, else sandbox)
  --key-env NAME   environment variable that holds the API key or the token; music costs credits
  --out DIR        folder for the music (default: outputs)
  --keep-partial   save what has arrived when the music breaks off
  --json           print one JSON object per line for everything that happens

Options of sandbox:
  --port N         default: 8189
  --dialect NAME   cloud, documented (only what Comfy Cloud documents), local or local-old
                   (default: cloud)
  --key-env NAME   demand the API key that this environment variable holds (not local)
  --fault NAME     refuse as Comfy Cloud does, until DELETE /sandbox/faults ends it (not local):
${practiceFaultLines('                     ')}

Options of convert:
  --definitions FILE  node definitions: what a server answers to /object_info (needed)
  --dynamic-prompts keep|first|random
                      what becomes of {a|b} in texts (default: keep)
  --allow-loss        exit with code 0 although prompts lack values or links of their graph, as those
                      of node types that the definitions do not have; each such node is named
  --json              one line per file: {"file", "prompt", "warnings"} or {"file", "error"}

  --help, --version

Exit codes: 0 done, 1 failed or errors found, 2 wrong usage, 3 the job has not ended yet (fetch),
129 terminal closed, 130 cancelled.
Ctrl-C cancels the job on the server; pressed again it leaves at once. A run record in the output
folder lists what is still to be saved, from before the workflow is sent.
`;
