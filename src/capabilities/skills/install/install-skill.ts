import { isAbsolute, join } from 'node:path'
import { Refusal } from '../../../kernel/errors/refusal.ts'
import { Reply } from '../../../kernel/http/route.ts'
import { assertSkillName, isFolder } from '../installed.ts'
import type { SkillsNeeds } from '../needs.ts'
import { copyPackage } from './copy-package.ts'
import { PackageRejected } from './limits.ts'
import { addPackage } from './package-manager.ts'
import { replaceSkill, withStaging } from './staging.ts'
import { unpackArchive } from './unpack-archive.ts'

export interface InstallNeeds extends SkillsNeeds {
  readonly skillsFolder: string
  readonly stagingParent: string
}

interface InstallRequest {
  readonly name: string
  readonly source: string | undefined
}

const packagePattern = /^[\w\-./]+$/
const archivePattern = /\.(?:tar\.gz|tgz)$/

/** Installs one skill at a time. Refuses `invalid_skill_name` and `install_under_way`. */
export function createInstaller(needs: InstallNeeds) {
  let isBusy = false
  return async (request: InstallRequest) => {
    assertSkillName(request.name)
    const source = request.source ?? request.name
    assertSource(source)
    if (isBusy) throw busyRefusal()
    isBusy = true
    try {
      const output = await withStaging(needs.stagingParent, (staging) =>
        install(needs, { name: request.name, source, staging }),
      )
      return { success: true as const, name: request.name, output }
    } catch (error) {
      if (!(error instanceof PackageRejected)) throw error
      return toFailure(error.message)
    } finally {
      isBusy = false
    }
  }
}

/** The contract answers any failed install with 500. */
function toFailure(message: string) {
  return new Reply(500, { success: false as const, error: message } as never)
}

function assertSource(source: string): void {
  if (isAbsolute(source) && !source.includes('\0')) return
  if (packagePattern.test(source) && !/^[.-]/.test(source)) return
  const message = 'source must be a package name, owner/repository, or an absolute path'
  throw new Refusal('invalid', 'invalid_skill_source', message)
}

interface Install {
  readonly name: string
  readonly source: string
  readonly staging: string
}

async function install(needs: InstallNeeds, { name, source, staging }: Install): Promise<string> {
  const { folder, output } = isAbsolute(source)
    ? await readLocal(source, staging)
    : await readPackage(needs, { name, source, staging })
  await replaceSkill(needs.skillsFolder, name, (target) => copyPackage(folder, target, name))
  return output
}

async function readLocal(source: string, staging: string) {
  if (archivePattern.test(source))
    return { folder: await unpackArchive(source, staging), output: 'unpacked the archive' }
  if (!(await isFolder(source)))
    throw new PackageRejected('source is neither a folder nor a .tar.gz or .tgz archive')
  return { folder: source, output: 'copied the folder' }
}

async function readPackage(needs: InstallNeeds, { name, source, staging: home }: Install) {
  const { output, error } = await addPackage(needs, { name, source, home })
  if (error !== undefined) throw new PackageRejected(error)
  const folder = join(home, '.agents', 'skills', name)
  if (!(await isFolder(folder)))
    throw new PackageRejected(`the package contains no skill '${name}': ${output}`)
  return { folder, output }
}

function busyRefusal(): Refusal {
  return new Refusal('conflict', 'install_under_way', 'Another skill is being installed. Retry.')
}
