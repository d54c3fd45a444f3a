import { expect, test } from 'vitest'
import { readTerms } from '../../recall/index.ts'
import { hook, hooksNeeds, onEachEngine, startWithContext, withSettings } from '../hooks.fixture.ts'
import { toProjectQuery } from './predict-memories.ts'

test.each([
  ['/mnt/home/ada/work/route-planner', 'route planner'],
  ['/mnt/Users/ada/Projects/acme/tea_shopFrontend', 'acme tea shop Frontend'],
  ['C:\\Users\\ada\\code\\barn', 'barn'],
  ['/srv/stall-verwaltung/öffnungszeiten', 'stall verwaltung öffnungszeiten'],
  ['/p', ''],
  [null, ''],
])('%j is searched as %j', (project, query) => {
  expect(toProjectQuery(project)).toBe(query)
})

onEachEngine(
  'a start of many notes shows durable and related notes, not only new ones',
  async (db) => {
    const { needs, remember } = await hooksNeeds(db)
    const all = new Map<string, string>()
    const save = async (content: string, more: object = {}) => {
      all.set(await remember(content, { project: '/srv/route-planner', ...more }), content)
    }
    const createdAt = new Date(needs.host.now().getTime() - 200 * 86_400_000).toISOString()
    await save('The route planner rounds distances to metres.', { createdAt })
    await save('Die Karten liegen im Ordner tiles.', { createdAt, type: 'decision' })
    await save('Tests run before each merge.', { createdAt, type: 'rule', importance: 0.3 })
    for (let number = 0; number < 60; number++)
      await save(`Note ${number} about the weather of that day`)
    await remember('The planner of another project', { createdAt, project: '/q', type: 'decision' })
    await remember('Answers are short.', { createdAt, type: 'preference' })
    const searchLexical = async (_: unknown, { text }: { readonly text: string }) => {
      const terms = new Set(readTerms(text))
      const hits = [...all].filter(([, content]) =>
        readTerms(content).some((term) => terms.has(term)),
      )
      return hits.map(([id]) => ({ id, score: 0.5 }))
    }
    const withSearch = withSettings({ ...needs, recall: { ...needs.recall, searchLexical } }, {})
    const { memories, dynamicContext } = await startWithContext(withSearch, {
      hook: hook({ project: '/srv/route-planner' }),
    })

    const contents = memories.map(({ content }) => content)
    for (const expected of [
      'The route planner rounds distances to metres.',
      'Die Karten liegen im Ordner tiles.',
      'Tests run before each merge.',
      'Answers are short.',
    ])
      expect(contents).toContain(expected)
    expect(contents).not.toContain('The planner of another project')
    expect(contents.filter((content) => content.startsWith('Note')).length).toBeGreaterThan(5)
    expect(contents.join('').length).toBeLessThanOrEqual(2000)
    expect(dynamicContext).toMatch(/## Active Constraints\n\n- Tests run before each merge\./)
  },
)
