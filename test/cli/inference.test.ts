import { afterAll, describe, expect, test } from 'vitest'
import { startModelUpstream } from '../support/model-upstream.ts'
import { reverieOf } from '../support/run-reverie.ts'
import { startService } from '../support/start-service.ts'

const upstream = await startModelUpstream()
const targets = {
  home: { executor: 'ollama', endpoint: upstream.url, models: { small: { model: 'tiny' } } },
}
const service = await startService({ engine: 'sqlite', config: { inference: { targets } } })
const empty = await startService({ engine: 'sqlite' })
afterAll(async () => {
  await Promise.all([service.stop(), empty.stop()])
  await upstream.stop()
})
const admin = reverieOf(service, 'admin')

describe('inference', () => {
  test('run prints the text of the model', async () => {
    const { stdout, code } = await admin.run(['inference', 'run', 'Where is the tea?'])

    expect([code, stdout]).toEqual([0, 'Hello from the model.\n'])
    expect(JSON.stringify(upstream.requests.at(-1)?.body)).toContain('Where is the tea?')
  })

  test('explain shows the target and what blocks it', async () => {
    expect((await admin.run(['inference', 'explain'])).stdout).toMatch(/home\/small/)
    const { code, stderr } = await admin.run(['inference', 'explain', '--policy', 'none'])
    expect(code).not.toBe(0)
    expect(stderr).toContain('There is no policy none.')
  })

  test('status, history and usage show the calls', async () => {
    expect((await admin.run(['inference', 'status'])).stdout).toMatch(/home\/small +healthy +ready/)
    expect((await admin.run(['inference', 'usage', '--by', 'target'])).stdout).toMatch(
      /home\/small +1 +0 +10 +5 +0\.0000/,
    )
    expect((await admin.run(['inference', 'history'])).stdout).toMatch(/execute +\S+ +home\/small/)
  })

  test('cancel of an unknown request exits with 4', async () => {
    expect((await admin.run(['inference', 'cancel', 'unknown'])).code).toBe(4)
  })

  test('names the next step while no model is configured', async () => {
    const { stdout } = await reverieOf(empty, 'admin').run(['inference', 'status'])

    expect(stdout).toContain('No model is configured. Run `reverie inference add')
    const { stderr } = await reverieOf(empty, 'admin').run(['inference', 'run', 'x'])
    expect(stderr).toContain('inference')
  })

  test('recall aggregates memories, saves the answer, and falls back to the rows', async () => {
    await admin.run(['remember', 'The okapi sleeps in the north barn'])
    const question = ['recall', 'where does the okapi sleep', '--aggregate']
    const { stdout } = await admin.run([...question, '--save'])
    expect(stdout).toMatch(
      /Hello from the model\.[\s\S]*from \d+ memor\w+ · \d+ tokens · saved as /,
    )
    expect((await admin.run([...question, '--save'])).stdout).toContain('already saved as')
    expect(JSON.stringify(upstream.requests.at(-1)?.body)).toContain('svc-evidence')

    await reverieOf(empty, 'admin').run(['remember', 'The okapi sleeps in the north barn'])
    const fallback = await reverieOf(empty, 'admin').run(question)
    expect(fallback.stdout).toMatch(/north barn[\s\S]*No model is available/)
  })
})
