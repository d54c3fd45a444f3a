import { access, constants, open, readFile, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { parseDocument } from 'yaml'
import { configFiles } from '../../../kernel/config/workspace.ts'
import { isAlive } from '../../../kernel/files/file-lock.ts'
import { findDaemonFile, isMissing, pathOfDaemonFile } from '../daemon-file.ts'
import type { Environment } from '../environment.ts'
import { describeOldNode, supportsNode } from '../node-version.ts'
import { type Finding, fail, ok, unknown, warn } from './finding.ts'

const mebibyte = 1_048_576
const lowSpaceMiB = 1024
const minSpaceMiB = 100
/** sqlite.org/fileformat2.html, 1.3 */
const databaseHeader = 'SQLite format 3\0'

/** The checks that need no daemon; `server` is the configured database server. */
export async function examineMachine(
  { workspace }: Environment,
  server: string | undefined,
): Promise<Finding[]> {
  const node = examineNode(process.versions.node)
  const folder = await examineWorkspace(workspace)
  if (folder.state !== 'ok') return [node, folder]
  const inside = [
    examineDisk,
    examineConfig,
    examineSecret,
    server ? async () => ok('database', server) : examineDatabase,
    examineDaemonFile,
  ]
  return [node, folder, ...(await Promise.all(inside.map((examine) => examine(workspace))))]
}

function examineNode(version: string): Finding {
  const { error, hint } = describeOldNode(version)
  return supportsNode(version) ? ok('node', version) : fail('node', error, hint)
}

async function examineWorkspace(workspace: string): Promise<Finding> {
  try {
    await access(workspace, constants.R_OK | constants.W_OK | constants.X_OK)
    return ok('workspace', workspace)
  } catch (error) {
    return isMissing(error)
      ? warn('workspace', `${workspace} does not exist yet`, 'reverie start')
      : fail('workspace', `${workspace} is not writable`, `chown -R $USER ${workspace}`)
  }
}

async function examineDisk(workspace: string): Promise<Finding> {
  const { blocks, bavail, bsize } = await statfs(workspace)
  // Some file systems know no sizes at all: that is not the same as being full.
  if (blocks === 0) return unknown('disk', 'the file system reports no sizes')
  const freeMiB = Math.floor((bavail * bsize) / mebibyte)
  const detail = `${freeMiB} MiB are free`
  if (freeMiB < minSpaceMiB) return fail('disk', detail, `Free space on the disk of ${workspace}.`)
  return freeMiB < lowSpaceMiB
    ? warn('disk', detail, `Free space on the disk of ${workspace} soon.`)
    : ok('disk', detail)
}

async function examineConfig(workspace: string): Promise<Finding> {
  for (const file of configFiles(workspace)) {
    const content = await readIfThere(file)
    if (content !== undefined) return examineSettings(file, content)
  }
  return ok('config', 'none; every setting has its default')
}

function examineSettings(file: string, content: string): Finding {
  const [problem] = parseDocument(content).errors
  if (!problem) return ok('config', file)
  const [at = ''] = problem.message.split('\n')
  return fail('config', at, `Fix ${file}; until then the last valid settings apply.`)
}

async function examineSecret(workspace: string): Promise<Finding> {
  const file = join(workspace, '.daemon', 'auth-secret')
  const stats = await stat(file).catch((error) => {
    if (isMissing(error)) return undefined
    throw error
  })
  if (!stats) return ok('secret', 'none yet; the first start creates it')
  const open = process.platform !== 'win32' && (stats.mode & 0o077) !== 0
  return open
    ? fail('secret', `${file} is readable by others`, `chmod 600 ${file}`)
    : ok('secret', 'readable by its owner only')
}

/** Whether it is one at all; the daemon reports its contents. */
async function examineDatabase(workspace: string): Promise<Finding> {
  const file = join(workspace, 'memory', 'memories.db')
  const begin = await readBeginning(file, databaseHeader.length)
  if (begin === '') return ok('database', 'none yet; the first start creates it')
  if (begin === databaseHeader) return ok('database', file)
  const fix = 'Restore a backup: reverie restore FILE --into FOLDER'
  return fail('database', `${file} is not a database`, fix)
}

async function examineDaemonFile(workspace: string): Promise<Finding> {
  const file = pathOfDaemonFile(workspace)
  const content = await readIfThere(file)
  if (content === undefined) return warn('process', 'no daemon runs here', 'reverie start')
  const running = await findDaemonFile(workspace)
  if (!running) return fail('process', `${file} cannot be read`, `rm ${file} && reverie start`)
  return isAlive(running.pid)
    ? ok('process', String(running.pid))
    : warn('process', `process ${running.pid} has ended and left ${file}`, 'reverie start')
}

/** Empty where there is no file. */
async function readBeginning(file: string, bytes: number): Promise<string> {
  try {
    await using handle = await open(file)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes))
    return buffer.toString('latin1', 0, bytesRead)
  } catch (error) {
    if (isMissing(error)) return ''
    throw error
  }
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}
