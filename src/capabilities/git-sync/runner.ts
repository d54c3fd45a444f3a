import { isAbsolute, relative } from 'node:path'
import type { z } from 'zod'
import { isPaused } from '../../kernel/gate/gate.ts'
import type { GitConfig } from './config.ts'
import { createGit } from './git.ts'
import type { GitSyncNeeds } from './needs.ts'
import {
  beginOperation,
  createLane,
  type GitOutcome,
  type Operation,
  toExpectedFailure,
  toFailedOutcome,
} from './operation.ts'
import { createProtectedPaths } from './paths.ts'
import type { configBody, configReply } from './schemas.ts'

type ConfigChanges = z.output<typeof configBody>

/** Runs operations with the settings in effect: those of the file, and changes by requests. */
export function createRunner(needs: GitSyncNeeds) {
  const git = createGit(needs)
  const lane = createLane()
  const stopping = new AbortController()
  const listeners: (() => void)[] = []
  const changes: { current: Partial<GitConfig> } = { current: {} }
  const readConfig = (): GitConfig => ({ ...needs.settings.read(), ...changes.current })
  const notify = () => {
    for (const listen of listeners) listen()
  }
  needs.settings.onChange(() => {
    changes.current = {}
    notify()
  })
  const createOperation = (signal?: AbortSignal): Operation => {
    const config = readConfig()
    const paths = createProtectedPaths([...config.exclude, ...listOwnLogs(needs)])
    const signals = signal ? [signal, stopping.signal] : [stopping.signal]
    return { needs, git, config, paths, access: {}, signal: AbortSignal.any(signals) }
  }
  return {
    createOperation,
    config: () => toReply(readConfig()),
    /** In effect until the next start, or the next change of the file. */
    configure: (body: ConfigChanges) => {
      const fields = Object.entries(body).filter(([, value]) => value !== undefined)
      changes.current = { ...changes.current, ...Object.fromEntries(fields) }
      notify()
      return toReply(readConfig())
    },
    /** Called after each change of the settings. */
    onChange: (listener: () => void): void => {
      listeners.push(listener)
    },
    /** Expected failures are results. */
    attempt: async <Outcome extends GitOutcome>(
      work: (operation: Operation) => Promise<Outcome>,
      signal?: AbortSignal,
    ): Promise<Outcome | GitOutcome> => {
      const operation = createOperation(signal)
      try {
        return await lane.run(() => work(operation))
      } catch (error) {
        if (isPaused(error) || operation.signal.aborted) throw error
        const failure = toExpectedFailure(error)
        const { code, details } = failure
        needs.log.warn({ code, details }, 'git operation failed')
        return toFailedOutcome(failure)
      }
    },
    stop: async (): Promise<void> => {
      stopping.abort()
      await lane.settled()
    },
  }
}

/** Verifies the repository before the work begins. */
export function inRepository<Outcome>(work: (operation: Operation) => Promise<Outcome>) {
  return async (operation: Operation): Promise<Outcome> => {
    await beginOperation(operation)
    return await work(operation)
  }
}

function toReply(config: GitConfig): z.input<typeof configReply> {
  const { enabled, autoCommit, autoSync, syncInterval, remote, branch } = config
  return { enabled, autoCommit, autoSync, syncInterval, remote, branch }
}

/** The folder and the files of the log that are in the workspace. */
function listOwnLogs({ folder, logPaths }: Pick<GitSyncNeeds, 'folder' | 'logPaths'>): string[] {
  const paths = logPaths.map((path) => relative(folder, path))
  return paths.filter((path) => path !== '' && !path.startsWith('..') && !isAbsolute(path))
}
