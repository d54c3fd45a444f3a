import { Refusal } from '../../kernel/errors/refusal.ts'
import { redactSecrets } from '../../kernel/redaction/redact.ts'
import type { GitConfig } from './config.ts'
import type { Access } from './credentials.ts'
import { failures, type GitCode, GitFailure } from './failure.ts'
import { recoverPull } from './finish-pull.ts'
import type { Git } from './git.ts'
import type { GitSyncNeeds } from './needs.ts'
import type { ProtectedPaths } from './paths.ts'
import { assertSafeRepository } from './repository.ts'
import { assertIndexUnlocked } from './scratch.ts'

/** One operation on the repository, with the settings that it began with. */
export interface Operation {
  readonly needs: GitSyncNeeds
  readonly git: Git
  readonly config: GitConfig
  readonly paths: ProtectedPaths
  readonly access: AccessCache
  readonly signal: AbortSignal
}

interface AccessCache {
  value?: Access
}

/** What an operation has done; the fields of the reply. */
export interface GitOutcome {
  readonly success: boolean
  readonly message: string
  readonly output: string
  readonly error: string | null
  readonly code?: GitCode
  readonly fix?: string
  /** What the code is about: names of settings, paths, an age. */
  readonly details?: readonly string[]
}

export function succeed(message: string, output = ''): GitOutcome {
  return { success: true, message, output: toShownOutput(output), error: null }
}

export function toFailedOutcome({ code, details, output }: GitFailure): GitOutcome {
  const { message, fix } = failures[code]
  const text = toShownOutput(output)
  const last = toReason(text)
  return {
    success: false,
    message,
    output: text,
    error: last ? `${message} ${last}` : message,
    code,
    fix,
    ...(details.length > 0 && { details: details.map(toShownOutput) }),
  }
}

/** What git appends to the reason of each failure of a remote. */
const appended = new Set([
  '',
  'fatal: Could not read from remote repository.',
  'Please make sure you have the correct access rights',
  'and the repository exists.',
])

function toReason(text: string): string | undefined {
  const lines = text.trim().split('\n')
  return lines.findLast((line) => !appended.has(line.trim())) ?? lines[0]
}

const maxOutputLength = 4_000

/** Output of git and of a remote is text from outside. */
function toShownOutput(text: string): string {
  const withoutUserinfo = text.replaceAll(/(?<=:\/\/)[^\s/@'"]{1,500}@/g, '')
  return redactSecrets(withoutUserinfo.replaceAll(/[^\P{Cc}\n\t]/gu, '')).text.slice(
    -maxOutputLength,
  )
}

export interface Lane {
  /** Runs alone. Throws `in_progress` while another operation runs. */
  run<Result>(work: () => Promise<Result>): Promise<Result>
  isBusy(): boolean
  /** Resolves when no operation runs. */
  settled(): Promise<void>
}

export function createLane(): Lane {
  const state: { current?: Promise<unknown> } = {}
  return {
    isBusy: () => state.current !== undefined,
    settled: async () => {
      await Promise.allSettled([state.current])
    },
    run: async (work) => {
      if (state.current !== undefined) throw new GitFailure('in_progress')
      const current = work()
      state.current = current
      try {
        return await current
      } finally {
        delete state.current
      }
    },
  }
}

/** Verifies the repository and completes an interrupted pull before the work begins. */
export async function beginOperation({ needs, git, paths }: Operation): Promise<void> {
  await assertSafeRepository(git)
  await recoverPull(needs, git, paths)
  await assertIndexUnlocked(git, needs.host)
}

/** A full disk and a missing program are expected; anything else is a fault. */
export function toExpectedFailure(error: unknown): GitFailure {
  if (error instanceof GitFailure) return error
  if (error instanceof Refusal && error.code === 'process_not_started')
    return new GitFailure('git_missing')
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOSPC' || code === 'EDQUOT') return new GitFailure('storage_full')
  throw error
}
