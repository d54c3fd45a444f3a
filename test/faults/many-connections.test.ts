import { once } from 'node:events'
import { createConnection, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startService } from '../support/start-service.ts'

test('more connections than open files allow leave enough files for the database', async () => {
  const service = await startService({ engine: 'sqlite', limit: 'ulimit -n 256;' })
  onTestFinished(() => service.stop())
  const remember = (content: string) =>
    service.ask('POST /api/memory/remember', { body: { content } })
  expect((await remember('before')).status).toBe(200)

  const sockets = Array.from({ length: 400 }, () => openSocket(Number(new URL(service.url).port)))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  await Promise.all(sockets.map((socket) => Promise.race([once(socket, 'close'), isOpen(socket)])))

  expect((await remember('amid')).status).toBe(200)
  const backup = await service.ask('POST /api/workspace/backup', { role: 'admin', body: {} })
  expect(backup.status).toBe(200)
  expect(service.output()).not.toContain('EMFILE')
})

function openSocket(port: number): Socket {
  return createConnection(port, '127.0.0.1').on('error', () => undefined)
}

/** The daemon sends nothing first, so a dropped connection is closed by then. */
async function isOpen(socket: Socket): Promise<void> {
  await once(socket, 'connect')
  await new Promise((resolve) => setTimeout(resolve, 300))
}
