import { expect } from 'vitest'
import { toCleanText } from '../../../kernel/redaction/clean-text.ts'
import { completeCompaction } from '../compaction.ts'
import {
  hook,
  hooksNeeds,
  noEntities,
  onEachEngine,
  startWithContext,
  withSettings,
} from '../hooks.fixture.ts'
import { prepareCompaction } from '../pre-compaction.ts'
import { submitPrompt } from '../prompt/submit-prompt.ts'

onEachEngine('places and truncates plugin texts', async (db) => {
  const piece = {
    pluginId: 'p',
    id: 'one',
    content: `  Mind the hens. ${'x'.repeat(99)}`,
    maxTokens: 4,
    isCore: true,
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

onEachEngine(
  'predicts memories from the last queries, once and within the limit of rows',
  async (db) => {
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
    expect(memories).toHaveLength(3)
    expect(memories.map(({ id }) => id)).toEqual([ids[0], expect.toBeOneOf(ids.slice(1)), hens])
  },
)

onEachEngine('predicts memories from the newest summaries and the project', async (db) => {
  const { needs } = await hooksNeeds(db)
  const queries: string[] = []
  const searchLexical = async (_: unknown, { text }: { readonly text: string }) => {
    queries.push(text)
    return []
  }
  const project = '/srv/hen-house'
  for (const summary of ['The hens moved.', 'Die Leiter ist kaputt.', 'The gate was oiled.']) {
    const about = hook({ sessionKey: summary, project })
    await completeCompaction(needs, { hook: about, summary })
    needs.host.advance(1000)
  }

  const withSearch = { ...needs, recall: { ...needs.recall, searchLexical } }
  await startWithContext(withSearch, { hook: hook({ project }) })

  expect(queries).toEqual(['The gate was oiled.', 'Die Leiter ist kaputt.', 'hen house'])
})

onEachEngine('a fact is shown once in memories, summaries and the ledger', async (db) => {
  const { needs, remember, write } = await hooksNeeds(db)
  const facts = ['The northern barn was painted dark red.', 'Der Hof liegt an der alten Mühle.']
  for (const content of facts) await remember(content, { project: '/p' })
  await remember('Painted the northern barn dark red', { project: '/p' })
  await write('agents/ada/MEMORY.md', `<!-- svc:memory generated x -->\n# All\n${facts.join('\n')}`)
  const summary = `${facts.join(' ')} The hens moved on Friday.`
  for (const sessionKey of ['before', 'even-before'])
    await completeCompaction(needs, { hook: hook({ sessionKey }), summary })

  const { dynamicContext, recentContext } = await startWithContext(needs)

  for (const words of ['northern barn', 'Der Hof liegt', 'The hens moved on Friday.'])
    expect(dynamicContext.split(words)).toHaveLength(2)
  expect(dynamicContext).not.toMatch(/project:|node=|session=|\[\[|--compaction|even-before|# All/)
  expect(recentContext).toContain('# All')
})

onEachEngine('sessions, summaries and rules of other projects stay out', async (db) => {
  const { needs, remember } = await hooksNeeds(db)
  const save = (project: string | null, summary: string) =>
    completeCompaction(needs, { hook: hook({ sessionKey: `in ${project}`, project }), summary })
  await save('/p', 'The orchard was pruned in March.')
  await save('/q', 'The quarry was closed in April.')
  await save('/q', 'Der Steinbruch ist geschlossen.')
  await remember('Wear a helmet in the quarry', { type: 'rule', project: '/q', pinned: true })
  await remember('Write dates as in ISO 8601', { type: 'rule', pinned: true })

  const { inject } = await startWithContext(needs)

  expect(inject).toContain('The orchard was pruned in March.')
  expect(inject).toContain('Write dates as in ISO 8601')
  expect(inject).not.toMatch(/quarry|Steinbruch/)
  const other = await startWithContext(needs, { hook: hook({ project: null }) })
  expect(other.inject).not.toMatch(/quarry|Steinbruch|orchard/)
})

onEachEngine('a start after a compaction is short and has no summary of its own', async (db) => {
  const { needs, remember } = await hooksNeeds(db)
  const text = 'is documented in the handbook of the farm, in the chapter about animals and'
  for (let number = 0; number < 20; number++)
    await remember(`Rule ${number} ${text} field ${number * 7}`, {
      type: number % 2 ? 'rule' : 'fact',
      project: '/p',
    })
  const compact = withSettings(needs, {})
  const prompts = ['where do the bees live?', 'wo wohnen die Bienen?']
  for (const userMessage of prompts) await submitPrompt(compact, { hook: hook(), userMessage })
  await prepareCompaction(compact, { hook: hook() })
  const summary = `We looked for the bees. ${'They were not in the old hive. '.repeat(20)}`
  await completeCompaction(compact, { hook: hook(), summary })

  for (const source of [undefined, 'compact']) {
    const { inject, memories } = await startWithContext(compact, { source })
    expect(inject.length).toBeLessThan(2000)
    expect(memories.length).toBeGreaterThan(0)
    expect(inject).not.toContain('We looked for the bees')
    for (const prompt of prompts)
      expect(inject).toMatch(new RegExp(`- The user \\w+: ${prompt.slice(0, -1)}`))
  }
})
