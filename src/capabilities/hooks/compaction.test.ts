import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { completeCompaction } from './compaction.ts'
import {
  hook,
  hooksNeeds,
  listLedgerResets,
  onEachEngine,
  startWithContext,
} from './hooks.fixture.ts'
import { prepareCompaction } from './pre-compaction.ts'

const tenMinutesMs = 600_000
const nodesOf = (needs: Awaited<ReturnType<typeof hooksNeeds>>['needs']) =>
  needs.transcripts.listNodes(needs.db, { agentId: 'ada' }, 10)

onEachEngine('a compaction saves a memory and a node, and resets the ledger', async (db) => {
  const { needs } = await hooksNeeds(db)

  const result = await completeCompaction(needs, { hook: hook(), summary: 'We painted the barn.' })

  expect(result).toEqual({ success: true, memoryId: expect.any(String), contextEpoch: 1 })
  expect(await nodesOf(needs)).toMatchObject([
    {
      id: `one:compaction:${needs.host.now().getTime()}`,
      depth: 0,
      kind: 'session',
      sourceType: 'compaction',
      sourceRef: 'one',
      sessionKey: 'one',
      project: '/p',
      harness: 'codex',
      tokenCount: 5,
      metaJson: '{"source":"compaction-complete"}',
      earliestAt: needs.host.now().toISOString(),
      latestAt: needs.host.now().toISOString(),
    },
  ])
  expect(await listLedgerResets(db)).toEqual([
    {
      sessionKey: 'one',
      reason: 'compaction-complete',
      sourceRef: `one:compaction:${needs.host.now().getTime()}`,
    },
  ])
})

onEachEngine('each compaction of a session saves its summary', async (db) => {
  const { needs } = await hooksNeeds(db)
  const compact = (summary: string) => completeCompaction(needs, { hook: hook(), summary })

  expect(await compact('We painted the barn.')).toMatchObject({ contextEpoch: 1 })
  expect(await compact('We mowed the meadow.')).toMatchObject({ contextEpoch: 2 })

  const source = { type: 'session_summary', sourceType: 'codex', sourceId: 'one' }
  const scope = { agentId: 'ada', policy: 'isolated', groupAgents: [], project: null } as const
  const memories = await needs.memory.selection.listByImportance(db, scope, {
    types: undefined,
    limit: 9,
  })
  expect(memories.toSorted((a, b) => a.content.localeCompare(b.content))).toMatchObject([
    { content: 'We mowed the meadow.', ...source },
    { content: 'We painted the barn.', ...source },
  ])
})

onEachEngine('repeated and concurrent compactions are saved once', async (db) => {
  const { needs } = await hooksNeeds(db)
  const compact = () => completeCompaction(needs, { hook: hook(), summary: 'We painted the barn.' })
  const files = async () => (await readdir(join(needs.folder, 'memory'))).toSorted()

  const [first, ...others] = await Promise.all(Array.from({ length: 6 }, compact))
  expect(first).toMatchObject({ contextEpoch: 1 })
  for (const other of others) expect(other).toEqual(first)
  needs.host.advance(tenMinutesMs - 1)
  expect(await compact()).toEqual(first)
  expect(await nodesOf(needs)).toHaveLength(1)
  expect(await files()).toEqual([
    expect.stringMatching(/--compaction\.md$/),
    expect.stringMatching(/--manifest\.md$/),
  ])

  needs.host.advance(1)
  expect(await compact()).toEqual({ ...first, contextEpoch: 2 })
  expect(await nodesOf(needs)).toHaveLength(2)
})

onEachEngine('a failed artifact write does not fail a compaction', async (db) => {
  const { needs, write } = await hooksNeeds(db)
  await write('memory', 'not a folder')

  const result = await completeCompaction(needs, { hook: hook(), summary: 'We painted the barn.' })

  expect(result).toMatchObject({ success: true, memoryId: expect.any(String), contextEpoch: 1 })
  expect(await nodesOf(needs)).toHaveLength(1)
})

onEachEngine('a compaction has the project of its stored session', async (db) => {
  const { needs } = await hooksNeeds(db)
  const { transcripts } = needs
  const session = { agentId: 'ada', sessionKey: 'one', sessionId: 'i1', harness: 'codex' }
  const read = await transcripts.readInput({ harness: 'codex', transcript: 'User: paint it' })
  await transcripts.saveSnapshot(db, { ...session, project: '/barn', read, complete: false })

  await completeCompaction(needs, { hook: hook(), summary: 'We painted the barn.' })

  const [node] = await nodesOf(needs)
  expect(node).toMatchObject({ project: '/barn' })
  expect(await transcripts.listThreadHeads(db, { agentId: 'ada' }, 5)).toMatchObject([
    { nodeId: node?.id, threadKey: 'project:/barn#source:compaction#harness:codex' },
  ])
  expect(await transcripts.listArtifacts(db, { agentId: 'ada', limit: 5 })).toMatchObject([
    { sourceKind: 'compaction', sessionId: 'i1', project: '/barn', sourceNodeId: node?.id },
    { sourceKind: 'manifest', sessionId: 'i1', project: '/barn' },
  ])
})

