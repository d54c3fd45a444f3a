import { expect, test } from 'vitest'
import { answerWith, startFakeDaemon } from '../support/fake-daemon.ts'
import { runReverie } from '../support/run-reverie.ts'

test('the status of a daemon that does not name its process leaves the process out', async () => {
  const health = { status: 'healthy', version: '1.2.3', uptime: 120, reasons: [] }
  const { url } = await startFakeDaemon(answerWith({ ...health, ready: true }))

  const { stdout } = await runReverie(['status', '--url', url])

  expect(stdout).toContain('  version 1.2.3, up 2 min\n')
  expect(stdout).not.toContain('undefined')
})
