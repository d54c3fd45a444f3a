import { afterAll, describe, expect, test } from 'vitest'
import { answerWith, startFakeDaemon } from '../support/fake-daemon.ts'
import { reverieOf } from '../support/run-reverie.ts'
import { startService } from '../support/start-service.ts'

const service = await startService()
afterAll(() => service.stop())
const { run, json } = reverieOf(service)
const reader = reverieOf(service, 'readonly')

const saved = async (...args: string[]) => String((await json(['remember', ...args]))['id'])

describe('remember', () => {
  test('works, and prints a confirmation to people', async () => {
    const { code, stdout, stderr } = await run(['remember', 'The kettle is in the hall'])

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('Remembered: The kettle is in the hall')
  })

  test('reads the content and its attributes from stdin', async () => {
    const options = ['--tags', 'a,b', '--importance', '0.4', '--pin']

    expect(await json(['remember', '-', ...options], 'piped\n')).toMatchObject({
      content: 'piped',
      tags: 'a,b',
      importance: 0.4,
      pinned: true,
      deduped: false,
    })
  })

  test('pins a critical memory with importance 1', async () => {
    expect(await json(['remember', 'The gas is off', '--critical'])).toMatchObject({
      importance: 1,
      pinned: true,
    })
  })

  test('reports a duplicate', async () => {
    await saved('twice')

    expect((await run(['remember', 'twice'])).stdout).toContain('Already stored')
  })

  test('who may: a reader is refused with 3', async () => {
    const { code, stderr } = await reader.run(['remember', 'no', '--json'])

    expect(code).toBe(3)
    expect(JSON.parse(stderr)).toMatchObject({ code: 'permission_missing' })
  })
})

describe('recall', () => {
  test.each([
    [['--save'], '--save needs --aggregate'],
    [['--budget', 'small'], '--budget needs --aggregate'],
    [['--aggregate', '--budget', 'huge'], 'Allowed choices are small, medium, large'],
  ])('refuses %j', async (options, reason) => {
    const { code, stderr } = await run(['recall', 'almanac', ...options])

    expect(code).toBe(2)
    expect(stderr).toContain(reason)
  })

  test('shows on request how each score was computed, and what was current then', async () => {
    const id = await saved('the almanac is on the shelf')

    expect((await run(['recall', 'almanac', '--explain'])).stdout).toMatch(
      /almanac is on the shelf\n.*\n +\d\.\d{3} \w+/,
    )
    expect(await json(['recall', 'almanac'])).toMatchObject({ results: [{ id }] })
    expect(await json(['recall', 'almanac', '--as-of', '2020-01-01'])).toMatchObject({
      results: [],
    })
  })

  test('explain names the correction, the time and the features of the confidence', async () => {
    await saved('the barometer fell')

    expect((await run(['recall', 'baromter today', '--explain'])).stdout).toMatch(
      /^baromter is searched as barometer\nthe time is from \S+ to \S+\n[\s\S]*confidence {2}bias 1\.00 × -/,
    )
  })

  test('indents the lines of a memory, so that none looks like another result', async () => {
    await saved('the astrolabe is broken\n1.00  a second hit')

    expect((await run(['recall', 'astrolabe'])).stdout).toMatch(
      /^\d\.\d\d {2}the astrolabe is broken\n {6}1\.00 {2}a second hit\n {6}\S/m,
    )
  })

  test('prints the id that show accepts, also for events of a day', async () => {
    const body = { content: 'the regatta was won', occurredAt: '2024-05-05T12:00:00Z' }
    const id = String((await service.ask('POST /api/memory/remember', { body })).body['id'])

    const { stdout } = await run(['recall', 'what happened on 2024-05-05'])

    expect(stdout).toMatch(new RegExp(`the regatta was won\n +${id} · fact · `))
    expect(await json(['recall', 'what happened on 2024-05-05'])).toMatchObject({
      results: [{ id: `temporal:memory:${id}:occurred` }],
    })
  })

  test('prints no id for rows that are not memories', async () => {
    const source = { sourceId: 'talk', transcript: 'User: the okapi sleeps' }
    const compacted = { sessionKey: 'night', harness: 'mine', summary: 'We slept by the skerry.' }
    await service.ask('POST /api/memory/remember', { body: { content: 'a heron', ...source } })
    await service.ask('POST /api/hooks/compaction-complete', { body: compacted })
    const today = new Date().toLocaleDateString('sv')

    expect((await run(['recall', 'okapi'])).stdout).toMatch(/okapi sleeps\n +transcript · /)
    const { stdout } = await run(['recall', `what happened on ${today}`, '--limit', '50'])
    expect(stdout).toMatch(/We slept by the skerry\.\n +session · /)
    expect(stdout).not.toContain('temporal:')
  })
})

describe('show and history', () => {
  test('work', async () => {
    const id = await saved('look at me')

    expect(await json(['show', id])).toMatchObject({ id, content: 'look at me' })
    expect((await run(['show', id])).stdout).toMatch(/^look at me\n/)
    expect(await json(['history', id])).toMatchObject({ memoryId: id, count: 1 })
  })

  test.each([
    ['show', 'nothing'],
    ['history', 'nothing'],
    ['update', 'nothing', '--pin', '--reason', 'r'],
    ['forget', 'nothing', '--reason', 'r'],
    ['recover', 'nothing', '--reason', 'r'],
  ])('%s names the missing memory, refers to a command, and exits with 4', async (...args) => {
    const { code, stderr } = await run([...args, '--json'])

    expect(code).toBe(4)
    expect(JSON.parse(stderr)).toEqual({
      error: 'there is no memory nothing',
      code: 'not_found',
      hint: 'List the memories with: reverie list',
    })
  })

  test('text cannot command the terminal', async () => {
    const id = await saved('red \u001b[31malert')

    expect((await run(['show', id])).stdout).not.toContain('\u001b')
  })
})

describe('update', () => {
  test('works', async () => {
    const id = await saved('change me')

    expect(await json(['update', id, '--reason', 'r', '--pin'])).toMatchObject({
      status: 'updated',
      newVersion: 2,
    })
    const { stdout } = await run(['update', id, '--reason', 'r', '--unpin'])
    expect(stdout).toContain('Updated')
  })
})

describe('forget', () => {
  test('works', async () => {
    const id = await saved('let me go')

    expect(await json(['forget', id, '--reason', 'r'])).toMatchObject({ status: 'deleted' })
    expect((await run(['show', id])).code).toBe(4)
  })

  test('exits with 6 for a pinned memory, and names the option', async () => {
    const id = await saved('hold me', '--pin')
    const { code, stderr } = await run(['forget', id, '--reason', 'r', '--json'])

    expect(code).toBe(6)
    expect(JSON.parse(stderr)).toMatchObject({
      code: 'pinned_requires_force',
      hint: 'Pass --force to delete a pinned memory.',
    })
    expect((await run(['forget', id, '--reason', 'r', '--force'])).code).toBe(0)
  })
})

test('recall without a memory shows what the graph knows of the things in the query', async () => {
  const entity = {
    name: 'Atlas',
    type: 'project',
    aspects: [
      {
        name: 'runtime',
        attributes: [{ content: 'written in Go', status: 'active', importance: 0.5 }],
      },
    ],
  }
  const reply = { results: [], query: 'Atlas', method: 'hybrid', meta: {}, entities: [entity] }
  const { url } = await startFakeDaemon(answerWith(reply))

  const { stdout } = await run(['recall', 'Atlas', '--url', url])

  expect(stdout).toContain('No memory matches')
  expect(stdout).toMatch(/Atlas \(project\)\n +runtime +written in Go/)
})
