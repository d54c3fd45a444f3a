import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Db } from '../../kernel/db/database.ts'
import { realHost } from '../../kernel/host/host.ts'
import { createLog } from '../../kernel/log/log.ts'
import { noChildLedger } from '../../kernel/testing/no-child-ledger.ts'
import { temporaryFolder } from '../../kernel/testing/temporary-folder.ts'
import { skillsSettings } from './config.ts'
import { createSkills } from './index.ts'
import type { SkillsNeeds } from './needs.ts'

export const skillText = '---\nname: dig\ndescription: Digs holes\n---\n\nDig.\n'

/** Skills of an empty workspace, with a folder for sources. */
export async function createTestSkills(more: Partial<SkillsNeeds> = {}) {
  const root = await temporaryFolder()
  const folder = join(root, 'workspace')
  await mkdir(folder)
  const skills = createSkills({
    db: undefined as unknown as Db,
    host: realHost,
    children: noChildLedger,
    log: createLog('silent'),
    outbound: { fetch: () => Promise.reject(new Error('offline')) },
    folder,
    config: () => skillsSettings.schema.parse({ registryUrl: '' }),
    variables: () => ({ PATH: join(root, 'bin'), HOME: join(root, 'home') }),
    pass: () => [],
    ...more,
  })
  const routes = new Map(skills.routes.map((route) => [route.name, route]))
  const call = async (name: string, input: object = {}) =>
    (await routes
      .get(name)
      ?.handle({ params: {}, query: {}, body: {}, ...input } as never)) as never
  const install = (source: string, name = 'dig') =>
    call('skills.install', { body: { name, source } }) as Promise<Record<string, unknown>>
  return { root, folder, skills, call, install, source: join(root, 'dig') }
}

/** Writes files by their path below a folder, with their parents. */
export async function writeFiles(folder: string, files: Readonly<Record<string, string | Buffer>>) {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
}

/** Writes a program of a test, which is a script of the shell. */
export async function writeProgram(folder: string, name: string, script: string): Promise<void> {
  await writeFiles(folder, { [name]: `#!/bin/sh\n${script}\n` })
  await chmod(join(folder, name), 0o755)
}
