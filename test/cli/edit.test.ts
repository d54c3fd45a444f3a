import { afterAll, describe, expect, test } from 'vitest'
import { runAtTerminal } from '../support/run-at-terminal.ts'
import { reverieOf } from '../support/run-reverie.ts'
import { startService } from '../support/start-service.ts'

const service = await startService()
afterAll(() => service.stop())
const { run, json, env } = reverieOf(service)

const save = async (...args: string[]) => String((await json(['remember', ...args]))['id'])
/** Long enough to be unique among memories of the same second. */
const prefixOf = (id: string) => id.slice(0, 30)
const failure = async (args: readonly string[]) => {
  const { code, stdout, stderr } = await run([...args, '--json'])
  return { code, stdout, ...(JSON.parse(stderr) as Record<string, unknown>) }
}

describe('replace', () => {
  test('works: the new text takes the place, the tags, the project and the pin', async () => {
    const id = await save('we deploy on Fridays', '--tags', 'ops', '--pin', '--project', 'web')

    const saved = await json(['replace', prefixOf(id), 'we deploy on Mondays', '--reason', 'new'])

    expect(saved).toMatchObject({
      content: 'we deploy on Mondays',
      tags: 'ops',
      pinned: true,
      superseded: { id },
    })
    expect(await json(['show', String(saved['id'])])).toMatchObject({ project: 'web' })
    expect(await json(['show', id])).toMatchObject({
      superseded_by: saved['id'],
      superseded_reason: 'new',
    })
    expect(await json(['list', '--project', 'web'])).toMatchObject({
      memories: [{ id: saved['id'] }],
    })
  })

  test('reads the text from stdin, and options override the old values', async () => {
    const id = await save('the old attic', '--tags', 'a')
    const options = ['--tags', 'b', '--importance', '0.1', '--type', 'rule']

    const saved = await json(['replace', id, '-', ...options], 'the new attic')

    expect(saved).toMatchObject({ content: 'the new attic', tags: 'b', importance: 0.1 })
    expect(saved).toMatchObject({ type: 'rule', superseded: { id } })
  })

  test('prints the replaced memory to people', async () => {
    const id = await save('a blue door')

    expect((await run(['replace', id, 'a green door'])).stdout).toContain(`It supersedes ${id}.`)
  })

  test('exits with 4 if no memory is replaced', async () => {
    expect(await failure(['replace', 'nothing', 'x'])).toMatchObject({
      code: 'not_found',
      error: 'there is no memory nothing',
    })
  })
})

describe('remember', () => {
  test('takes the place of the memory that --supersedes names', async () => {
    const id = await save('the mill is closed')

    expect(
      await json(['remember', 'the mill is open', '--supersedes', prefixOf(id)]),
    ).toMatchObject({
      superseded: { id },
    })
  })

  test('refuses unknown types, and names the known ones', async () => {
    const { code, stderr } = await run(['remember', 'x', '--type', 'nonsense'])

    expect(code).toBe(2)
    expect(stderr).toMatch(/Allowed choices are fact, preference, decision/)
  })

  test('prints that something was redacted', async () => {
    const { stdout } = await run(['remember', 'the cellar <private>is wet</private> is large'])

    expect(stdout).toContain('1 credential or private part was removed from the text.')
    expect(stdout).not.toContain('is wet')
    expect((await run(['remember', 'the cellar is dry'])).stdout).not.toContain('removed')
  })
})

test('the refusal of an edit names the command that replaces', async () => {
  const id = await save('this stays a fact')

  expect(await failure(['update', id, '--type', 'rule', '--reason', 'r'])).toMatchObject({
    code: 'episodic_content_immutable',
    hint: 'Replace it with: reverie replace ID TEXT',
  })
})

