import { command, option } from '../command.ts'
import type { Policy, Purge } from './agents-run.ts'

const run = () => import('./agents-run.ts')
const policy = option('--policy <policy>', 'whose memories it reads').choices([
  'isolated',
  'shared',
  'group',
])
const group = option('--group <name>', 'the group it reads with')

export const agentCommands = [
  command({
    usage: 'agents list',
    summary: 'List the agents',
    examples: ['reverie agents list'],
    run: async (call) => (await run()).list(call),
  }),
  command({
    usage: 'agents show <name>',
    summary: 'Show one agent',
    examples: ['reverie agents show ada'],
    run: async (call) => (await run()).show(call),
  }),
  command<Policy>({
    usage: 'agents create <name>',
    summary: 'Add an agent',
    options: [policy, group],
    examples: [
      'reverie agents create ada',
      'reverie agents create bob --policy group --group team',
    ],
    run: async (call) => (await run()).create(call),
  }),
  command<Policy>({
    usage: 'agents update <name>',
    summary: 'Change whose memories an agent reads',
    options: [policy, group],
    examples: ['reverie agents update ada --policy shared'],
    run: async (call) => (await run()).update(call),
  }),
  command<Purge>({
    usage: 'agents delete <name>',
    summary: 'Remove an agent; its memories are archived',
    options: [option('--purge', 'delete its memories for good')],
    examples: ['reverie agents delete ada', 'reverie agents delete ada --purge'],
    run: async (call) => (await run()).remove(call),
  }),
]
