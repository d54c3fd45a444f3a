import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { onTestFinished } from 'vitest'
import { makeFolder } from './make-folder.ts'
import { reapLater } from './reaper.ts'
import { runReverie } from './run-reverie.ts'

/** A home of its own, with a service manager on the PATH that runs units. */
export async function makeServiceHome() {
  const folder = await makeFolder()
  const [home, bin] = [join(folder, 'home'), join(folder, 'bin')] as const
  await mkdir(home)
  await mkdir(bin)
  const script = `#!/bin/sh\nexec "${process.execPath}" "${resolve('test/support/fake-systemctl.ts')}" "$@"\n`
  await writeFile(join(bin, 'systemctl'), script)
  await chmod(join(bin, 'systemctl'), 0o755)
  const workspace = join(home, '.svc')
  const { PATH = '' } = process.env
  const env = { HOME: home, PATH: `${bin}:${PATH}`, SVC_PORT: '0' }
  const command = [process.execPath, resolve('bin/reverie')]
  const run = (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    runReverie(args, { env: { ...env, ...more }, command })
  const forget = reapLater(workspace)
  onTestFinished(async () => {
    await run(['service', 'uninstall'])
    await run(['stop'])
    forget()
  })
  return {
    home,
    env,
    run,
    json: async (args: readonly string[]) => {
      const { code, stdout, stderr } = await run([...args, '--json'])
      if (code !== 0) throw new Error(`exit ${code}: ${stderr}`)
      return JSON.parse(stdout)
    },
  }
}
