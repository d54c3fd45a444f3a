import { chmod, lstat, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { homes } from '../support/harness-homes.ts'
import { makeHome, readHome } from '../support/make-home.ts'

const ids = Object.keys(homes)
const command = "/opt/the tea's house/reverie"

describe.each(ids)('%s', (id) => {
  const before = homes[id] ?? {}

  test('is connected once, keeps other entries, and is restored', async () => {
    const { home, json } = await makeHome(before)

    expect(await json('install', id, '--command', command)).toMatchObject({ status: 'installed' })
    const after = await readHome(home)
    for (const [name, text] of Object.entries(before)) expectUnchanged(text, after[name] ?? '')
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
    for (const [name, text] of Object.entries(before)) expectUnchanged(text, left[name] ?? '')
  })
})

/** Every line that was there is there, in order; a comma may have come to its end. */
function expectUnchanged(text: string, after: string): void {
  const lines = after.split('\n')
  let at = 0
  for (const line of text.split(/\n|(?<=[{}[\]]) |(?=})/).map((part) => part.trim())) {
    if (line === '') continue
    const found = lines.findIndex((other, index) => index >= at && other.includes(line))
    expect(found, `${line} in ${after}`).toBeGreaterThanOrEqual(0)
    at = found
  }
}

test('an uninstall restores the file from before the first of several installs', async () => {
  const before = homes['claude-code'] ?? {}
  const { home, json } = await makeHome(before)
  await json('install', 'claude-code')
  await json('install', 'claude-code', '--command', command)

  await json('uninstall', 'claude-code')

  expect(await readHome(home)).toEqual(before)
})

test('an uninstall retains later changes and removes its own entries', async () => {
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
    ['claude-code', '.claude.json', '[]', 'not a JSON object'],
    ['claude-code', '.claude/settings.json', '{"hooks": []}', 'hooks has another type'],
    ['gemini', '.gemini/settings.json', '{"hooks": {"SessionStart": "x"}}', 'has another type'],
    ['codex', '.codex/config.toml', 'a = 1\nb = \n', 'line 2'],
  ])('for %s, where %s cannot be read', async (id, name, text, message) => {
    const { home, run } = await makeHome({ [name]: text })

    const { code, stderr } = await run('install', id, '--json')

    expect(code).toBe(3)
    expect(JSON.parse(stderr)).toMatchObject({
      code: 'malformed_file',
      error: expect.stringContaining(message),
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

  test('where the path of a file is a folder', async () => {
    const { home, run } = await makeHome({ '.codex/hooks.json/inside': '' })

    expect((await run('install', 'codex')).stderr).toContain('not a plain file')
    expect(await readHome(home)).toEqual({ '.codex/hooks.json/inside': '' })
  })

  test('for an unknown harness, and for a program of another name', async () => {
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

test('harnesses lists installed and connected harnesses', async () => {
  const { home, json, run } = await makeHome({ '.codex/auth.json': '{}' })
  await json('install', 'codex')

  const { harnesses } = await json('harnesses')

  expect(harnesses.map(({ id }: { id: string }) => id)).toEqual(ids)
  expect(harnesses[1]).toEqual({
    id: 'codex',
    name: 'Codex CLI',
    detected: true,
    installed: true,
    version: null,
    configPath: join(home, '.codex', 'config.toml'),
  })
  expect(harnesses[2]).toMatchObject({ id: 'gemini', detected: false, installed: false })
  expect((await run('harnesses')).stdout).toContain('Codex CLI')
})
