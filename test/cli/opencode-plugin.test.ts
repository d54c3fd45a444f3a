import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { makeHome } from '../support/make-home.ts'

/** The plugin as installed, with a program that prints its input instead of Reverie. */
async function installPlugin() {
  const { home, json } = await makeHome()
  const program = join(home, 'reverie')
  await writeFile(program, '#!/bin/sh\nread -r payload; echo "$2: $payload" | tee -a "$0.log"\n', {
    mode: 0o755,
  })
  await json('install', 'opencode', '--command', program)
  const file = join(home, '.config', 'opencode', 'plugins', 'reverie.js')
  return { program, ...(await import(pathToFileURL(file).href)).default }
}

const titleAgent = { name: 'title', hidden: true, prompt: 'You write titles.' }

test('the plugin runs the hooks and adds their output', async () => {
  const { server, program } = await installPlugin()
  const stored = [{ info: { role: 'user' }, parts: [{ type: 'text', text: 'Hi' }] }]
  const messages = async () => ({ data: stored.splice(0) })
  const agents = async () => ({ data: [{ name: 'build', prompt: '' }, titleAgent] })

  const client = { session: { messages }, app: { agents } }
  const plugin = await server({ client, directory: '/tea' })
  const parts: { type: string; text: string }[] = [{ type: 'text', text: 'Hi' }]
  await plugin['chat.message']({ sessionID: 's-1' }, { message: { id: 'm-1' }, parts })
  const systemOf = async (prompt: string, sessionID?: string) => {
    const system = [prompt]
    await plugin['experimental.chat.system.transform']({ sessionID }, { system })
    return system.slice(1)
  }
  const output = { context: [] as string[] }
  await plugin['experimental.session.compacting']({ sessionID: 's-1' }, output)
  const start = 'session-start: {"sessionID":"s-1","directory":"/tea","source":"compact"}'
  expect(await systemOf('You write code.', 's-1')).toEqual([start])
  expect(await systemOf('You write titles. Nothing else.', 's-1')).toEqual([])
  expect(await systemOf('You make agents.')).toEqual([])
  void plugin.event({ event: { type: 'session.idle', properties: { sessionID: 's-1' } } })
  await plugin.dispose()
  expect(await readFile(`${program}.log`, 'utf8')).toContain('checkpoint: ')
  await plugin.event({ event: { type: 'session.deleted', properties: { info: { id: 's-1' } } } })
  const transcript = JSON.stringify({ role: 'user', content: 'Hi' })
  const [, end] = (await readFile(`${program}.log`, 'utf8')).split('session-end: ')
  expect(JSON.parse(end ?? '')).toMatchObject({ sessionID: 's-1', transcript })

  const payload = '{"sessionID":"s-1","directory":"/tea"'
  const added = `user-prompt-submit: ${payload},"prompt":"Hi"}`
  expect(await systemOf('You write code.', 's-1')).toEqual([])
  expect(parts[1]).toMatchObject({ text: added, synthetic: true, messageID: 'm-1' })
  expect(output.context).toEqual([`pre-compaction: ${payload}}`])
})

type Hooked = (event: object) => Promise<void>

test('the plugin adds the same output to each request of the second generation of its harness', async () => {
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
    location: { directory: '/tea' },
    session: { hook, context: async () => [] },
    event: { subscribe: () => events },
  })
  expect(await ask('prompt')).toEqual([])

  expect(id).toBe('reverie')
  const payload = '{"sessionID":"s-1","directory":"/tea"'
  const expected = [
    `session-start: ${payload},"source":"compact"}`,
    `user-prompt-submit: ${payload},"prompt":"Hi"}`,
  ]
  expect(await ask('context')).toEqual(expected)
  expect(await ask('context')).toEqual(expected)
  expect(await ask('compaction')).toEqual([`pre-compaction: ${payload}}`])
  events.write({ type: 'session.deleted', data: { sessionID: 's-1' } })
  await expect.poll(() => ask('context')).toEqual([])
  await end()
})
