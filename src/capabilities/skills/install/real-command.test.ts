import { execFile } from 'node:child_process'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { readVariables } from '../../../kernel/config/environment.ts'
import { realHost } from '../../../kernel/host/host.ts'
import { noChildLedger } from '../../../kernel/testing/no-child-ledger.ts'
import { isLong } from '../../../kernel/testing/plan-of.ts'
import { temporaryFolder } from '../../../kernel/testing/temporary-folder.ts'
import { skillsSettings } from '../config.ts'
import { skillText, writeFiles } from '../skills.fixture.ts'
import { copyPackage } from './copy-package.ts'
import { addPackage } from './package-manager.ts'

const call = promisify(execFile)
/** Only a long run loads the command, and only where the registry of packages answers. */
const isReachable = isLong && (await answers())
if (isLong && !isReachable) process.stderr.write('the real skills command not run: no registry\n')

function answers(): Promise<boolean> {
  return call('npm', ['view', 'skills', 'version'], { timeout: 20_000 }).then(
    () => true,
    () => false,
  )
}

test.skipIf(!isReachable)(
  'the real skills command installs a local package into the staging home alone',
  async () => {
    const root = await temporaryFolder()
    const [home, userHome, source] = ['staging', 'user', 'package'].map((name) => join(root, name))
    if (!home || !userHome || !source) throw new Error('no folders')
    await Promise.all([mkdir(home), mkdir(userHome), mkdir(source)])
    await writeFiles(source, { 'dig/SKILL.md': skillText, 'dig/notes.md': 'Deep.' })
    const own = readVariables()
    const needs = {
      host: realHost,
      children: noChildLedger,
      config: () => skillsSettings.schema.parse({ packageManager: 'npm' }),
      variables: () => ({
        ...own,
        npm_config_cafile: own['NODE_EXTRA_CA_CERTS'] ?? '',
        HOME: userHome,
      }),
      pass: () => (own['NODE_EXTRA_CA_CERTS'] ? ['npm_config_cafile'] : []),
    }
    expect(await addPackage(needs, { name: 'dig', source, home })).not.toHaveProperty('error')

    const target = join(root, 'dig')
    await copyPackage(join(home, '.agents', 'skills', 'dig'), target, 'dig')
    expect((await readdir(target)).toSorted()).toEqual(['SKILL.md', 'notes.md'])
    // The cache of the package manager is that of the user, so that nothing is loaded twice.
    expect((await readdir(userHome)).filter((name) => name !== '.npm')).toEqual([])
  },
  120_000,
)
