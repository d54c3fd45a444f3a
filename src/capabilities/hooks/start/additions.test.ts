import { expect } from 'vitest'
import { toCleanText } from '../../../kernel/redaction/clean-text.ts'
import { begin, hook, hooksNeeds, noEntities, onEachEngine } from '../hooks.fixture.ts'

onEachEngine('contributions are in their place and truncated', async (db) => {
  const piece = {
    pluginId: 'p',
    id: 'one',
    content: `  Mind the hens. ${'x'.repeat(99)}`,
    maxTokens: 4,
  }
  const { needs } = await hooksNeeds(db, {
    plugins: {
      listContributions: async (target) => [{ ...piece, content: `${target}: ${piece.content}` }],
    },
    secrets: { listNames: async () => ['HEN_KEY', 'GATE\n# KEY'] },
    updateNotice: () => 'A newer version is there.',
  })

  const { stableSystemPrompt, dynamicContext } = await begin(needs)

  expect(stableSystemPrompt).toContain('\n\nsystem:   Mind t')
  expect(dynamicContext).toContain('A newer version is there.\n\nsession-start:  ')
  expect(dynamicContext).toContain(
    'Secrets by name, to be used without being seen: HEN_KEY, GATE KEY.',
  )
  expect(`${stableSystemPrompt}${dynamicContext}`).not.toContain('xxxxx')
})

onEachEngine('constraints have a section that is never truncated', async (db) => {
  const { needs, remember } = await hooksNeeds(db, {
    entities: {
      ...noEntities,
      findFocal: async () => ({ memoryIds: [], constraints: ['Never paint the barn in May.'] }),
    },
  })
  await remember('The gate stays shut at night.', { type: 'constraint' })
  await remember('The barn is red.')

  const { dynamicContext, memories } = await begin(needs)

  expect(dynamicContext).toContain(
    '## Active Constraints\n\n- Never paint the barn in May.\n- The gate stays shut at night.',
  )
  expect(dynamicContext.split('The gate stays shut')).toHaveLength(2)
  expect(memories).toHaveLength(2)
})

onEachEngine('what entities of the project lead to is weighed with the rest', async (db) => {
  const ids: string[] = []
  const { needs, remember } = await hooksNeeds(db, {
    entities: { ...noEntities, findFocal: async () => ({ memoryIds: ids, constraints: [] }) },
  })
  for (const text of ['one', 'two', 'three']) await remember(text, { project: '/p' })
  ids.push(await remember('linked', { project: '/p', pinned: true }))
  ids.push(await remember('private', { visibility: 'private', importance: 0.9 }))

  const { memories } = await begin(needs)

  expect(memories.map(({ content }) => content)).toContain('linked')
})

onEachEngine('what was asked about last is guessed at, once and within bounds', async (db) => {
  const { needs, remember } = await hooksNeeds(db)
  const told: string[] = []
  for (const text of ['a', 'b', 'c']) told.push(await remember(text, { importance: 1 }))
  const hens = await remember('The hens sleep in the barn.', { importance: 0.21 })
  const asked: string[] = []
  const guessing = {
    ...needs,
    recall: {
      ...needs.recall,
      searchLexical: async (_: unknown, { text }: { readonly text: string }) => {
        asked.push(text)
        return [told[0] ?? '', hens, 'gone'].map((id) => ({ id, score: 0.9 }))
      },
    },
  }
  const session = { agentId: 'ada', sessionKey: 'before', harness: 'codex', project: '/p' }
  await needs.sessions.recordActivity(db, session, {
    prompt: toCleanText('where?'),
    terms: toCleanText('hens barn'),
  })
  await needs.sessions.checkpoint(db, { id: session, trigger: 'session_end', ends: true })

  const { memories } = await begin(guessing)

  expect(asked).toEqual(['hens barn'])
  expect(memories.map(({ id }) => id)).toEqual([...told, hens])
})

onEachEngine('a sub-agent without a parent key inherits from the last session', async (db) => {
  const { needs } = await hooksNeeds(db)
  const turns = [{ role: 'user', text: 'paint the barn red' }] as const
  const parent = { agentId: 'ada', sessionKey: 'sender', harness: 'codex', project: '/p', turns }
  await needs.transcripts.appendLive(db, parent)

  const child = await begin(needs, { harnessAgentId: 'painter' })
  expect(child.dynamicContext).toContain('User: paint the barn red')
  const other = await begin(needs, { hook: hook({ sessionKey: 'two' }) })
  expect(other.dynamicContext).not.toContain('paint the barn')
})
