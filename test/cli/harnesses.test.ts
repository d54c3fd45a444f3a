import { chmod, lstat, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PassThrough } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { homes } from '../support/harness-homes.ts'
import { makeFolder } from '../support/make-folder.ts'
import { runReverie } from '../support/run-reverie.ts'

type Files = Readonly<Record<string, string>>
const ids = Object.keys(homes)
const command = "/opt/the tea's house/reverie"

async function makeHome(files: Files = {}) {
  const home = await makeFolder()
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(home, name)), { recursive: true })
    await writeFile(join(home, name), content)
  }
  const run = (...args: readonly string[]) => runReverie(args, { env: { HOME: home } })
  const json = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await run(...args, '--json')
    if (code !== 0) throw new Error(stderr)
    return JSON.parse(stdout)
  }
  return { home, run, json }
}

/** All files but those of the workspace. */
async function readHome(home: string): Promise<Files> {
  const entries = await readdir(home, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(home.length + 1))
    .filter((name) => !name.startsWith('.svc/'))
  return Object.fromEntries(
    await Promise.all(files.map(async (name) => [name, await readFile(join(home, name), 'utf8')])),
  )
}

describe.each(ids)('%s', (id) => {
  const before = homes[id] ?? {}

  test('is connected once, with all that was there kept, and put back as it was', async () => {
    const { home, json } = await makeHome(before)

    expect(await json('install', id, '--command', command)).toMatchObject({ status: 'installed' })
    const after = await readHome(home)
    for (const [name, text] of Object.entries(before)) expectKept(text, after[name] ?? '')
    expect(await json('install', id, '--command', command)).toMatchObject({ status: 'unchanged' })
    expect(await readHome(home)).toEqual(after)

    expect(await json('uninstall', id)).toMatchObject({ status: 'uninstalled' })
    expect(await readHome(home)).toEqual(before)
    expect(await json('uninstall', id)).toMatchObject({ status: 'unchanged' })
  })

  test('a dry run shows a diff and writes nothing', async () => {
    const { home, json, run } = await makeHome(before)

    const { diff, files, status } = await json('install', id, '--dry-run')
    expect(status).toBe('dry_run')
    expect(files.length).toBeGreaterThan(0)
    expect(diff).toMatch(/^--- .+\n\+\+\+ .+\n@@ /m)
    expect((await run('install', id, '--dry-run')).stdout).toContain('@@ ')
    expect(await readHome(home)).toEqual(before)
    expect(await readdir(home)).not.toContain('.svc')
  })

  test('another program takes the place of the former, and ours alone is taken out', async () => {
    const { home, json } = await makeHome(before)
    await json('install', id)
    await json('install', id, '--command', command)
    await rm(join(home, '.svc', 'harnesses', `${id}.before.json`))

    const written = JSON.stringify([...Object.values(await readHome(home))])
    expect(written).not.toContain('bin/reverie')
    expect(written).not.toContain('hook.cjs')
    await json('uninstall', id)

    const left = await readHome(home)
    expect(JSON.stringify(left)).not.toContain('reverie')
    for (const [name, text] of Object.entries(before)) expectKept(text, left[name] ?? '')
  })
})

/** Every line that was there is there, in order; a comma may have come to its end. */
function expectKept(text: string, after: string): void {
  const lines = after.split('\n')
  let at = 0
  for (const line of text.split(/\n|(?<=[{}[\]]) |(?=})/).map((part) => part.trim())) {
    if (line === '') continue
    const found = lines.findIndex((other, index) => index >= at && other.includes(line))
    expect(found, `${line} in ${after}`).toBeGreaterThanOrEqual(0)
    at = found
  }
}

test('a file is put back as it was before the first of several times', async () => {
  const before = homes['claude-code'] ?? {}
  const { home, json } = await makeHome(before)
  await json('install', 'claude-code')
  await json('install', 'claude-code', '--command', command)

  await json('uninstall', 'claude-code')

  expect(await readHome(home)).toEqual(before)
})

test('what was changed since stays, and ours goes', async () => {
  const { home, json } = await makeHome({ '.codex/config.toml': 'model = "x"\n' })
  await json('install', 'codex')
  const file = join(home, '.codex', 'config.toml')
  await writeFile(file, `${await readFile(file, 'utf8')}\n[more]\nb = 2\n`)

  await json('uninstall', 'codex')

  expect(await readHome(home)).toEqual({
    '.codex/config.toml': 'model = "x"\n\n\n[more]\nb = 2\n',
  })
})

