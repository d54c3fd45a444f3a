import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { inspectDatabase } from '../support/inspect-database.ts'
import { forEachOf, sampleRounds } from '../support/load.ts'
import { makeFolder } from '../support/make-folder.ts'
import { type Service, startService } from '../support/start-service.ts'

const many = 120

test('a daemon killed during a batch deletes each memory completely or not at all', async () => {
  const workspace = await makeFolder()
  const service = await startService({ workspace, engine: 'sqlite' })
  onTestFinished(() => service.stop())

  for (const afterMs of sampleRounds([4, 15, 40], 2)) {
    const tag = `batch${afterMs}`
    const ids = await rememberMany(service, tag)
    const forgetting = forgetAll(service, tag).catch(() => undefined)
    await Promise.race([forgetting, pause(afterMs)])
    await service.kill()
    await forgetting

    expect(inspectDatabase(workspace)).toEqual([])
    await service.restart()
    expect(await forgetAll(service, tag)).toMatchObject({ status: 200 })
    await forEachOf(ids, async (id) => {
      const { history } = (await service.ask(`GET /api/memory/${id}/history`)).body
      expect(history).toMatchObject([{ event: 'created' }, { event: 'deleted' }])
    })
  }
})

async function rememberMany(service: Service, tag: string): Promise<string[]> {
  const ids: string[] = []
  await forEachOf([...Array(many).keys()], async (number) => {
    const body = { content: `${tag} number ${number}`, tags: [tag] }
    ids.push(String((await service.ask('POST /api/memory/remember', { body })).body['id']))
  })
  return ids
}

async function forgetAll(service: Service, tag: string) {
  const wanted = { tags: tag, limit: 200, reason: 'a test' }
  const forget = (body: unknown) => service.ask('POST /api/memory/forget', { body })
  const { confirmToken } = (await forget({ ...wanted, mode: 'preview' })).body
  return await forget({ ...wanted, mode: 'execute', confirm_token: confirmToken })
}
