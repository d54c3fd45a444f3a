import { join } from 'node:path'
import type { z } from 'zod'
import { ConfigError, configFileNames } from '../../kernel/config/workspace.ts'
import { writeSettings } from '../../kernel/config/write-settings.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { hasCode } from '../../kernel/errors/system-error.ts'
import { Reply } from '../../kernel/http/route.ts'
import { pipelinePaused, pipelineResumed } from './events.ts'
import type { PipelineNeeds } from './needs.ts'
import type { pauseReply, resumeReply } from './schemas.ts'
import { toMode } from './status.ts'

const path = ['memory', 'pipelineV2', 'paused'] as const

export interface Transitions {
  pause(actor: string): Promise<z.input<typeof pauseReply> | Reply<never>>
  resume(actor: string): Promise<z.input<typeof resumeReply> | Reply<never>>
}

type TransitionNeeds = Omit<PipelineNeeds, 'jobs' | 'measurements' | 'report' | 'workers'>

/** Pauses and resumes, one transition at a time. */
export function createTransitions(needs: TransitionNeeds): Transitions {
  const state = { isBusy: false }
  const runAlone = async <Result>(run: () => Promise<Result>): Promise<Result | Reply<never>> => {
    if (state.isBusy)
      throw new Refusal('conflict', 'pipeline_transition', 'The pipeline is already changing.')
    state.isBusy = true
    try {
      return await run()
    } catch (error) {
      if (!isWriteFailure(error)) throw error
      needs.log.error({ err: error }, 'pipeline setting not written')
      const body = { error: 'The settings file cannot be written.', code: 'settings_not_writable' }
      return new Reply(500, body as never)
    } finally {
      state.isBusy = false
    }
  }
  return {
    pause: (actor) => runAlone(() => pause(needs, actor)),
    resume: (actor) => runAlone(() => resume(needs, actor)),
  }
}

async function pause(needs: TransitionNeeds, actor: string): Promise<z.input<typeof pauseReply>> {
  const { config, events, gate, settings } = needs
  const { file, changed } = await savePaused(needs, true)
  // Closed here, because the reload would close it without these figures.
  const quiescence = await gate.close()
  await config.reload()
  const mode = toMode(settings())
  if (changed) events.emit(pipelinePaused, { actor, mode })
  return { success: true, changed, paused: true, file, mode, quiescence }
}

async function resume(needs: TransitionNeeds, actor: string): Promise<z.input<typeof resumeReply>> {
  const { config, events, gate, settings } = needs
  const { file, changed } = await savePaused(needs, false)
  await config.reload()
  if (!gate.isOpen()) gate.open()
  const mode = toMode(settings())
  if (changed) events.emit(pipelineResumed, { actor, mode })
  return { success: true, changed, paused: false, file, mode }
}

/** Writes the flag and no other byte of the settings file. */
async function savePaused(needs: TransitionNeeds, paused: boolean) {
  const changed = needs.settings().paused !== paused
  try {
    const file = await writeSettings(needs, changed ? [{ path, value: paused }] : [])
    return { file, changed }
  } catch (error) {
    if (error instanceof ConfigError) throw brokenRefusal(error.message)
    if (!hasCode(error, 'ENOENT')) throw error
    throw missingRefusal(join(needs.folder, configFileNames[0]))
  }
}

function missingRefusal(file: string): Refusal {
  const message = `There is no settings file. Create an empty one: touch '${file}'`
  return new Refusal('not_found', 'settings_missing', message)
}

function brokenRefusal(problem: string): Refusal {
  const message = `The settings file is invalid: ${problem}. Fix it first.`
  return new Refusal('conflict', 'settings_broken', message)
}

const writeFailures = ['EACCES', 'EPERM', 'EROFS', 'EIO']

function isWriteFailure(error: unknown): boolean {
  return writeFailures.some((code) => hasCode(error, code))
}
