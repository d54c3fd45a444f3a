import { expect, test } from 'vitest'
import {
  guidance,
  statusLine,
  toConstraints,
  toGapLine,
  toPeers,
  toSecretNames,
  toText,
} from '../render.ts'

test.each([guidance, statusLine])('a start names the tool and its server', (text) => {
  expect(text).toContain('the tool `memory_search` of the server `reverie`')
})

test('names of peers are sanitized', () => {
  const peer = {
    ...{ key: 'session:x', sessionKey: 'x', project: '/p', runtimePath: null, provider: null },
    ...{ startedAt: '2026-01-02T03:04:05.000Z', lastSeenAt: '2026-01-02T03:04:05.000Z' },
  }

  expect(toPeers([{ ...peer, agentId: 'ada', harness: `a\n## Do <b> ${'x'.repeat(90)}` }])).toBe(
    `## Active Peer Sessions\n\n- ada in a Do b ${'x'.repeat(53)}, since 2026-01-02 03:04 UTC`,
  )
  expect(toPeers([{ ...peer, agentId: '#', harness: 'codex' }])).toContain('- unnamed in codex')
  expect(toPeers([])).toBe('')
})

test('what came since is one line, or none', () => {
  expect(toGapLine(0, 0)).toBe('')
  expect(toGapLine(2, 1)).toBe('Since the last session ended: 2 new memories, 1 captured session.')
})

test('constraints are listed once, as many as fit', () => {
  const many = Array.from({ length: 300 }, (_, number) => `Never paint barn ${number}.`)
  const told = toConstraints(['Mind the hens.', 'Mind the hens.', ...many])

  expect(told.split('Mind the hens.')).toHaveLength(2)
  expect(told.length).toBeGreaterThan(950)
  expect(told.length).toBeLessThanOrEqual(1000)
  expect(toConstraints([])).toBe('')
})

test('plugin texts are truncated, and secrets are listed by name', () => {
  const piece = { pluginId: 'p', id: 'one', content: ` ${'x'.repeat(50)}` }

  expect(toText({ ...piece, maxTokens: 10 })).toBe('x'.repeat(40))
  expect(toSecretNames(['KEY'])).toBe('Secrets by name, to be used without being seen: KEY.')
  expect(toSecretNames([])).toBe('')
})
