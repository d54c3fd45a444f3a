import { command, option } from '../command.ts'
import { limit, ofProject } from './memory-options.ts'
import type { BypassOptions, SessionSearchOptions } from './sessions-run.ts'

const run = () => import('./sessions-run.ts')

export const sessionCommands = [
  command({
    usage: 'sessions list',
    aliases: ['session', 'transcripts'],
    summary: 'List the open sessions of the agent',
    examples: ['reverie sessions list', 'reverie sessions list --agent ada --json'],
    run: async (call) => (await run()).list(call),
  }),
  command({
    usage: 'sessions show <key>',
    summary: 'Show a session and its transcript',
    examples: ['reverie sessions show 6b1f0c9e'],
    run: async (call) => (await run()).show(call),
  }),
  command<SessionSearchOptions>({
    usage: 'sessions search <query>',
    summary: "Search the transcripts of the agent's sessions",
    options: [limit, ofProject],
    examples: ['reverie sessions search "release checklist" --limit 5'],
    run: async (call) => (await run()).search(call),
  }),
  command<BypassOptions>({
    usage: 'sessions bypass <key>',
    summary: 'Switch the hooks of a session off',
    options: [option('--off', 'end the bypass: switch the hooks on')],
    examples: ['reverie sessions bypass 6b1f0c9e', 'reverie sessions bypass 6b1f0c9e --off'],
    run: async (call) => (await run()).bypass(call),
  }),
]
