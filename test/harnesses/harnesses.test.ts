import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Cli, clis } from './clis.ts'
import { answer } from './fake-model.ts'
import { installClis } from './install-clis.ts'
import { type Lab, openLab, type Session } from './lab.ts'
import { trustCodexHooks } from './trust-codex-hooks.ts'

const fact = 'She likes oolong from Taiwan.'
const prompts = { first: 'Note my favourite drink.', second: 'What do I drink?' }
const maxCostMs = 12_000
const bin = await installClis()

/** All stored transcripts, oldest first. */
async function listTranscripts({ daemon, workspace }: Lab, harness: string): Promise<string[]> {
  const file = join(workspace, 'transcripts', harness, 'transcript.jsonl')
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n')
  const keys = new Set(lines.map((line): string => JSON.parse(line).session_key))
  const transcripts = [...keys].map(async (key) => {
    const path = `/api/sessions/${encodeURIComponent(key)}/transcript`
    const { content } = Object(await (await fetch(daemon.url + path)).json())
    // Most programs record tool calls.
    return String(content).replace(/^Assistant: \[tool: \S*memory_store\]\n/m, '')
  })
  return Promise.all(transcripts)
}

/** Requests for an answer offer tools; requests for a title do not. */
function splitRequests({ requests }: Session) {
  const main = requests.filter(({ tools }) => tools.length > 0)
  return { main, others: requests.filter((request) => !main.includes(request)) }
}

const countFact = (json: string) => json.split(fact).length - 1

function describeCli(cli: Cli): void {
  const state: { lab?: Lab; second?: Session } = {}
  const lab = (): Lab => {
    if (!state.lab) throw new Error('The lab did not open.')
    return state.lab
  }

  beforeAll(async () => {
    state.lab = await openLab(cli, bin)
    await lab().reverie('install', cli.id)
    if (cli.id === 'codex') await trustCodexHooks(join(bin, cli.program), lab())
  })
  afterAll(() => state.lab?.close())

  test('offers working tools with another workspace and port', async () => {
    lab().model.storeNext(fact)
    const session = await lab().run(prompts.first)

    expect(session).toMatchObject({ code: 0, stdout: expect.stringContaining(answer) })
    const tools = splitRequests(session).main.flatMap((request) => request.tools)
    expect(tools).toContainEqual(expect.stringMatching(/memory_search$/))
    expect(await lab().reverie('recall', 'oolong')).toContain(fact)
  })

  test('a second session receives the memory of the first exactly once', async () => {
    state.second = await lab().run(prompts.second)

    const { main, others } = splitRequests(state.second)
    expect(main.map(({ json }) => countFact(json))).toEqual([1])
    expect(others.map(({ json }) => countFact(json))).toEqual(others.map(() => 0))
  })

  test('stored transcripts contain the conversation and nothing else', async () => {
    await vi.waitFor(
      async () =>
        expect(await listTranscripts(lab(), cli.id)).toEqual([
          `User: ${prompts.first}\nAssistant: ${answer}`,
          `User: ${prompts.second}\nAssistant: ${answer}`,
        ]),
      { timeout: 20_000, interval: 500 },
    )
  })

  test('a missing or hanging daemon costs little time', async () => {
    const { daemon, run } = lab()
    daemon.signal('SIGTERM')
    await daemon.ended
    const gone = await run(prompts.second)
    await hangAt(daemon.url)
    const hanging = await run(prompts.second)

    for (const session of [gone, hanging])
      expect(session).toMatchObject({ code: 0, stdout: expect.stringContaining(answer) })
    const normalMs = state.second?.ms ?? 0
    const costs = [gone.ms - normalMs, hanging.ms - normalMs]
    expect(Math.max(...costs), `${costs}`).toBeLessThan(maxCostMs)
  })
}

/** Accepts connections at the address and never replies. */
async function hangAt(url: string): Promise<void> {
  const server = createServer({ pauseOnConnect: true })
  server.on('connection', (socket) => socket.on('error', () => undefined))
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(Number(new URL(url).port), '127.0.0.1', resolve)
  await promise
  onTestFinished(() => void server.close())
}

for (const cli of clis) describe(cli.id, () => describeCli(cli))
