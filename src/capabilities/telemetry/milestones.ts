import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { hasCode } from '../../kernel/errors/system-error.ts'
import { replaceFile } from '../../kernel/files/replace-file.ts'
import { memorySaved } from '../memory/index.ts'
import { recallPerformed } from '../recall/index.ts'
import type { TelemetryNeeds } from './needs.ts'
import type { Recorder } from './recorder.ts'

/** What the next start of the daemon must know. */
interface Milestones {
  readonly version?: string
  readonly isRunning?: boolean
  readonly firstRememberAt?: string
  readonly firstRecallAt?: string
}

/** Events of the daemon belong to no agent, so that a token of one agent does not see them. */
const noAgent = ''

/** Records starts, upgrades, and the first write and search of a workspace. */
export function createMilestones(needs: TelemetryNeeds, { isOn, record }: Recorder) {
  const { events, folder, host, log, self } = needs
  const file = join(folder, 'milestones.json')
  let known: Milestones = {}
  let writing = Promise.resolve()
  let isStopped = false
  const save = (change: Milestones): Promise<void> => {
    known = { ...known, ...change }
    const text = `${JSON.stringify(known, null, 2)}\n`
    writing = writing
      .then(() => mkdir(dirname(file), { recursive: true }))
      .then(() => replaceFile(file, text))
      .catch((err: unknown) => log.warn({ err }, 'milestones not written'))
    return writing
  }
  const recordOnce = (field: 'firstRememberAt' | 'firstRecallAt', event: string, agent: string) => {
    // The file belongs to the next daemon after a stop.
    if (isStopped || known[field] !== undefined || !isOn()) return
    record(event, agent, {})
    void save({ [field]: host.now().toISOString() })
  }
  events.on(memorySaved, ({ agentId }) => recordOnce('firstRememberAt', 'first.remember', agentId))
  events.on(recallPerformed, ({ agentId }) => recordOnce('firstRecallAt', 'first.recall', agentId))
  return {
    start: async (): Promise<void> => {
      const { version, engine, mode } = self
      known = await readMilestones(file)
      if (!isOn()) return
      if (known.isRunning !== undefined)
        record('daemon.previous_exit', noAgent, { exit: known.isRunning ? 'killed' : 'stopped' })
      if (known.version !== undefined && known.version !== version)
        record('version.upgraded', noAgent, { from: known.version, to: version })
      record('daemon.started', noAgent, { version, engine, mode })
      await save({ version, isRunning: true })
    },
    stop: async (): Promise<void> => {
      isStopped = true
      if (known.isRunning) await save({ isRunning: false })
    },
  }
}

/** A missing or damaged file counts as the first start. */
async function readMilestones(file: string): Promise<Milestones> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Milestones
  } catch (error) {
    if (hasCode(error, 'ENOENT') || error instanceof SyntaxError) return {}
    throw error
  }
}
