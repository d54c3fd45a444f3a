import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { makeFolder } from '../support/make-folder.ts'
import { startService } from '../support/start-service.ts'
import { type Cli, clis } from './clis.ts'
import { answer, startFakeModel } from './fake-model.ts'
import { installClis } from './install-clis.ts'

const programs = ['claude-code', 'codex', 'opencode']
const bin = await installClis()
const prompt = 'What does the heron drink?'

/** A daemon with the program as its only target. */
async function openTarget(cli: Cli) {
  const model = await startFakeModel()
  onTestFinished(() => model.stop())
  const home = await makeFolder()
  for (const [name, content] of Object.entries(cli.files(model.url))) {
    await mkdir(dirname(join(home, name)), { recursive: true })
    await writeFile(join(home, name), content)
  }
  const { PATH = '' } = process.env
  const service = await startService({
    mode: 'local',
    engine: 'sqlite',
    env: {
      HOME: home,
      CODEX_HOME: join(home, '.codex'),
      PATH: `${bin}:${PATH}`,
      ...cli.variables(model.url),
    },
    config: {
      inference: {
        targets: { program: { executor: cli.id, models: { m: { model: 'default' } } } },
        limits: { timeoutMs: 120_000 },
      },
    },
  })
  onTestFinished(() => service.stop())
  return { service, model }
}

describe.each(clis.filter(({ id }) => programs.includes(id)))('$id as a target', (cli) => {
  test('answers a prompt without a tool, and reports its tokens', async () => {
    const { service, model } = await openTarget(cli)
    const { status, body } = await service.ask('POST /api/inference/execute', { body: { prompt } })

    expect(body).toMatchObject({ text: answer, attempts: [{ targetRef: 'program/m', ok: true }] })
    expect(status).toBe(200)
    expect(body['usage']).toMatchObject({ outputTokens: expect.any(Number) })
    const requests = model.requests.filter(({ json }) => json.includes(prompt))
    expect(requests.length).toBeGreaterThan(0)
    // No user answers this tool of Codex, which no setting removes.
    const tools = requests.flatMap((request) => request.tools)
    expect(tools.filter((name) => name !== 'request_user_input')).toEqual([])
  })
})
