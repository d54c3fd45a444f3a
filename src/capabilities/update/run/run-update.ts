import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { gt, lt, valid } from 'semver'
import type { z } from 'zod'
import { hasCode } from '../../../kernel/errors/system-error.ts'
import { pathOfVersions } from '../../../kernel/versions/pointer.ts'
import type { Check } from '../check/check.ts'
import type { StatefulNeeds } from '../needs.ts'
import type { runBody, runReply } from '../schemas.ts'
import type { Phase } from '../state.ts'
import { activate, createStagingFolder, pathOfDownload, removeObsolete } from './activate.ts'
import { download, type PackageFile, readManifest } from './download.ts'
import { UpdateFailure } from './failure.ts'
import { assertWritable, findInstallation, type Installation } from './installation.ts'
import { withVersionsLock } from './lock.ts'
import { assertCloneReady, repairClone, stageClone } from './stage-clone.ts'
import { stagePackage } from './stage-package.ts'
import { verifyStaged } from './verify.ts'

type RunReply = z.input<typeof runReply>

export interface RunNeeds extends StatefulNeeds {
  readonly check: Check
  /** Aborts when the daemon stops. */
  readonly stopping: AbortSignal
}

const maxOutputLength = 6_000

/** Installs a version next to the running one and selects it; it runs after a restart. */
export async function runUpdate(
  needs: RunNeeds,
  { targetVersion, dryRun = false }: Partial<z.output<typeof runBody>>,
): Promise<RunReply> {
  const { state } = needs
  if (state.progress.state !== 'idle')
    return toFailure(new UpdateFailure('update_in_progress', 'Another update is running.'))
  let installation: Installation | undefined
  try {
    enter(needs, 'checking')
    const version = await findTarget(needs, targetVersion)
    if (version === undefined) return toUnchanged(needs)
    installation = await findInstallation(needs.script)
    const plan = await makePlan(needs, installation, version)
    if (dryRun) return toDryRun(needs, plan)
    return await withVersionsLock(needs.host, installation.root, () => install(needs, plan))
  } catch (error) {
    needs.log.warn({ err: error }, 'update failed')
    return toFailure(toUpdateFailure(error), installation)
  } finally {
    state.progress = { state: 'idle' }
  }
}

interface Plan {
  readonly version: string
  readonly installation: Installation
  /** Absent for a clone, which fetches the tag instead. */
  readonly file: PackageFile | undefined
}

function enter({ host, state }: RunNeeds, phase: Phase, version?: string): void {
  const startedAt = state.progress.startedAt ?? host.now().toISOString()
  state.progress = { state: phase, startedAt, ...(version !== undefined && { version }) }
}

/** Undefined where the running version, or the one that waits for a restart, is the newest. */
async function findTarget(
  { check, state, version: running }: RunNeeds,
  targetVersion: string | undefined,
): Promise<string | undefined> {
  const requested = targetVersion === undefined ? undefined : valid(targetVersion)
  if (requested === null)
    throw new UpdateFailure('invalid_target_version', 'The target is no version. Example: 1.4.2.')
  if (requested !== undefined && lt(requested, running))
    throw new UpdateFailure('invalid_target_version', `${requested} is older than ${running}.`)
  const { latestVersion, checkError } =
    requested === undefined ? await check({ force: false }) : { latestVersion: requested }
  if (latestVersion === null)
    throw new UpdateFailure('no_target_version', `No newer version is known: ${checkError}.`)
  const isNew = gt(latestVersion, running) && latestVersion !== state.pending
  return isNew ? latestVersion : undefined
}

async function makePlan(
  needs: RunNeeds,
  installation: Installation,
  version: string,
): Promise<Plan> {
  const { method, name, root } = installation
  if (method === 'native')
    throw new UpdateFailure(
      'unsupported_installation',
      'A single-file program cannot update itself.',
    )
  await assertWritable(installation, `${needs.config().package ?? name}@${version}`)
  if (method === 'git') {
    await assertCloneReady(needs, { root, version, signal: needs.stopping })
    return { version, installation, file: undefined }
  }
  return { version, installation, file: await readManifest(needs, version) }
}

