import { command, option, parseCount } from '../command.ts'
import type { RestartOptions } from './restart-run.ts'
import type { StartOptions } from './start-run.ts'
import type { StopOptions } from './stop-run.ts'

export const daemonCommands = [
  command<StartOptions>({
    usage: 'start',
    summary: 'Start the daemon and wait until it is ready',
    options: [
      option('--foreground', 'run it in this terminal until Ctrl-C'),
      option('--timeout <seconds>', 'maximum seconds to wait', parseCount).default(60),
    ],
    examples: ['reverie start', 'SVC_PORT=4000 reverie start --foreground'],
    run: async (call) => (await import('./start-run.ts')).start(call),
  }),
  command<StopOptions>({
    usage: 'stop',
    summary: 'Stop the daemon of this workspace',
    options: [option('--timeout <seconds>', 'maximum seconds to wait', parseCount).default(30)],
    examples: ['reverie stop'],
    run: async (call) => (await import('./stop-run.ts')).stop(call),
  }),
  command<RestartOptions>({
    usage: 'restart',
    summary: 'Stop the daemon of this workspace if it runs, and start it',
    options: [
      option('--timeout <seconds>', 'maximum seconds to wait for each step', parseCount).default(
        60,
      ),
    ],
    examples: ['reverie restart', 'SVC_PORT=4000 reverie restart'],
    run: async (call) => (await import('./restart-run.ts')).restart(call),
  }),
]