describe('the beginning of an id', () => {
  test('is accepted by every command that takes an id', async () => {
    const id = await save('a lone memory')
    const prefix = prefixOf(id)

    expect(await json(['show', prefix.toUpperCase()])).toMatchObject({ id })
    expect(await json(['history', prefix])).toMatchObject({ memoryId: id })
    expect(await json(['update', prefix, '--pin', '--reason', 'r'])).toMatchObject({ id })
    expect(await json(['forget', prefix, '--force', '--reason', 'r'])).toMatchObject({ id })
    expect((await run(['show', prefix])).code).toBe(4)
    expect(await json(['history', prefix])).toMatchObject({ memoryId: id, count: 3 })
    expect(await json(['recover', prefix, '--reason', 'r'])).toMatchObject({ id })
  })

  test('lists the memories of an ambiguous prefix, and changes none', async () => {
    const ids = [await save('first of two'), await save('second of two')]
    const args = ['forget', (ids[0] ?? '').slice(0, 6), '--reason', 'r']

    const { code, stderr } = await run(args)

    expect(code).toBe(6)
    expect(stderr).toMatch(/matches several ids:\n( {2}[0-9a-f-]{36} {2}.+\n)+/)
    for (const id of ids) expect((await run(['show', id])).code).toBe(0)
  })

  test('has six characters or more', async () => {
    expect(await failure(['show', '0195f'])).toMatchObject({
      code: 'short_id',
      hint: 'Pass at least 6 characters.',
    })
    expect(await failure(['show', '000000'])).toMatchObject({ code: 'not_found' })
  })
})

describe('forget', () => {
  test('takes several ids', async () => {
    const ids = [await save('one of several'), await save('another of several')]

    expect(await json(['forget', ...ids, '--reason', 'r'])).toMatchObject({
      requested: 2,
      deleted: 2,
      results: ids.map((id) => ({ id, status: 'deleted' })),
    })
  })

  test('forgets the others if one is refused, and exits with 6', async () => {
    const [pinned, plain] = [await save('held fast', '--pin'), await save('held loosely')]

    const { code, stdout, stderr } = await run(['forget', pinned, plain, '--reason', 'r', '--json'])

    expect(code).toBe(6)
    expect(JSON.parse(stdout)).toMatchObject({
      requested: 2,
      deleted: 1,
      results: [{ status: 'pinned_requires_force' }, { status: 'deleted' }],
    })
    expect(JSON.parse(stderr)).toMatchObject({
      code: 'not_all_forgotten',
      hint: 'Forget pinned ones with --force.',
    })
  })

  test('by a query previews the memories, and needs --yes in a script', async () => {
    const ids = [await save('the heron flies'), await save('the heron sleeps')]
    const args = ['forget', '--query', 'heron', '--reason', 'r']

    const refused = await run(args)
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toContain('the heron flies')
    expect(refused.stderr).toContain('2 memories match; nothing was forgotten')
    expect((await run(['show', ids[0] ?? ''])).code).toBe(0)

    expect(await json([...args, '--limit', '1', '--yes'])).toMatchObject({ deleted: 1 })
    expect(await json([...args, '--yes'])).toMatchObject({ requested: 1, deleted: 1 })
    expect(await json([...args, '--yes'])).toEqual({ requested: 0, deleted: 0, results: [] })
  })

  test.each([[['forget']], [['forget', 'id', '--query', 'q']]])(
    '%j does not say what to forget',
    async (args) => {
      expect(await failure([...args, '--reason', 'r'])).toMatchObject({
        error: 'pass either ids or --query',
      })
    },
  )
})

describe.skipIf(process.platform !== 'linux')('at a terminal', () => {
  test('the reason has a default', async () => {
    const id = await save('a passing thought')

    expect((await runAtTerminal(['forget', id], { env })).code).toBe(0)

    const { history } = await json(['history', id])
    expect(history).toMatchObject([{}, { event: 'deleted', reason: 'requested at a terminal' }])
  })

  test.each([
    ['y', 0, 4],
    ['n', 3, 0],
  ])('forget by a query asks first: %s', async (keys, code, shown) => {
    const id = await save(`the stork brings ${keys}`)
    const args = ['forget', '--query', `"stork brings ${keys}"`]

    const { screen, ...ended } = await runAtTerminal(args, { env, keys, prompt: 'Forget this' })

    expect(ended).toEqual({ code })
    expect(screen).toContain(`the stork brings ${keys}`)
    expect((await run(['show', id])).code).toBe(shown)
  })
})
