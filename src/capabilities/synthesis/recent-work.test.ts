import { expect } from 'vitest'
import { toCleanText } from '../../kernel/redaction/clean-text.ts'
import { listRecentWork } from './recent-work.ts'
import { onEachEngine, synthesisFixture } from './synthesis.fixture.ts'

onEachEngine('lists the sessions of one project, the latest first', async (db) => {
  const { options: needs } = await synthesisFixture(db)
  const token = `ghp_${'aB3dE5fG7h'.repeat(4).slice(0, 36)}`
  const save = async (sessionKey: string, project: string | null, content: string) => {
    needs.host.advance(1000)
    const at = needs.host.now().toISOString()
    await needs.transcripts.saveSummary(db, {
      agentId: 'ada',
      id: `node of ${sessionKey}`,
      content: toCleanText(content),
      project,
      sessionKey,
      depth: 0,
      kind: 'session',
      tokenCount: 1,
      earliestAt: at,
      latestAt: at,
      createdAt: at,
      harness: 'codex',
      sourceType: 'compaction',
      sourceRef: null,
      metaJson: null,
    })
  }
  await save('one', '/p', 'We painted the barn.')
  await save('two', '/q', 'Wir haben das Tor gestrichen.')
  await save('three', null, 'We spoke of the weather.')
  await save('four', '/p', `The gate opens with ${token}`)
  const list = async (project: string | null, except?: string) =>
    (await listRecentWork(needs, { agentId: 'ada', project, except })).map(({ text }) => text)

  expect(await list('/p')).toEqual(['The gate opens with [REDACTED]', 'We painted the barn.'])
  expect(await list('/p', 'four')).toEqual(['We painted the barn.'])
  expect(await list('/q')).toEqual(['Wir haben das Tor gestrichen.'])
  expect(await list(null)).toEqual(['We spoke of the weather.'])
  expect(await listRecentWork(needs, { agentId: 'bob', project: '/p', except: undefined })).toEqual(
    [],
  )
})
