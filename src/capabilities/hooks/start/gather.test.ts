import { expect } from 'vitest'
import { toCleanText } from '../../../kernel/redaction/clean-text.ts'
import { hooksNeeds, noEntities, onEachEngine, startWithContext } from '../hooks.fixture.ts'

onEachEngine('places and truncates plugin texts', async (db) => {
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

  const { stableSystemPrompt, dynamicContext } = await startWithContext(needs)

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

  const { dynamicContext, memories } = await startWithContext(needs)

  expect(dynamicContext).toContain(
    '## Active Constraints\n\n- Never paint the barn in May.\n- The gate stays shut at night.',
  )
  expect(dynamicContext.split('The gate stays shut')).toHaveLength(2)
  expect(memories).toHaveLength(2)
})

onEachEngine('includes memories linked to the entities of the project', async (db) => {
  const ids: string[] = []
  const { needs, remember } = await hooksNeeds(db, {
    entities: { ...noEntities, findFocal: async () => ({ memoryIds: ids, constraints: [] }) },
  })
  for (const text of ['one', 'two', 'three']) await remember(text, { project: '/p' })
  ids.push(await remember('linked', { project: '/p', pinned: true }))
  ids.push(await remember('private', { visibility: 'private', importance: 0.9 }))

  const { memories } = await startWithContext(needs)

  expect(memories.map(({ content }) => content)).toContain('linked')
})

onEachEngine('predicts memories from the last queries, once and within the budget', async (db) => {
  const { needs, remember } = await hooksNeeds(db)
  const ids: string[] = []
  for (const text of ['a', 'b', 'c']) ids.push(await remember(text, { importance: 1 }))
  const hens = await remember('The hens sleep in the barn.', { importance: 0.21 })
  const queries: string[] = []
  const needsWithSearch = {
    ...needs,
    recall: {
      ...needs.recall,
      searchLexical: async (_: unknown, { text }: { readonly text: string }) => {
        queries.push(text)
        return [ids[0] ?? '', hens, 'gone'].map((id) => ({ id, score: 0.9 }))
      },
    },
  }
  const session = { agentId: 'ada', sessionKey: 'before', harness: 'codex', project: '/p' }
  await needs.sessions.recordActivity(db, session, {
    prompt: toCleanText('where?'),
    terms: toCleanText('hens barn'),
  })
  await needs.sessions.checkpoint(db, { id: session, trigger: 'session_end', ends: true })

  const { memories } = await startWithContext(needsWithSearch)

  expect(queries).toEqual(['hens barn'])
  expect(memories.map(({ id }) => id)).toEqual([...ids, hens])
})
