import { setTimeout } from 'node:timers/promises'
import type { Client } from '../../../client/client.ts'
import type { Replies } from '../../../client/wire.ts'
import { type Call, command, option } from '../command.ts'
import { CliError, ProgramExit } from '../failure.ts'

interface ExecOptions {
  readonly secret?: readonly string[]
  readonly timeout?: number
  /** Of the option `--no-wait`. */
  readonly wait: boolean
}

type Job = Replies['GET /api/secrets/exec/:jobId']

const pollMs = 100

export const execSecret = command<ExecOptions>({
  usage: 'secret exec <command...>',
  summary: 'Run a command with secrets in its environment, on the machine of the daemon',
  options: [
    option('--secret <variable=name>', 'a secret for a variable; repeatable', {
      type: 'list',
      isRequired: true,
    }),
    option('--timeout <seconds>', 'end the command after this time; default: 300', {
      type: 'count',
    }),
    option('--no-wait', 'print the id of the job and return; `reverie secret job` shows it'),
  ],
  examples: ['reverie secret exec --secret TOKEN=GREETING_TOKEN -- printenv HOME'],
  run: exec,
})

async function exec({ args, options, output, connect }: Call<ExecOptions>): Promise<void> {
  const client = await connect()
  const secrets = Object.fromEntries((options.secret ?? []).map(parseSecret))
  const timeoutMs = options.timeout === undefined ? undefined : options.timeout * 1000
  const body = { command: args.map(quote).join(' '), secrets, timeoutMs }
  const started = await client.call('POST /api/secrets/exec', { body })
  if (!options.wait) return output.result(started, () => started.id)
  const job = await waitForEnd(client, started.id)
  if (!job.result) throw new CliError('refused', 'not_run', job.error ?? 'the command did not run')
  const { stdout, stderr, code } = job.result
  if (output.json) output.result(job, () => '')
  else {
    process.stderr.write(stderr)
    await output.write(stdout)
  }
  if (code !== 0) throw new ProgramExit(code)
}

async function waitForEnd(client: Client, jobId: string): Promise<Job> {
  for (;;) {
    const job = await client.call('GET /api/secrets/exec/:jobId', { path: { jobId } })
    if (job.status === 'completed' || job.status === 'failed') return job
    await setTimeout(pollMs)
  }
}

function parseSecret(text: string): [string, string] {
  const [, variable, name] = /^(\w+)=(.+)$/s.exec(text) ?? []
  if (variable !== undefined && name !== undefined) return [variable, name]
  throw new CliError('usage', 'usage', `${text} is not VARIABLE=NAME`)
}

/** Each word of the shell is one word of the command. */
function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}
