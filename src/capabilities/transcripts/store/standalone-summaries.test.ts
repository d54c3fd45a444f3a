import { expect } from 'vitest'
import { toCleanText } from '../../../kernel/redaction/clean-text.ts'
import { testOnEachEngine } from '../../../kernel/testing/engines.ts'
import { transcriptsMigrations } from '../migrations.ts'
import type { Summary } from '../summary.ts'
import { tables } from './rows.ts'
import { listStandaloneSummaries, sumStandaloneSummaries } from './standalone-summaries.ts'
import { upsertSummary } from './summaries.ts'

const at = (second: number) => `2026-01-01T00:00:0${second}.000Z`
const summary = (id: string, second: number, more: Partial<Summary> = {}): Summary => ({
  agentId: 'ada',
  id,
  project: null,
  depth: 0,
  kind: 'session',
  content: toCleanText('words'),
  tokenCount: 2,
  earliestAt: at(0),
  latestAt: at(0),
  sessionKey: `session-${id}`,
  harness: null,
  sourceType: 'summary',
  sourceRef: null,
  metaJson: null,
  createdAt: at(second),
  ...more,
})

testOnEachEngine(transcriptsMigrations)(
  'summaries of sessions without a transcript follow a cursor',
  async (db) => {
    for (const row of [
      summary('two', 2),
      summary('one', 1, { sessionKey: null }),
      summary('spoken', 1),
      summary('arc', 2, { depth: 1, kind: 'arc' }),
      summary('other', 2, { agentId: 'bob' }),
    ])
      await upsertSummary(db, row)
    const times = { capturedAt: at(0), createdAt: at(0), updatedAt: at(0) }
    const names = { agentId: 'ada', sessionKey: 'session-spoken', harness: 'bench' }
    await tables(db)
      .insertInto('sessionTranscripts')
      .values({ ...names, ...times, content: '', contentHash: '', sourceFormat: 'text' } as never)
      .execute()

    const start = { updatedAt: '', id: '' }
    const rows = await listStandaloneSummaries(db, 'ada', { after: start, limit: 10 })
    expect(rows.map(({ id, chars }) => [id, chars])).toEqual([
      ['one', 5],
      ['two', 5],
    ])
    const after = { updatedAt: at(1), id: 'one' }
    expect(await sumStandaloneSummaries(db, 'ada', after)).toEqual({
      chars: 5,
      count: 1,
      oldestAt: at(0),
    })
  },
)
