import { command, option } from '../command.ts'
import type { InstallOptions } from './harnesses-run.ts'

const run = () => import('./harnesses-run.ts')
const dryRun = option('--dry-run', 'show the changes without writing')

export const harnessCommands = [
  command({
    usage: 'harnesses',
    summary: 'List the supported harnesses and their state',
    examples: ['reverie harnesses', 'reverie harnesses --json'],
    run: async (call) => (await run()).list(call),
  }),
  command<InstallOptions>({
    usage: 'install <harness>',
    summary: 'Connect a harness: install its hooks and the memory tools',
    options: [dryRun, option('--command <path>', 'path of reverie for the harness')],
    examples: ['reverie install claude-code --dry-run', 'reverie install codex'],
    run: async (call) => (await run()).install(call),
  }),
  command<InstallOptions>({
    usage: 'uninstall <harness>',
    summary: 'Remove the entries of install from the files of a harness',
    options: [dryRun],
    examples: ['reverie uninstall claude-code'],
    run: async (call) => (await run()).uninstall(call),
  }),
]