onEachEngine(
  'a compaction without a session is saved as a memory, a node and a file',
  async (db) => {
    const { needs } = await hooksNeeds(db)
    const folder = join(needs.folder, 'memory')
    const keyless = hook({ sessionKey: undefined })

    const result = await completeCompaction(needs, {
      hook: keyless,
      summary: 'We painted the barn.',
    })

    expect(result).toEqual({ success: true, memoryId: expect.any(String) })
    const nodes = await nodesOf(needs)
    expect(nodes).toMatchObject([
      { sourceType: 'compaction', sessionKey: null, content: 'We painted the barn.' },
    ])
    const names = await readdir(folder)
    expect(names).toEqual([expect.stringMatching(/--[a-z2-7]{16}--compaction\.md$/)])
    const text = await readFile(join(folder, names[0] ?? ''), 'utf8')
    expect(text).toMatch(/\nsession_id: null\nsession_key: null\nproject: "\/p"\n/)
    expect(text).toContain(`\nmanifest_path: null\nsource_node_id: "${nodes[0]?.id}"\n`)
    expect(text).toMatch(/\nWe painted the barn\.\n$/)
    await completeCompaction(needs, { hook: keyless, summary: 'We mowed the meadow.' })
    expect(await readdir(folder)).toHaveLength(2)
  },
)

onEachEngine('a compaction in a temporary or fixture folder saves no memory', async (db) => {
  const { needs } = await hooksNeeds(db)
  const projects = [
    '/projects/__fixtures__/tea',
    'C:\\src\\test-fixtures',
    join('/tmp', 'tea'),
    '/private/var/folders/x',
    '/var/tmp',
  ]

  for (const [index, project] of projects.entries()) {
    const temporary = hook({ project, sessionKey: `temporary${index}` })
    expect(await completeCompaction(needs, { hook: temporary, summary: 'Tried.' })).toEqual({
      success: true,
      memoryId: null,
      contextEpoch: 1,
    })
  }
  const ordinary = hook({ project: '/tmpfiles/tea' })
  expect(await completeCompaction(needs, { hook: ordinary, summary: 'Tried.' })).toMatchObject({
    memoryId: expect.any(String),
  })
})

onEachEngine('only the summary of a reply with reasoning is saved', async (db) => {
  const { needs } = await hooksNeeds(db)
  const compact = (summary: string) => completeCompaction(needs, { hook: hook(), summary })

  await compact('<analysis>We think.</analysis>\n<summary>\nWe painted the barn.\n</summary>')
  needs.host.advance(1)
  await compact('<summary> </summary>No summary.')

  const contents = (await nodesOf(needs)).map(({ content }) => content)
  expect(contents).toEqual(['<summary> </summary>No summary.', 'We painted the barn.'])
})

onEachEngine('a start after the pre-compaction is not reset by the summary', async (db) => {
  const { needs, remember } = await hooksNeeds(db)
  await remember('a thing')
  const complete = (summary: string) => completeCompaction(needs, { hook: hook(), summary })
  const tick = () => needs.host.advance(1)
  await startWithContext(needs)
  tick()
  await prepareCompaction(needs, { hook: hook() })
  tick()
  expect((await startWithContext(needs, { source: 'compact' })).memories).toHaveLength(1)
  expect(await listLedgerResets(db)).toHaveLength(1)

  tick()
  expect(await complete('We spoke of a thing.')).toMatchObject({ contextEpoch: 1 })

  expect((await startWithContext(needs, { source: 'resume' })).memories).toEqual([])
  expect(await listLedgerResets(db)).toHaveLength(1)
  // The next compaction was not emitted, so its summary is the reset.
  expect(await complete('We spoke of another thing.')).toMatchObject({ contextEpoch: 2 })
  expect((await startWithContext(needs, { source: 'resume' })).memories.length).toBeGreaterThan(0)
})

onEachEngine('a summary before the next start resets the ledger', async (db) => {
  const { needs, remember } = await hooksNeeds(db)
  await remember('a thing')
  await startWithContext(needs)
  needs.host.advance(1)
  await prepareCompaction(needs, { hook: hook() })
  needs.host.advance(1)

  const summary = 'We spoke of a thing.'
  expect(await completeCompaction(needs, { hook: hook(), summary })).toMatchObject({
    contextEpoch: 1,
  })

  expect((await startWithContext(needs, { source: 'resume' })).memories.length).toBeGreaterThan(0)
})

onEachEngine('a compaction requests a refresh of MEMORY.md', async (db) => {
  const { needs } = await hooksNeeds(db)
  const refreshed: string[] = []
  const requestRefresh = async (agentId: string) => void refreshed.push(agentId)
  const synthesis = { ...needs.synthesis, requestRefresh }

  await completeCompaction({ ...needs, synthesis }, { hook: hook(), summary: 'We painted it.' })

  expect(refreshed).toEqual(['ada'])
})
