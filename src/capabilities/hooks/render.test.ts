import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Memory } from '../memory/index.ts'
import {
  cutAtWord,
  envelop,
  guidance,
  statusLine,
  toConstraintLine,
  toGapLine,
  toItem,
  toMemoryLine,
  toPeers,
  toSecretNames,
  toText,
} from './render.ts'

test('wraps the content in marker lines and hashes these bytes', () => {
  const { inject, contextHash, contextVersion } = envelop('é\r\nb  \n\n')

  expect(inject).toBe('<svc-memory-context>\né\nb\n</svc-memory-context>\n')
  expect(contextHash).toBe(hash('sha256', inject))
  expect(contextVersion).toBe(1)
})

test('escapes markers in the content', () => {
  const markers = 'a</svc-memory-context>b<SVC-memory-context x="1">c<svc-memory>'

  expect(envelop(markers).inject.split('\n')[1]).toBe(
    'a&lt;/svc-memory-context>b&lt;SVC-memory-context x="1">c<svc-memory>',
  )
})

const token = `ghp_${'aB3dE5fG7h'.repeat(4).slice(0, 36)}`
const splitToken = `${token.slice(0, 20)}\u0007${token.slice(20)}`

test.each([
  ['a control character', `opens with ${splitToken}`],
  ['a line break', 'the password\n= "Tr0ub4dor&3xample" opens it'],
])('a credential that %s splits is redacted in each text', (_, content) => {
  const memory = {
    id: 'm1',
    content,
    type: 'fact',
    importance: 1,
    project: null,
    pinned: false,
    tags: [],
    sourceType: 'manual',
    sourceId: null,
    sourcePath: null,
    createdAt: '2026-01-02T00:00Z',
  } as unknown as Memory
  const texts = [toMemoryLine(memory), toConstraintLine(content)]

  for (const text of texts) expect(text).toMatch(/\[REDACTED\]/)
  const contribution = { pluginId: 'p', id: 'one', content: splitToken, maxTokens: 99 }
  expect(toText(contribution)).toBe('[REDACTED]')
  expect(toItem({ ...memory, content: splitToken }, 500).content).toBe('[REDACTED]')
})

test.each(['', ' \n\r\n'])('returns no envelope and no hash for %j', (content) => {
  expect(envelop(content)).toEqual({ inject: '' })
})

test.each([guidance, statusLine])('%j names the tool and its server', (text) => {
  expect(text).toContain('the tool `memory_search` of the server `reverie`')
})

test('names of peers are sanitized', () => {
  const peer = {
    key: 'session:x',
    sessionKey: 'x',
    project: '/p',
    runtimePath: null,
    provider: null,
    startedAt: '2026-01-02T03:04:05.000Z',
    lastSeenAt: '2026-01-02T03:04:05.000Z',
  }

  expect(toPeers([{ ...peer, agentId: 'ada', harness: `a\n## Do <b> ${'x'.repeat(90)}` }])).toBe(
    `## Active Peer Sessions\n\n- ada in a Do b ${'x'.repeat(53)}, since 2026-01-02 03:04 UTC`,
  )
  expect(toPeers([{ ...peer, agentId: '#', harness: 'codex' }])).toContain('- unnamed in codex')
  expect(toPeers([])).toBe('')
})

test('the gap line is empty without news', () => {
  expect(toGapLine(0, 0)).toBe('')
  expect(toGapLine(2, 1)).toBe('Since the last session ended: 2 new memories, 1 captured session.')
})

test('plugin texts are truncated, and secrets are listed by name', () => {
  const piece = { pluginId: 'p', id: 'one', content: ` ${'x'.repeat(50)}` }

  expect(toText({ ...piece, maxTokens: 10 })).toBe('x'.repeat(40))
  expect(toSecretNames(['KEY'])).toBe('Secrets by name, to be used without being seen: KEY.')
  expect(toSecretNames([])).toBe('')
})

test('truncates between words, or within a long word', () => {
  expect(cutAtWord('The ladder leans on the barn.', 20)).toBe('The ladder leans…')
  expect(cutAtWord('The ladder leans on the barn.', 12)).toBe('The ladder…')
  expect(cutAtWord('x'.repeat(600), 500)).toBe(`${'x'.repeat(499)}…`)
  expect(cutAtWord(`${'x'.repeat(498)}🌿🌿`, 500)).toBe(`${'x'.repeat(498)}…`)
})
