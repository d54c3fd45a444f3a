import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sampleRounds } from '../support/load.ts'
import { makeFolder } from '../support/make-folder.ts'
import { startService } from '../support/start-service.ts'

const filler = 'and the parser reads each of the lines once more '.repeat(800)
const recovers = { timeout: 30_000, interval: 250 }

interface Line {
  readonly session_key: string
  readonly seq: number
  readonly content: string
}

test('a daemon killed during prompts and ends writes each acknowledged turn once', async () => {
  const workspace = await makeFolder()
  const service = await startService({ workspace, engine: 'sqlite' })
  onTestFinished(() => service.stop())
  const sentPrompts: { key: string; word: string }[] = []
  const receipts: { key: string; word: string; job: string }[] = []
  const hook = (name: string, body: object) =>
    service
      .ask(`POST /api/hooks/${name}`, { body: { harness: 'codex', ...body } })
      .catch(() => undefined)
  const prompt = async (key: string, word: string) => {
    const reply = await hook('user-prompt-submit', { sessionKey: key, userMessage: word })
    if (reply?.status === 200) sentPrompts.push({ key, word })
  }
  const end = async (key: string, word: string) => {
    const transcript = `User: ${word} first\nAssistant: ${filler}\nUser: ${word} last`
    const reply = await hook('session-end', { sessionKey: key, transcript })
    const job = reply?.body['transcriptCaptureJobId']
    if (typeof job === 'string') receipts.push({ key, word, job })
  }

  for (const round of sampleRounds([1, 2, 3], 2)) {
    const run = async (client: number) => {
      for (let turn = 1; turn <= 6; turn++) {
        await prompt(`live${client}`, `tern${round}x${client}x${turn}`)
        await end(`ended${round}x${client}x${turn}`, `gull${round}x${client}x${turn}`)
        if (client === 0 && turn === 3 + (round % 3)) service.signal('SIGKILL')
      }
    }
    await Promise.all([0, 1, 2, 3].map(run))
    await service.kill()
    await service.restart()
  }

  for (const { job } of receipts)
    await expect
      .poll(
        async () => (await service.ask(`GET /api/hooks/transcript-capture/${job}`)).body['status'],
        recovers,
      )
      .toBe('completed')
  const readAll = async () =>
    (await readFile(join(workspace, 'transcripts', 'codex', 'transcript.jsonl'), 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line): Line => JSON.parse(line))
  const missing = async () => {
    const said = (await readAll()).map((line) => `${line.session_key} ${line.content}`)
    return sentPrompts.filter(
      ({ key, word }) => said.filter((one) => one === `${key} ${word}`).length !== 1,
    )
  }
  await expect.poll(missing, recovers).toEqual([])
  expect(sentPrompts.length).toBeGreaterThan(12)
  expect(receipts.length).toBeGreaterThan(12)
  for (const [key, lines] of Map.groupBy(await readAll(), (line) => line.session_key))
    expect([key, lines.map(({ seq }) => seq)]).toEqual([key, lines.map((_, index) => index + 1)])
  for (const { key, word } of receipts) {
    const { body } = await service.ask('POST /api/sessions/search', { body: { query: word } })
    expect(body['hits']).toMatchObject([{ sessionKey: key }])
  }
})
