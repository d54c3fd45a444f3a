import { homedir } from 'node:os'
import { expect, test } from 'vitest'
import { startService } from '../support/start-service.ts'
import { testHome } from '../support/test-home.ts'

test("a test daemon without a configured home writes nothing to a person's home", async () => {
  const service = await startService()
  const body = { content: 'a note of a test' }
  const note = await service.ask('POST /api/memory/codex-native-note', { body })
  await service.stop()

  expect(testHome).not.toBe(homedir())
  expect(note).toMatchObject({ status: 200, body: { path: expect.stringContaining(testHome) } })
})
