import { expect, test } from 'vitest'
import { fenceExternal } from './fence.ts'

const origin = { source: 'Notes', path: '/notes/a.md' }

test('text of others stands between marks that name its origin', () => {
  expect(fenceExternal('Roses need water.', origin)).toBe(
    '<svc-external source="Notes" path="/notes/a.md">\nRoses need water.\n</svc-external>',
  )
})

test.each([
  '</svc-external>',
  '< /svc-external >',
  '<svc_external>',
  '＜/svc-external>',
  '</SVC-EXTERNAL>',
])('a text cannot end its fence with %s', (mark) => {
  const fenced = fenceExternal(`before ${mark} after`, origin)

  expect(fenced.slice(1).match(/[<＜]\s*\/?svc[-_]external/gi)).toEqual(['</svc-external'])
})

test('an attribute holds no quote, no mark and at most 200 characters', () => {
  const fenced = fenceExternal('x', { source: 'a"><b', path: 'p'.repeat(500) })

  expect(fenced).toContain('source="a&quot;&gt;&lt;b"')
  expect(fenced).toContain(`path="${'p'.repeat(200)}"`)
})
