import { command, option } from '../command.ts'

export const hookCommands = [
  command({
    usage: 'hook <event>',
    summary: 'Called by a harness: tell the daemon of an event, and the harness what it answers',
    options: [
      option('-H, --harness <harness>', 'who calls, as in `reverie harnesses`'),
      option('--project <path>', 'instead of what stdin says'),
      option('--summary <text>', 'of compaction-complete, instead of what stdin says'),
      option('--runtime-path <path>', 'legacy unless said').choices(['legacy', 'plugin']),
      option('--debug', 'say on stderr why there is nothing to tell'),
    ],
    examples: [
      'reverie hook session-start -H claude-code < event.json',
      'reverie hook compaction-complete -H generic --summary "We chose tea."',
    ],
    // The launcher goes there straight away; this is for who starts the command line otherwise.
    run: async () => void (await import('../../hook/hook.ts')),
  }),
]
