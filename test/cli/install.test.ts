import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { answerWith, startFakeDaemon } from '../support/fake-daemon.ts'
import { homes } from '../support/harness-homes.ts'
import { makeHome, readHome } from '../support/make-home.ts'
import { runReverie } from '../support/run-reverie.ts'

// The file of the last one lies in the workspace.
const ids = Object.keys(homes).filter((id) => id !== 'generic')

/** What Codex 0.169 computes for the hooks of `/opt/reverie`. */
const trustedHashes = {
  pre_compact: '17c91a7b7396e1082a7081921a35a852ef793a6aff4bfc1cc7bc64e6a15851b8',
  session_start: 'eff81f7c7cefa6b120e71d2003a652ed0f8f65e7c31ce82609e42946b1a868a1',
  session_end: 'a488b0f359f1811bf95b75fc66c64a5edd243f13190f8a24061d60566dfaf8b7',
  user_prompt_submit: '97d92fb598952d6f81bd860c331355cc788da373497723a68cb2b634ed15ad01',
  stop: '59986bd003472ec177657f9e53cd78f36900b4595d9e7e0a77b7def73d8e9374',
}

test.each(ids)(
  '%s: a workspace and an address that are not the default are written',
  async (id) => {
    const { home, run } = await makeHome(homes[id])
    const workspace = join(home, "the tea's workspace")
    const options = ['--url', 'http://127.0.0.1:4850', '--json']
    const env = { HOME: home, SVC_PATH: workspace }
    const install = () => runReverie(['install', id, ...options], { env })

    expect(JSON.parse((await install()).stdout).status).toBe('installed')
    const written = Object.values(await readHome(home)).join('\n')
    expect(written).toMatch(/--workspace\W+[^\n]+the tea/)
    expect(written).toMatch(/--url\W+http:..127.0.0.1:4850/)
    expect(written).toMatch(/SVC_PATH\W+[^\n]+the tea/)
    expect(written).toMatch(/SVC_URL\W+http:..127.0.0.1:4850/)
    expect(JSON.parse((await install()).stdout).status).toBe('unchanged')
    expect((await run('install', id, '--json')).code).toBe(0)
    expect(Object.values(await readHome(home)).join('\n')).not.toContain('4850')

    await install()
    await rm(join(workspace, 'harnesses'), { recursive: true })
    await runReverie(['uninstall', id], { env })
    expect(JSON.stringify(await readHome(home))).not.toContain('reverie')
  },
)

test('an installed hook runs as written, and calls the daemon of its installation', async () => {
  const { requests, url } = await startFakeDaemon(answerWith({ success: true }))
  const { home, json } = await makeHome()
  await json('install', 'claude-code', '--url', url)
  const settings = JSON.parse((await readHome(home))['.claude/settings.json'] ?? '')

  const [{ command = '', timeout = 0 } = {}] = settings.hooks.Stop[0].hooks
  const input = JSON.stringify({ session_id: 's-1' })
  const { code } = await runReverie(['-c', command], { command: ['/bin/sh'], input })

  expect({ code, timeout }).toEqual({ code: 0, timeout: 15 })
  // `install` itself asks for the mode.
  expect(requests.filter(({ path }) => path !== '/api/mode')).toMatchObject([
    { path: '/api/hooks/session-checkpoint-extract', body: { harness: 'claude-code' } },
  ])
})

test('doctor shows whether Codex trusts the hooks as they are', async () => {
  const { home, run, json } = await makeHome({ '.codex/config.toml': '' })
  const examine = async () => {
    const { checks } = JSON.parse((await run('doctor', '--json')).stdout)
    return checks.find(({ name }: { readonly name: string }) => name === 'codex')
  }
  expect(await examine()).toBe(undefined)
  await json('install', 'codex', '--command', '/opt/reverie')
  expect(await examine()).toMatchObject({ state: 'warn', detail: '0 of 5 hooks are trusted' })

  const config = join(home, '.codex', 'config.toml')
  const file = join(home, '.codex', 'hooks.json')
  const states = Object.entries(trustedHashes).map(
    ([event, hash]) => `[hooks.state."${file}:${event}:0:0"]\ntrusted_hash = "sha256:${hash}"\n`,
  )
  await writeFile(config, `${await readFile(config, 'utf8')}\n${states.join('\n')}`)
  expect(await examine()).toMatchObject({ state: 'ok', detail: '5 of 5 hooks are trusted' })

  await json('install', 'codex', '--command', '/opt/new/reverie')
  expect(await examine()).toMatchObject({ state: 'warn', detail: '0 of 5 hooks are trusted' })
})

test('the tools of Claude Code do not wait for its tool search', async () => {
  const { home, json } = await makeHome()
  await json('install', 'claude-code')

  expect(JSON.parse((await readHome(home))['.claude.json'] ?? '').mcpServers.reverie).toEqual({
    type: 'stdio',
    command: expect.stringContaining('reverie'),
    args: ['mcp'],
    alwaysLoad: true,
  })
})

test('Codex forwards the variables, and its user learns that hooks need trust', async () => {
  const { home, run, json } = await makeHome()

  expect((await run('install', 'codex')).stdout).toContain('trusted')
  expect((await json('install', 'codex')).notices).toEqual([expect.stringContaining('/hooks')])
  const [, list = ''] =
    /env_vars = (\[.*\])/.exec((await readHome(home))['.codex/config.toml'] ?? '') ?? []
  expect(JSON.parse(list)).toEqual(
    ['PATH', 'URL', 'DAEMON_URL', 'PORT', 'TOKEN', 'AGENT_ID'].map((name) => `SVC_${name}`),
  )
})

test('the MCP server of Gemini gets the token of the shell', async () => {
  const { home, json } = await makeHome()
  await json('install', 'gemini')

  const settings = JSON.parse((await readHome(home))['.gemini/settings.json'] ?? '')
  expect(settings.mcpServers.reverie.env).toEqual({ SVC_TOKEN: '$SVC_TOKEN' })
})

test('an install removes the hook that earlier versions added to each turn of Gemini', async () => {
  const former = { type: 'command', command: 'reverie hook pre-compaction -H gemini' }
  const hooks = { PreCompress: [{ hooks: [former, { type: 'command', command: 'mine.sh' }] }] }
  const { home, json } = await makeHome({ '.gemini/settings.json': JSON.stringify({ hooks }) })

  await json('install', 'gemini')

  const settings = JSON.parse((await readHome(home))['.gemini/settings.json'] ?? '')
  expect(settings.hooks.PreCompress).toEqual([{ hooks: [hooks.PreCompress[0]?.hooks[1]] }])
  expect(Object.keys(settings.hooks)).toContain('BeforeAgent')
})