async function install(needs: RunNeeds, { version, installation, file }: Plan): Promise<RunReply> {
  const { root, method, launcher } = installation
  const { stopping: signal } = needs
  await removeObsolete(root)
  const folder = await createStagingFolder(root, version)
  try {
    const { program, output } = file
      ? await stageDownloaded(needs, { version, installation, file, folder })
      : await stageClone(needs, { root, version, folder, signal })
    enter(needs, 'verifying', version)
    await verifyStaged(needs, { program: join(folder, program), folder, version, signal })
    enter(needs, 'switching', version)
    const observed = await activate(needs, installation, { version, folder, program, signal })
    needs.state.pending = version
    await removeObsolete(root)
    if (method === 'git')
      await repairClone(needs, { root, folder: join(pathOfVersions(root), version), signal })
    return {
      success: true,
      message: `Version ${version} is installed and runs after a restart.`,
      output: output.slice(-maxOutputLength),
      installedVersion: version,
      restartRequired: true,
      installMethod: method,
      activeExecutablePath: launcher,
      activeExecutableVerified: true,
      observedVersion: observed,
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function stageDownloaded(
  needs: RunNeeds,
  {
    version,
    installation,
    file,
    folder,
  }: Plan & { readonly file: PackageFile; readonly folder: string },
) {
  const { state, stopping: signal } = needs
  const toFile = pathOfDownload(installation.root, version)
  enter(needs, 'downloading', version)
  const onProgress = (doneBytes: number, totalBytes: number | undefined) => {
    state.progress = { ...state.progress, doneBytes, ...(totalBytes && { totalBytes }) }
  }
  try {
    await download(needs, file, { toFile, onProgress, signal })
    enter(needs, 'installing', version)
    const request = { version, folder, file: toFile, name: file.name, signal }
    return await stagePackage(needs, installation, request)
  } finally {
    await rm(toFile, { force: true })
  }
}

const steps: Readonly<Record<'package' | 'clone', readonly string[]>> = {
  package: [
    'download the package and compare its SHA-512 digest',
    'install it next to the running version',
    'run it with --version, and start it on an empty workspace',
    'select it; it runs after a restart',
  ],
  clone: [
    'fetch the tag from origin and check it out next to the running version',
    'run npm ci and npm run build there',
    'run it with --version, and start it on an empty workspace',
    'select it; it runs after a restart',
  ],
}

function toDryRun({ version: from }: RunNeeds, { version, installation, file }: Plan): RunReply {
  return {
    success: true,
    message: `Version ${version} would be installed.`,
    restartRequired: false,
    installMethod: installation.method,
    dryRun: true,
    from,
    to: version,
    source: file ? new URL(file.tarball).origin : 'origin',
    steps: [...steps[file ? 'package' : 'clone']],
  }
}

function toUnchanged({ state, version }: RunNeeds): RunReply {
  const { pending } = state
  if (pending === null)
    return {
      success: true,
      message: `No update: ${version} is the newest version.`,
      restartRequired: false,
      installedVersion: version,
    }
  return {
    success: true,
    message: `Version ${pending} is installed and runs after a restart.`,
    restartRequired: true,
    installedVersion: pending,
  }
}

const fileSystemErrors = ['ENOSPC', 'EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EDQUOT', 'EIO']

/** Everything else is a fault of the service. */
function toUpdateFailure(error: unknown): UpdateFailure {
  if (error instanceof UpdateFailure) return error
  const code = fileSystemErrors.find((each) => hasCode(error, each))
  if (code !== undefined)
    return new UpdateFailure('install_failed', `The files cannot be written: ${code}.`)
  if (error instanceof Error && error.name === 'AbortError')
    return new UpdateFailure('install_failed', 'The service stopped during the update.')
  throw error
}

function toFailure(
  { code, message, output, observed }: UpdateFailure,
  installation?: Installation,
): RunReply {
  return {
    success: false,
    message,
    restartRequired: false,
    errorCode: code,
    activeExecutableVerified: false,
    ...(output !== '' && { output: output.slice(-maxOutputLength) }),
    ...(observed !== undefined && { observedVersion: observed.slice(0, 256) }),
    ...(installation && {
      installMethod: installation.method,
      activeExecutablePath: installation.launcher,
    }),
  }
}
