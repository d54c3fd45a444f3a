import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Host, realHost } from '../../../kernel/host/host.ts'
import { noChildLedger } from '../../../kernel/testing/no-child-ledger.ts'
import { temporaryFolder } from '../../../kernel/testing/temporary-folder.ts'
import { createVaultClient } from './vault-client.ts'

/** A client that is a script of the shell. A wait of the product takes at most `maxSleepMs`. */
async function createTestClient(script: string, { program = 'bw', maxSleepMs = 10_000 } = {}) {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'bin'))
  await writeFile(join(folder, 'bin', 'bw'), `#!/bin/sh\n${script}\n`)
  await chmod(join(folder, 'bin', 'bw'), 0o755)
  let now = Date.parse('2026-01-02T03:04:05.000Z')
  const host: Host = {
    ...realHost,
    now: () => new Date(now),
    sleep: (ms, signal) => realHost.sleep(Math.min(ms, maxSleepMs), signal),
  }
  const variables = () => ({
    PATH: join(folder, 'bin'),
    HOME: folder,
    OP_CONNECT_HOST: 'http://connect.example',
    BW_SESSION: 'of the shell',
  })
  const pass = () => ['OP_CONNECT_HOST', 'BW_SESSION']
  const needs = { host, children: noChildLedger, variables, pass, folder }
  const client = createVaultClient(needs, program)
  const call = (args: readonly string[] = []) =>
    client({ args, secrets: { BW_SESSION: 'synthetic-session' } })
  return { folder, client, call, advance: (ms: number) => (now += ms) }
}

test('a client receives its credential in the environment, and none of the shell', async () => {
  const script = 'printf "%s|%s|%s" "$BW_SESSION" "$OP_CONNECT_HOST" "$1"'
  const { call } = await createTestClient(script)

  expect(await call(['status'])).toBe('[REDACTED]||status')
})

test('an error has the redacted and shortened message of the client', async () => {
  const { call } = await createTestClient(`echo "bad $BW_SESSION ${'x '.repeat(400)}" >&2; exit 1`)
  const error = await call().catch((failure: Error) => failure)

  expect(error).toMatchObject({
    name: 'VaultFailure',
    message: expect.stringMatching(/^bad \[RED/),
  })
  expect(Object(error).message.length).toBeLessThanOrEqual(300)
})

test('a missing client and a slow one are refused', async () => {
  const { call } = await createTestClient('exit 0', { program: 'op' })
  await expect(call()).rejects.toMatchObject({ code: 'vault_client_missing' })

  const slow = await createTestClient('exec /bin/sleep 30', { maxSleepMs: 100 })
  await expect(slow.call()).rejects.toMatchObject({
    code: 'vault_unavailable',
    message: expect.stringContaining('longer than 30 s'),
  })
})

test('after three failures in a row the client rests for thirty seconds', async () => {
  const { folder, call, advance } = await createTestClient('echo run >> runs; exit 1')
  const runs = async () => (await readFile(join(folder, 'runs'), 'utf8')).split('\n').length - 1
  for (const _ of [1, 2, 3]) await expect(call()).rejects.toMatchObject({ name: 'VaultFailure' })
  await expect(call()).rejects.toMatchObject({ code: 'vault_unavailable' })
  expect(await runs()).toBe(3)

  advance(30_000)
  await expect(call()).rejects.toMatchObject({ name: 'VaultFailure' })
  expect(await runs()).toBe(4)
})

test('calls run one after the other', async () => {
  const script = 'echo begin >> log; /bin/sleep 0.02; echo end >> log'
  const { folder, call } = await createTestClient(script)
  await Promise.all([call(), call()])

  expect(await readFile(join(folder, 'log'), 'utf8')).toBe('begin\nend\nbegin\nend\n')
})
