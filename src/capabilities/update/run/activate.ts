import { mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { listFolder } from '../../../kernel/files/folders.ts'
import { syncFolder } from '../../../kernel/files/replace-file.ts'
import {
  findPointer,
  type Pointer,
  pathOfPointer,
  pathOfVersions,
  writePointer,
} from '../../../kernel/versions/pointer.ts'
import type { UpdateNeeds } from '../needs.ts'
import { UpdateFailure } from './failure.ts'
import type { Installation } from './installation.ts'
import { type ProgramNeeds, readVersion } from './program.ts'

const stagingPrefix = '.next-'

/** An empty folder below `versions/`, which a start removes if the run is killed. */
export function createStagingFolder(root: string, version: string): Promise<string> {
  return mkdtemp(join(pathOfVersions(root), `${stagingPrefix}${version}-`))
}

export function pathOfDownload(root: string, version: string): string {
  return join(pathOfVersions(root), `${stagingPrefix}${version}.tgz`)
}

interface Activation {
  readonly version: string
  /** Where the version was staged. */
  readonly folder: string
  /** Its launcher, relative to the folder. */
  readonly program: string
  readonly signal: AbortSignal
}

type ActivateNeeds = ProgramNeeds & Pick<UpdateNeeds, 'version'>

/** Selects the version by one rename. Selects the former one again unless the launcher follows. */
export async function activate(
  needs: ActivateNeeds,
  { root, launcher }: Installation,
  { version, folder, program, signal }: Activation,
): Promise<string> {
  const target = join(pathOfVersions(root), version)
  await rm(target, { recursive: true, force: true })
  await rename(folder, target)
  await syncFolder(pathOfVersions(root))
  const before = await findPointer(root)
  await writePointer(root, toTrial(needs, { version, program, before }))
  const observed = await readVersion(needs, { program: launcher, cwd: root, signal })
  if (observed === version) return observed
  if (before) await writePointer(root, before)
  else await rm(pathOfPointer(root), { force: true })
  throw new UpdateFailure(
    'verification_failed',
    `${launcher} does not run the new version. The former one is selected again.`,
    { output: observed, observed },
  )
}

interface Selection {
  readonly version: string
  readonly program: string
  readonly before: Pointer | undefined
}

/** The previous version is the one that runs now; null where that is the own build of the launcher. */
function toTrial({ host, version: running }: ActivateNeeds, selection: Selection): Pointer {
  const { version, program, before } = selection
  const isRunning = before?.version === running
  return {
    version,
    program,
    previous: isRunning ? { version: running, program: before.program } : null,
    state: 'trial',
    starts: 0,
    at: host.now().toISOString(),
    migrated: false,
    opened: false,
    rolledBack: null,
  }
}

/** Removes unfinished downloads and versions that the pointer does not name. */
export async function removeObsolete(root: string): Promise<void> {
  const pointer = await findPointer(root)
  const current = [pointer?.version, pointer?.previous?.version, 'active.json', '.lock']
  for await (const { name } of listFolder(pathOfVersions(root)))
    if (!current.includes(name))
      await rm(join(pathOfVersions(root), name), { recursive: true, force: true })
}
