import { command, option } from '../command.ts'
import type { Installing } from './harnesses-run.ts'

const run = () => import('./harnesses-run.ts')
const dryRun = option('--dry-run', 'show what would change, and write nothing')

export const harnessCommands = [
  command({
    usage: 'harnesses',
    summary: 'List the harnesses, and which of them are connected',
    examples: ['reverie harnesses', 'reverie harnesses --json'],
    run: async (call) => (await run()).list(call),
  }),
  command<Installing>({
    usage: 'install <harness>',
    summary: 'Connect a harness: its hooks and the memory tools',
    options: [
      dryRun,
      option('--command <path>', 'where the harness finds reverie, instead of this one'),
    ],
    examples: ['reverie install claude-code --dry-run', 'reverie install codex'],
    run: async (call) => (await run()).install(call),
  }),
  command<Installing>({
    usage: 'uninstall <harness>',
    summary: 'Take out of the files of a harness what install has put there',
    options: [dryRun],
    examples: ['reverie uninstall claude-code'],
    run: async (call) => (await run()).uninstall(call),
  }),
]
