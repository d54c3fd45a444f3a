import { z } from 'zod'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { parseJson } from '../../kernel/files/read-text.ts'
import { commandEnvironment } from '../../kernel/process/environment.ts'
import { runProcess } from '../../kernel/process/run-process.ts'
import { assertHarness } from './list.ts'
import type { HarnessesNeeds } from './needs.ts'

export const connectBody = z.object({
  dryRun: z.boolean().default(false).describe('Return the changes as a diff, and write nothing.'),
})

/** What `reverie install` and `reverie uninstall` print with `--json`. */
export const connectReply = z.object({
  harness: z.string(),
  status: z.enum(['dry_run', 'installed', 'unchanged', 'uninstalled']),
  files: z.array(
    z.object({ path: z.string(), status: z.enum(['changed', 'created', 'deleted', 'unchanged']) }),
  ),
  diff: z.string().optional().describe('Of a dry run.'),
  notices: z.array(z.string()).optional().describe('What else the user has to do.'),
})

interface ConnectRequest {
  readonly id: string
  readonly command: 'install' | 'uninstall'
  readonly dryRun: boolean
}

const timeoutMs = 15_000

const failure = z.object({ error: z.string(), code: z.string(), hint: z.string().optional() })

/** Runs the own command line, one command at a time, because all write the same kinds of files. */
export function createConnect(needs: HarnessesNeeds) {
  const state = { isRunning: false }
  return async (request: ConnectRequest): Promise<z.output<typeof connectReply>> => {
    assertHarness(request.id)
    if (state.isRunning) {
      const message = 'Another harness is being connected. Retry when it is complete.'
      throw new Refusal('conflict', 'harness_busy', message)
    }
    state.isRunning = true
    try {
      return await connect(needs, request)
    } finally {
      state.isRunning = false
    }
  }
}

async function connect(
  { cli, codexHome, folder, home, variables, ...needs }: HarnessesNeeds,
  { id, command, dryRun }: ConnectRequest,
): Promise<z.output<typeof connectReply>> {
  const { code, timedOut, stdout, stderr } = await runProcess(needs, {
    purpose: `harness ${command}`,
    command: cli.command,
    args: [...cli.args, command, id, ...(dryRun ? ['--dry-run'] : []), '--json'],
    cwd: folder,
    timeoutMs,
    env: {
      ...commandEnvironment(variables(), []),
      HOME: home,
      CODEX_HOME: codexHome,
      SVC_PATH: folder,
      SVC_URL: cli.url(),
    },
  })
  if (timedOut) throw notChanged(`reverie ${command} ${id} took over ${timeoutMs / 1000} s.`)
  if (code === 0) return connectReply.parse(JSON.parse(stdout))
  const { data } = failure.safeParse(parseJson(stderr))
  if (data?.code === 'unknown_harness')
    throw new Refusal('not_found', 'harness_not_found', data.error)
  const sentence = data ? [data.error, data.hint].filter(Boolean).join('. ') : stderr.trim()
  throw notChanged(sentence || `reverie ${command} ${id} exited with code ${code}.`)
}

const maxSentenceLength = 1000

function notChanged(sentence: string): Refusal {
  return new Refusal('unavailable', 'harness_not_changed', sentence.slice(0, maxSentenceLength))
}
