import { type Call, command, option } from '../command.ts'
import { CliError } from '../failure.ts'
import { answerQuestions, type SetupOptions } from '../setup/answers.ts'
import { applyAnswers } from '../setup/steps.ts'

export const setup = command<SetupOptions>({
  usage: 'setup',
  aliases: ['init', 'onboard'],
  summary: 'Set up Reverie on this machine: ask, connect harnesses, start, and try it out',
  options: [
    option('--workspace <folder>', 'folder of all data; overrides SVC_PATH'),
    option('--mode <mode>', 'local: every program of this user; team: only with a token', {
      choices: ['local', 'team'],
    }),
    option('--harness <ids...>', 'harnesses to connect, such as claude-code'),
    option('--no-harness', 'connect no harness'),
    option('--service', 'start the daemon at each login'),
    option('--no-service', 'do not start the daemon at login'),
    option('--notes <folder>', 'folder of notes to make searchable'),
    option('--no-notes', 'add no notes'),
    option('--sessions', 'import the sessions that the harnesses have stored'),
    option('--no-sessions', 'import no sessions'),
    option('--remember <text>', 'the first memory'),
    option('--yes', 'take the default of every question that no option answers'),
  ],
  examples: ['reverie setup', 'reverie setup --yes --no-service --harness claude-code'],
  run: async (call: Call<SetupOptions>) => {
    const answers = await answerQuestions(call)
    const { healthy, problem } = await applyAnswers(call, answers)
    if (!healthy) throw new CliError('fault', 'unhealthy', problem, 'Run: reverie doctor')
  },
})
