import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startService } from '../support/start-service.ts'

const seconds = '600.7193'
const eventually = (read: () => unknown) => expect.poll(read, { timeout: 10_000 })

/** Process ids of the commands of this test. */
async function listSleeps(): Promise<readonly string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const read = ids.map(async (id) => {
    const words = await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')
    return words === `sleep\0${seconds}\0` ? id : ''
  })
  return (await Promise.all(read)).filter((id) => id !== '')
}

test.runIf(process.platform === 'linux')(
  'no command of a killed daemon lives after the next start',
  async () => {
    const service = await startService({ engine: 'sqlite' })
    onTestFinished(() => service.stop())
    const ask = (call: string, body?: object) =>
      service.ask(call, { role: 'admin', ...(body && { body }) })
    const value = ['synthetic', 'alder', '7193'].join('-')
    await ask('POST /api/secrets/ALDER', { value })
    const command = `sh -c 'sleep ${seconds} & exec sleep ${seconds}'`
    await ask('POST /api/secrets/exec', { command, secrets: { ALDER: 'ALDER' } })
    await eventually(listSleeps).toHaveLength(2)
    const folder = join(service.workspace, '.daemon', 'children')
    await eventually(() => readdir(folder)).toHaveLength(1)
    const [name = ''] = await readdir(folder)
    const entry = await readFile(join(folder, name), 'utf8')

    await service.kill()
    expect(await listSleeps()).toHaveLength(2)
    await service.restart()

    await eventually(listSleeps).toEqual([])
    expect(await readdir(folder)).toEqual([])
    expect(JSON.parse(entry)).toMatchObject({ purpose: 'secret exec' })
    expect(entry).not.toMatch(/synthetic|alder|sleep/i)
  },
  60_000,
)
