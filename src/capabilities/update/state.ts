import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { hasCode } from '../../kernel/errors/system-error.ts'
import { makeFolder } from '../../kernel/files/folders.ts'
import { replaceFile } from '../../kernel/files/replace-file.ts'
import { channels } from './config.ts'

const release = z.object({
  version: z.string(),
  releaseUrl: z.string().nullable(),
  releaseNotes: z.string().nullable(),
  publishedAt: z.string().nullable(),
})
export type Release = z.output<typeof release>

const saved = z.object({
  /** The last known release of each channel. */
  releases: z.partialRecord(z.enum(channels), release).default({}),
  /** When a check ended, whether it succeeded or not. */
  lastCheckAt: z.string().nullable().default(null),
  lastCheckError: z.string().nullable().default(null),
  lastAutoUpdateAt: z.string().nullable().default(null),
  lastAutoUpdateError: z.string().nullable().default(null),
})

type Saved = z.output<typeof saved>

export type Phase = 'idle' | 'checking' | 'downloading' | 'installing' | 'verifying' | 'switching'

interface Progress {
  readonly state: Phase
  readonly version?: string
  readonly doneBytes?: number
  readonly totalBytes?: number
  readonly startedAt?: string
}

/** The state of updates: on disk, except for the progress and the version that waits. */
export interface State {
  read(): Saved
  save(change: Partial<Saved>): Promise<void>
  /** The installed version that runs after a restart. */
  pending: string | null
  progress: Progress
}

/** Empty until it is loaded. */
export function createState(workspace: string): State & { load(): Promise<void> } {
  const file = join(workspace, '.daemon', 'update.json')
  let current = saved.parse({})
  return {
    read: () => current,
    load: async () => {
      current = saved.parse(await readIfValid(file))
    },
    save: async (change) => {
      current = { ...current, ...change }
      await makeFolder(join(workspace, '.daemon'))
      await replaceFile(file, `${JSON.stringify(current, null, 2)}\n`)
    },
    pending: null,
    progress: { state: 'idle' },
  }
}

/** A missing or broken file is an empty state. */
async function readIfValid(file: string): Promise<unknown> {
  try {
    const { data = {} } = saved.safeParse(JSON.parse(await readFile(file, 'utf8')))
    return data
  } catch (error) {
    if (error instanceof SyntaxError || hasCode(error, 'ENOENT')) return {}
    throw error
  }
}
