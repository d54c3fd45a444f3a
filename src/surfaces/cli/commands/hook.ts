import { command, option } from '../command.ts'

export const hook = command({
  usage: 'hook <event>',
  summary: 'Send an event to the daemon and print its reply; called by a harness',
  options: [
    option('-H, --harness <harness>', 'calling harness, as in `reverie harnesses`'),
    option('--project <path>', 'overrides stdin'),
    option('--summary <text>', 'for compaction-complete; overrides stdin'),
    option('--runtime-path <path>', 'legacy by default', { choices: ['legacy', 'plugin'] }),
    option('--debug', 'print to stderr why there is no output'),
  ],
  examples: [
    'reverie hook session-start -H claude-code < event.json',
    'reverie hook compaction-complete -H generic --summary "We chose tea."',
  ],
  // The launcher starts the hook directly; this is for callers of `dist/main.js`.
  run: async () => void (await import('../../hook/hook.ts')),
})
