import { expect, test } from 'vitest'
import { answerWith, startFakeDaemon } from '../support/fake-daemon.ts'
import { runReverie } from '../support/run-reverie.ts'

const passId = '0195f3a0-0000-7000-8000-000000000001'
const operations: readonly object[] = []

test.each([
  [{ status: 'failed', error: 'The model is lost.' }, 1, 'the pass failed: The model is lost.'],
  [{ status: 'completed', summary: '2 sources read, nothing to change.' }, 0, 'nothing to change'],
])('dream --wait ends with the outcome of the pass: %j', async (fields, code, words) => {
  const pass = { id: passId, disposition: 'none', error: null, ...fields }
  const { url, requests } = await startFakeDaemon(answerWith({ passId, pass, operations }))

  const run = await runReverie(['dream', '--preview', '--wait', '--url', url])

  expect(run.code).toBe(code)
  expect(run.stdout + run.stderr).toContain(words)
  const calls = requests.filter(({ path }) => path.includes('/dream/'))
  expect(calls).toMatchObject([
    { path: '/api/dream/trigger', body: { dryRun: true } },
    { path: expect.stringContaining(`/api/dream/passes/${passId}`) },
  ])
})

test('a pass without a change shows the reasons and examples of readable statements', async () => {
  const summary = '3 sources read, nothing to change.'
  const pass = { id: passId, status: 'completed', disposition: 'none', error: null, summary }
  const skipped = { noSubject: 4, question: 1 }
  const window = { cursor: '3', sources: [{ sourceKind: 'memory', sourceId: 'one', chars: 20 }] }
  const { url } = await startFakeDaemon(answerWith({ passId, pass, operations, skipped, window }))

  const text = await runReverie(['dream', '--preview', '--url', url])
  const json = await runReverie(['dream', '--preview', '--json', '--url', url])

  expect(text.stdout).toContain('4 sentences without a known person or project, 1 question')
  expect(text.stdout).toContain('The billing service runs on port 8080.')
  expect(text.stdout).toContain('docs/dreaming.md')
  expect(JSON.parse(json.stdout)).toMatchObject({ skipped })
})

test.each([
  ['disabled', 'reverie dream enable'],
  ['frozen', 'memory.pipelineV2.mutationsFrozen false'],
  ['paused', 'reverie pipeline resume'],
])(
  'a refused pass of a service that is %s names the command that helps',
  async (blockedBy, fix) => {
    const body = { error: 'Dreaming worker not running', code: 'not_running', blockedBy }
    const { url } = await startFakeDaemon(answerWith(body, 503))

    const { code, stderr } = await runReverie(['dream', 'run', '--url', url])

    expect({ code, stderr }).toEqual({ code: 7, stderr: expect.stringContaining(fix) })
  },
)