describe('nothing is written', () => {
  test.each([
    ['claude-code', '.claude/settings.json', '{\n  "a": 1,\n  "b"\n}\n', 'line 4'],
    ['claude-code', '.claude.json', '[]', 'holds no object'],
    ['claude-code', '.claude/settings.json', '{"hooks": []}', 'hooks is of another kind'],
    ['gemini', '.gemini/settings.json', '{"hooks": {"SessionStart": "x"}}', 'of another kind'],
    ['codex', '.codex/config.toml', 'a = 1\nb = \n', 'line 2'],
  ])('for %s, where %s cannot be read', async (id, name, text, told) => {
    const { home, run } = await makeHome({ [name]: text })

    const { code, stderr } = await run('install', id, '--json')

    expect(code).toBe(3)
    expect(JSON.parse(stderr)).toMatchObject({
      ...{ code: 'malformed_file', error: expect.stringContaining(told) },
    })
    expect(await readHome(home)).toEqual({ [name]: text })
  })

  test.each([
    ['cursor', '.cursor/mcp.json', '{"mcpServers": {"reverie": {"command": "other"}}}'],
    ['codex', '.codex/config.toml', '[mcp_servers.reverie]\ncommand = "other"\n'],
    ['opencode', '.config/opencode/plugins/reverie.js', 'export const A = 1\n'],
  ])('for %s, where %s has something of that name', async (id, name, text) => {
    const { home, run } = await makeHome({ [name]: text })

    const { code, stderr } = await run('install', id, '--json')

    expect({ code, ...JSON.parse(stderr) }).toMatchObject({ code: 'not_ours' })
    expect(await readHome(home)).toEqual({ [name]: text })
  })

  test('where a folder stands in the place of a file', async () => {
    const { home, run } = await makeHome({ '.codex/hooks.json/inside': '' })

    expect((await run('install', 'codex')).stderr).toContain('it is no plain file')
    expect(await readHome(home)).toEqual({ '.codex/hooks.json/inside': '' })
  })

  test('for a harness that is none, and for a program of another name', async () => {
    const { home, run } = await makeHome()

    expect((await run('install', 'nonsense')).code).toBe(2)
    expect((await run('install', 'codex', '--command', '/usr/bin/tea')).code).toBe(2)
    expect(await readHome(home)).toEqual({})
  })
})

test('a link stays a link, and the mode of a file stays', async () => {
  const { home, json } = await makeHome({ 'dotfiles/settings.json': '{}\n' })
  await chmod(join(home, 'dotfiles', 'settings.json'), 0o640)
  await mkdir(join(home, '.gemini'))
  const link = join(home, '.gemini', 'settings.json')
  await symlink('../dotfiles/settings.json', link)

  await json('install', 'gemini')

  expect((await lstat(link)).isSymbolicLink()).toBe(true)
  expect((await lstat(join(home, 'dotfiles', 'settings.json'))).mode & 0o777).toBe(0o640)
  expect(await readFile(link, 'utf8')).toContain('BeforeAgent')
})

test('harnesses says what is here and what is connected', async () => {
  const { home, json, run } = await makeHome({ '.codex/auth.json': '{}' })
  await json('install', 'codex')

  const { harnesses } = await json('harnesses')

  expect(harnesses.map(({ id }: { id: string }) => id)).toEqual(ids)
  expect(harnesses[1]).toEqual({
    ...{ id: 'codex', name: 'Codex CLI', detected: true, installed: true },
    ...{ version: null, configPath: join(home, '.codex', 'config.toml') },
  })
  expect(harnesses[2]).toMatchObject({ id: 'gemini', detected: false, installed: false })
  expect((await run('harnesses')).stdout).toContain('Codex CLI')
})

/** The plugin as it is written, with a program in place of ours that says what it was told. */
async function installPlugin() {
  const { home, json } = await makeHome()
  const program = join(home, 'reverie')
  await writeFile(program, '#!/bin/sh\nread -r said; echo "$2: $said"\n', { mode: 0o755 })
  await json('install', 'opencode', '--command', program)
  const file = join(home, '.config', 'opencode', 'plugins', 'reverie.js')
  return (await import(pathToFileURL(file).href)).default
}

test('the plugin runs the hooks and adds what they say', async () => {
  const { server } = await installPlugin()
  const messages = async () => ({ data: [] })

  const plugin = await server({ client: { session: { messages } }, directory: '/tea' })
  const parts: { type: string; text: string }[] = [{ type: 'text', text: 'Hi' }]
  await plugin['chat.message']({ sessionID: 's-1' }, { message: { id: 'm-1' }, parts })
  const output = { context: [] as string[] }
  await plugin['experimental.session.compacting']({ sessionID: 's-1' }, output)
  await plugin.event({ event: { type: 'session.deleted', properties: { info: { id: 's-1' } } } })

  const said = '{"sessionID":"s-1","directory":"/tea"'
  const added = `session-start: ${said}}\nuser-prompt-submit: ${said},"prompt":"Hi"}`
  expect(parts[1]).toMatchObject({ text: added, synthetic: true, messageID: 'm-1' })
  expect(output.context).toEqual([`pre-compaction: ${said}}`])
})

type Hooked = (event: object) => Promise<void>

test('the plugin tells the second generation of its harness the same, with each request', async () => {
  const { id, setup } = await installPlugin()
  const hooks = new Map<string, Hooked>()
  const events = new PassThrough({ objectMode: true })
  const hook = async (name: string, hooked: Hooked) => {
    hooks.set(name, hooked)
  }
  const ask = async (name: string) => {
    const system: { text: string }[] = []
    await hooks.get(name)?.({ sessionID: 's-1', prompt: { text: 'Hi' }, system })
    return system.map(({ text }) => text)
  }

  const end = await setup({
    ...{ location: { directory: '/tea' }, session: { hook, context: async () => [] } },
    event: { subscribe: () => events },
  })
  expect(await ask('prompt')).toEqual([])

  expect(id).toBe('reverie')
  const said = '{"sessionID":"s-1","directory":"/tea"'
  const told = [
    `session-start: ${said},"source":"compact"}`,
    `user-prompt-submit: ${said},"prompt":"Hi"}`,
  ]
  expect(await ask('context')).toEqual(told)
  expect(await ask('context')).toEqual(told)
  expect(await ask('compaction')).toEqual([`pre-compaction: ${said}}`])
  events.write({ type: 'session.deleted', data: { sessionID: 's-1' } })
  await expect.poll(() => ask('context')).toEqual([])
  await end()
})
