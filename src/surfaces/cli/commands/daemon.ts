import { command, option, parseCount } from '../command.ts'
import type { Starting, Stopping } from './daemon-run.ts'

const run = () => import('./daemon-run.ts')

export const daemonCommands = [
  command<Starting>({
    usage: 'start',
    summary: 'Start the daemon, and wait until it is ready',
    options: [
      option('--foreground', 'run it in this terminal until Ctrl-C'),
      option('--timeout <seconds>', 'wait at most this long', parseCount).default(60),
    ],
    examples: ['reverie start', 'SVC_PORT=4000 reverie start --foreground'],
    run: async (call) => (await run()).start(call),
  }),
  command<Stopping>({
    usage: 'stop',
    summary: 'Stop the daemon of this workspace',
    options: [option('--timeout <seconds>', 'wait at most this long', parseCount).default(30)],
    examples: ['reverie stop'],
    run: async (call) => (await run()).stop(call),
  }),
]
