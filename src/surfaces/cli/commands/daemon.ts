import { command, option, parseCount } from '../command.ts'
import type { Restarting } from './restart-run.ts'
import type { Starting } from './start-run.ts'
import type { Stopping } from './stop-run.ts'

export const daemonCommands = [
  command<Starting>({
    usage: 'start',
    summary: 'Start the daemon, and wait until it is ready',
    options: [
      option('--foreground', 'run it in this terminal until Ctrl-C'),
      option('--timeout <seconds>', 'wait at most this long', parseCount).default(60),
    ],
    examples: ['reverie start', 'SVC_PORT=4000 reverie start --foreground'],
    run: async (call) => (await import('./start-run.ts')).start(call),
  }),
  command<Stopping>({
    usage: 'stop',
    summary: 'Stop the daemon of this workspace',
    options: [option('--timeout <seconds>', 'wait at most this long', parseCount).default(30)],
    examples: ['reverie stop'],
    run: async (call) => (await import('./stop-run.ts')).stop(call),
  }),
  command<Restarting>({
    usage: 'restart',
    summary: 'Stop the daemon of this workspace if it runs, and start it',
    options: [
      option('--timeout <seconds>', 'wait at most this long for each', parseCount).default(60),
    ],
    examples: ['reverie restart', 'SVC_PORT=4000 reverie restart'],
    run: async (call) => (await import('./restart-run.ts')).restart(call),
  }),
]
