import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../kernel/testing/temporary-folder.ts'
import { isStartLog } from './daemon-file.ts'

test('recognizes only the start log of a background start', async () => {
  const folder = await temporaryFolder()
  const openFile = async (name: string) => {
    const file = await open(join(folder, name), 'w')
    onTestFinished(() => file.close())
    return file.fd
  }
  const other = await openFile('my.log')

  expect(await isStartLog(other, folder)).toBe(false)
  await mkdir(join(folder, '.daemon'))
  const own = await openFile('.daemon/start.log')
  expect([await isStartLog(own, folder), await isStartLog(other, folder)]).toEqual([true, false])
})
