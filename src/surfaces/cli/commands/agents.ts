import { command, option } from '../command.ts'
import type { DeleteOptions, PolicyOptions } from './agents-run.ts'

const run = () => import('./agents-run.ts')
const policy = option('--policy <policy>', 'read policy of the agent').choices([
  'isolated',
  'shared',
  'group',
])
const group = option('--group <name>', 'group of the read policy')

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
  command<PolicyOptions>({
    usage: 'agents create <name>',
    summary: 'Create an agent',
    options: [policy, group],
    examples: [
      'reverie agents create ada',
      'reverie agents create bob --policy group --group team',
    ],
    run: async (call) => (await run()).create(call),
  }),
  command<PolicyOptions>({
    usage: 'agents update <name>',
    summary: 'Change the read policy of an agent',
    options: [policy, group],
    examples: ['reverie agents update ada --policy shared'],
    run: async (call) => (await run()).update(call),
  }),
  command<DeleteOptions>({
    usage: 'agents delete <name>',
    summary: 'Remove an agent; its memories are archived',
    options: [option('--purge', 'delete its memories permanently')],
    examples: ['reverie agents delete ada', 'reverie agents delete ada --purge'],
    run: async (call) => (await run()).remove(call),
  }),
]
