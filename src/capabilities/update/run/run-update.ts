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
import { download, type PackageFile, type RemoteFile, readManifest } from './download.ts'
import { UpdateFailure } from './failure.ts'
import { installNative } from './install-native.ts'
import { assertWritable, findInstallation, type Installation } from './installation.ts'
import { withVersionsLock } from './lock.ts'
import { readNativeManifest } from './native-manifest.ts'
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
  readonly source:
    | { readonly kind: 'package'; readonly file: PackageFile }
    | { readonly kind: 'native'; readonly file: RemoteFile }
    /** Fetches the tag of the version. */
    | { readonly kind: 'clone'; readonly file?: undefined }
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
  const requestedVersion = targetVersion === undefined ? undefined : valid(targetVersion)
  if (requestedVersion === null)
    throw new UpdateFailure(
      'invalid_target_version',
      'The target must be a version, such as 1.4.2.',
    )
  if (requestedVersion !== undefined && lt(requestedVersion, running))
    throw new UpdateFailure(
      'invalid_target_version',
      `${requestedVersion} is older than ${running}.`,
    )
  const { latestVersion, checkError } =
    requestedVersion === undefined
      ? await check({ force: false })
      : { latestVersion: requestedVersion }
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
  const { config, state, stopping: signal } = needs
  const plan = { version, installation }
  await assertWritable(installation, `${config().package ?? name}@${version}`)
  if (method === 'git') {
    await assertCloneReady(needs, { root, version, signal })
    return { ...plan, source: { kind: 'clone' } }
  }
  if (method === 'native') {
    const releaseUrl = state.read().releases[config().channel]?.releaseUrl ?? null
    const file = await readNativeManifest(needs, { version, releaseUrl })
    return { ...plan, source: { kind: 'native', file } }
  }
  return { ...plan, source: { kind: 'package', file: await readManifest(needs, version) } }
}

async function install(needs: RunNeeds, plan: Plan): Promise<RunReply> {
  const { version, installation, source } = plan
  const { observed, output } =
    source.kind === 'native'
      ? await replaceProgram(needs, plan, source.file)
      : await installBeside(needs, plan, source.file)
  needs.state.pending = version
  return {
    success: true,
    message: `Version ${version} is installed and runs after a restart.`,
    output: output.slice(-maxOutputLength),
    installedVersion: version,
    restartRequired: true,
    installMethod: installation.method,
    activeExecutablePath: installation.launcher,
    activeExecutableVerified: true,
    observedVersion: observed,
  }
}

interface Installed {
  readonly observed: string
  readonly output: string
}

async function replaceProgram(
  needs: RunNeeds,
  { version, installation }: Plan,
  file: RemoteFile,
): Promise<Installed> {
  enter(needs, 'downloading', version)
  const observed = await installNative(needs, installation, {
    version,
    file,
    onProgress: (done, total) => showProgress(needs, done, total),
    onSwitch: () => enter(needs, 'switching', version),
    signal: needs.stopping,
  })
  return { observed, output: '' }
}

/** Installs the version next to the running one, and selects it. */
async function installBeside(
  needs: RunNeeds,
  { version, installation }: Plan,
  file: PackageFile | undefined,
): Promise<Installed> {
  const { root, method } = installation
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
    await removeObsolete(root)
    if (method === 'git')
      await repairClone(needs, { root, folder: join(pathOfVersions(root), version), signal })
    return { observed, output }
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
  }: Omit<Plan, 'source'> & { readonly file: PackageFile; readonly folder: string },
) {
  const { stopping: signal } = needs
  const toFile = pathOfDownload(installation.root, version)
  enter(needs, 'downloading', version)
  const onProgress = (done: number, total: number | undefined) => showProgress(needs, done, total)
  try {
    await download(needs, file, { toFile, onProgress, signal })
    enter(needs, 'installing', version)
    const request = { version, folder, file: toFile, name: file.name, signal }
    return await stagePackage(needs, installation, request)
  } finally {
    await rm(toFile, { force: true })
  }
}

function showProgress({ state }: RunNeeds, doneBytes: number, totalBytes: number | undefined) {
  state.progress = { ...state.progress, doneBytes, ...(totalBytes && { totalBytes }) }
}

const steps: Readonly<Record<Plan['source']['kind'], readonly string[]>> = {
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
  native: [
    'download the program and compare its size and its SHA-256 digest',
    'replace the program by one rename; the former one stays as a backup',
    'run it with --version; it runs after a restart',
  ],
}

function toDryRun({ version: from }: RunNeeds, { version, installation, source }: Plan): RunReply {
  return {
    success: true,
    message: `Version ${version} would be installed.`,
    restartRequired: false,
    installMethod: installation.method,
    dryRun: true,
    from,
    to: version,
    source: source.file ? new URL(source.file.url).origin : 'origin',
    steps: [...steps[source.kind]],
    ...(source.file?.bytes !== undefined && { downloadBytes: source.file.bytes }),
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
