import { expect, test } from 'vitest'
import { type BlackBoxEvent, type Search, toTurns } from '../../queries/sessions.ts'
import { placeMarks } from './marks.ts'

const turns = toTurns(
  'User: who keeps bees?\nAssistant: Nils.\nUser: and  wasps?\nAssistant: Nobody.',
)

const recalled = (id: string, at: string, surface: string): BlackBoxEvent => ({
  id,
  kind: 'context.recalled',
  at,
  title: '',
  detail: '',
  refs: [{ kind: 'memory', id, label: `text of ${id}` }],
  payload: { surface },
})

const search = (query: string, at: string, memory: string): Search => ({
  id: at,
  created_at: at,
  route: 'POST /api/hooks/user-prompt-submit',
  query,
  results: [{ id: 'a1', source: `memory:${memory}`, content: 'a fact' }],
})

const show = (events: readonly BlackBoxEvent[], searches: readonly Search[]) =>
  placeMarks(turns, events, searches).map(({ line, kind, items }) => [
    line,
    kind,
    items.map(({ memoryId }) => memoryId).join(),
  ])

test('places the memories of a session start before the first turn', () => {
  const events = ['m1', 'm2'].map((id) => recalled(id, '1', 'api.hooks.session-start'))

  expect(show(events, [])).toEqual([[undefined, 'start', 'm1,m2']])
})

test('places a query at the turn with its words, and a recall after the query before it', () => {
  const searches = [search('and wasps?', '5', 'm6'), search('who keeps bees?', '2', 'm3')]
  const events = [recalled('m4', '3', 'api.memory.recall'), recalled('m7', '6', 'api.hooks.recall')]

  expect(show(events, searches)).toEqual([
    [0, 'words', 'm3'],
    [2, 'words', 'm6'],
    [0, 'later', 'm4'],
    [2, 'later', 'm7'],
  ])
})

test('marks no item without a known place', () => {
  const other = search('words of no turn', '2', 'm3')

  expect(show([recalled('m4', '3', 'api.memory.recall')], [other])).toEqual([])
})

test('gives equal words to one turn each', () => {
  const twice = toTurns('User: go on\nUser: go on')
  const searches = [search('go on', '1', 'm1'), search('go on', '2', 'm2')]

  expect(placeMarks(twice, [], searches).map(({ line }) => line)).toEqual([0, 1])
  expect(placeMarks(twice, [], searches.slice(1))).toEqual([])
})
