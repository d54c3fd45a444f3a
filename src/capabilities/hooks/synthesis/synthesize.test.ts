import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hook, hooksNeeds, onEachEngine } from '../hooks.fixture.ts'
import { type LedgerEntry, type Node, render } from './render.ts'
import { projectMemory, writeMemory } from './synthesize.ts'

const { caller } = hook()
const headings = [
  ...['Global Head (Tier 1)', 'Thread Heads (Tier 2)', 'Session Ledger (Last 30 Days)'],
  ...['Open Threads', 'Durable Notes & Constraints', 'Temporal Index'],
]
const read = (text: string) => [...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading)

const entry = (number: number): LedgerEntry => ({
  capturedAt: `2026-01-${String(1 + (number % 28)).padStart(2, '0')}T10:00:00.000Z`,
  ...{ sessionKey: `s${number}`, sessionToken: `t${number}`, project: '/p' },
  memorySentence: `In session ${number} the barn was painted red, and nobody complained about it.`,
  ...{ sourceKind: 'transcript', sourcePath: `transcripts/codex/transcript.jsonl#t${number}` },
})
const node = (number: number): Node => ({
  ...{ id: `n${number}`, kind: 'session', sourceType: 'transcript', depth: 0, harness: 'codex' },
  ...{ sessionKey: `s${number}`, project: `/p${number % 3}`, sourceRef: null },
  ...{ latestAt: '2026-01-02T00:00:00.000Z', content: '## not a heading\n<!-- nor a mark -->' },
})
const many = <Item>(count: number, make: (number: number) => Item) =>
  Array.from({ length: count }, (_, number) => make(number))

test('the sections stand in their order, also where there is nothing to say', () => {
  const empty = render({ durable: [], constraints: [], nodes: [], ledger: [] })
  const full = render({
    durable: [],
    constraints: [],
    nodes: many(50, node),
    ledger: many(9, entry),
  })

  expect(read(empty.text)).toEqual(headings)
  expect(read(full.text)).toEqual(headings)
  expect(full.text.endsWith(`${full.indexBlock}\n`)).toBe(true)
  expect(full.indexBlock.match(/^- id=/gm)).toHaveLength(20)
  expect(full.text).toContain('### project:/p0#source:transcript#harness:codex')
})

test('the same rows give the same bytes, within the budget', () => {
  const rows = { durable: [], constraints: [], nodes: many(200, node), ledger: many(200, entry) }

  const first = render(rows)

  expect(render(structuredClone(rows)).text).toBe(first.text)
  expect(first.text.length).toBeLessThanOrEqual(4 * 5000)
  expect(first.text).toContain('Older sessions are left out')
})

onEachEngine(
  'a session that was captured is told in MEMORY.md, at most once an hour',
  async (db) => {
    const { needs, write, remember } = await hooksNeeds(db)
    await remember('The barn is red', { type: 'decision', pinned: true })
    expect(await writeMemory(needs, caller, {})).toMatchObject({ skipped: true })
    await write('agents/ada/MEMORY.md', 'What a person wrote')
    const session = { agentId: 'ada', sessionKey: 'one', harness: 'codex' }
    await needs.transcripts.keepArtifact({
      ...{ ...session, kind: 'summary', body: 'We painted the barn red.' },
      capturedAt: needs.host.now().toISOString(),
    })

    const all = await Promise.all([1, 2, 3].map(() => writeMemory(needs, caller, { force: true })))

    expect(all.filter(({ skipped }) => !skipped).length).toBeGreaterThanOrEqual(1)
    const text = await readFile(join(needs.folder, 'agents/ada/MEMORY.md'), 'utf8')
    const [mark, ...lines] = text.split('\n')
    expect(mark).toMatch(/^<!-- svc:memory generated 2026-01-02T03:04Z -->$/)
    expect(lines.join('\n')).toBe((await projectMemory(needs, caller)).text)
    expect(text).toContain('- [decision] The barn is red')
    expect(await readdir(join(needs.folder, 'agents/ada/memory'))).toHaveLength(1)
    expect(await writeMemory(needs, caller, {})).toMatchObject({ success: true, skipped: true })
  },
)
