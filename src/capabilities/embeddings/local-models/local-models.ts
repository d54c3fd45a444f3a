import { readdir, readFile, rm } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { Refusal } from '../../../kernel/errors/refusal.ts'
import { makeFolder } from '../../../kernel/files/folders.ts'
import { replaceFile } from '../../../kernel/files/replace-file.ts'
import { isFinal } from '../../../kernel/jobs/job.ts'
import type { Log } from '../../../kernel/log/log.ts'
import type { EmbeddingsConfig } from '../config.ts'
import { type InstallNeeds, installModel, stagingOf } from './install-model.ts'
import { manifestName, readModelSettings } from './model-settings.ts'

export interface LocalModelsNeeds extends Omit<InstallNeeds, 'folder'> {
  readonly log: Log
  readonly workspace: string
  readonly config: () => Pick<EmbeddingsConfig, 'provider' | 'model'>
}

const installRequest = z.object({
  name: z.string(),
  source: z.string(),
  file: z.string().optional(),
  sha256: z.string().optional(),
})
type InstallRequest = z.output<typeof installRequest>

/** The newest one is shown until the next one. */
interface Installation {
  readonly id: string
  readonly name: string
  readonly state: 'running' | 'completed' | 'failed'
  readonly file: string | null
  readonly receivedBytes: number
  readonly totalBytes: number
  readonly error?: string
}

const maxModels = 100
const maxAttempts = 3
const retryMs = 5_000
/** In the staging folder, so that a restart continues the installation. */
const requestName = '.request.json'
const stagingName = /^\.(?<name>.+)\.part$/

/** Models in `models` of the workspace, and their installation. */
export function createLocalModels(needs: LocalModelsNeeds) {
  const folder = join(needs.workspace, 'models')
  const ended = new AbortController()
  const { signal } = ended
  const state: InstallerState = {}
  const begin = (request: InstallRequest): Installation => {
    const { name } = request
    const empty = { file: null, receivedBytes: 0, totalBytes: 0 }
    const installation = { id: needs.host.newId(), name, state: 'running' as const, ...empty }
    state.installation = installation
    state.running = runInstallation({ ...needs, folder, state, signal }, request)
    return installation
  }
  return {
    /** Returns at once; `list` shows the progress. */
    install: async (request: InstallRequest): Promise<Installation> => {
      assertIdle(state)
      if ((await listNames(folder)).includes(request.name))
        throw new Refusal(
          'conflict',
          'model_exists',
          `A model ${request.name} is installed. Choose another name, or delete its folder.`,
        )
      const staging = stagingOf(folder, request.name)
      await makeFolder(staging)
      await replaceFile(join(staging, requestName), JSON.stringify(request))
      // Another call may have started in between.
      assertIdle(state)
      return begin(request)
    },
    list: async () => {
      const names = await listNames(folder)
      const used = usedFolder(needs)
      const models = await Promise.all(
        names.map((name) => describeModel(join(folder, name), used === join(folder, name))),
      )
      return { models, installation: state.installation ?? null }
    },
    /** Continues an installation that a stop has interrupted. */
    start: async () => {
      for (const entry of await listEntries(folder)) {
        if (!stagingName.test(entry) || state.running !== undefined) continue
        const text = await readFile(join(folder, entry, requestName), 'utf8').catch(() => '')
        const request = text === '' ? undefined : installRequest.safeParse(JSON.parse(text)).data
        if (request) begin(request)
      }
    },
    stop: async () => {
      ended.abort()
      await state.running
    },
  }
}

interface InstallerState {
  installation?: Installation
  running?: Promise<void>
}

interface Installer extends Omit<LocalModelsNeeds, 'workspace' | 'config'>, InstallNeeds {
  readonly state: InstallerState
  readonly signal: AbortSignal
}

function assertIdle({ running, installation }: InstallerState): void {
  if (running === undefined) return
  throw new Refusal(
    'conflict',
    'model_busy',
    `The model ${installation?.name} is being installed. Retry when that has ended.`,
  )
}

async function runInstallation(installer: Installer, request: InstallRequest): Promise<void> {
  const { folder, signal, state } = installer
  const change = (fields: Partial<Installation>) => {
    if (state.installation) state.installation = { ...state.installation, ...fields }
  }
  const error = await attempt(
    () => installModel(installer, request, { signal, onFile: change }),
    signal,
  )
  delete state.running
  if (error === undefined) {
    await rm(join(folder, request.name, requestName), { force: true })
    return change({ state: 'completed' })
  }
  // A restart continues it.
  if (signal.aborted) return
  const staging = stagingOf(folder, request.name)
  // After a lost connection the next call with this name continues the downloads.
  await rm(isFinal(error) ? staging : join(staging, requestName), { recursive: true, force: true })
  change({ state: 'failed', error: error.message })
  installer.log.warn({ err: error, name: request.name }, 'model installation failed')
}

/** Retries temporary failures. Returns the last error. */
async function attempt(
  install: () => Promise<void>,
  signal: AbortSignal,
): Promise<Error | undefined> {
  for (let count = 1; ; count += 1) {
    try {
      await install()
      return undefined
    } catch (error) {
      const reason = error instanceof Error ? error : new Error(String(error))
      if (isFinal(error) || count === maxAttempts || signal.aborted) return reason
      await pause(retryMs * 2 ** (count - 1), undefined, { signal }).catch(() => undefined)
    }
  }
}

async function describeModel(folder: string, isUsed: boolean) {
  const name = basename(folder)
  try {
    const {
      pooling,
      maxTokens,
      prefixes,
      dimensions = null,
      files,
    } = await readModelSettings(folder)
    const list = Object.entries(files).map(([file, { bytes, sha256 }]) => ({ file, bytes, sha256 }))
    const { query: queryPrefix = null, document: documentPrefix = null } = prefixes ?? {}
    return {
      name,
      isUsed,
      pooling,
      maxTokens,
      queryPrefix,
      documentPrefix,
      dimensions,
      files: list,
    }
  } catch {
    // The list also shows a model whose configuration is broken.
    return { name, isUsed, files: [], error: `${manifestName} or another configuration is broken` }
  }
}

function usedFolder({ config, workspace }: LocalModelsNeeds): string | undefined {
  const { provider, model = 'models/onnx' } = config()
  return provider === 'onnx' ? resolve(workspace, model) : undefined
}

async function listNames(folder: string): Promise<readonly string[]> {
  const entries = await listEntries(folder)
  const names = entries.filter((name) => !name.startsWith('.') && name !== 'node_modules')
  const complete = await Promise.all(
    names.map(async (name) => (await listEntries(join(folder, name))).includes('model.onnx')),
  )
  return names.filter((_, index) => complete[index]).slice(0, maxModels)
}

async function listEntries(folder: string): Promise<readonly string[]> {
  return await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []
    throw error
  })
}
