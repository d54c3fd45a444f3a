import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { answerWith, startFakeDaemon } from '../support/fake-daemon.ts'
import { context, hookCases } from '../support/hook-payloads.ts'
import { makeFolder } from '../support/make-folder.ts'
import { runReverie } from '../support/run-reverie.ts'

const command = ['bin/reverie']
const nowhere = { SVC_URL: 'http://127.0.0.1:9' }
const start = ['hook', 'session-start', '-H', 'claude-code', '--debug']
const silent = { code: 0, stdout: '' }

function hook(args: readonly string[], payload: unknown, env: Readonly<Record<string, string>>) {
  const input = typeof payload === 'string' ? payload : JSON.stringify(payload)
  return runReverie(args, { command, input, env })
}

describe('the input of a harness', () => {
  test.each(hookCases)(
    '$harness: $event',
    async ({ harness, event, payload, path, body, output }) => {
      const reply = { inject: context, guidelines: context, serverTime: 1 }
      const { requests, url } = await startFakeDaemon(answerWith(reply))

      const { code, stdout, stderr } = await hook(['hook', event, '-H', harness], payload, {
        SVC_URL: url,
      })

      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(requests).toMatchObject([{ path, body: { harness, runtimePath: 'legacy', ...body } }])
      if (output === 'nothing') expect(stdout).toBe('')
      else if (output === 'text') expect(stdout).toBe(context)
      else expect(JSON.parse(stdout)).toEqual(output)
    },
  )

  test('is sent to the address of the running daemon, with the credential and agent of the shell', async () => {
    const { requests, url } = await startFakeDaemon(answerWith({ inject: '' }))
    const workspace = await makeFolder()
    await mkdir(join(workspace, '.daemon'))
    await writeFile(join(workspace, '.daemon', 'daemon.json'), JSON.stringify({ pid: 1, url }))
    const env = { SVC_PATH: workspace, SVC_TOKEN: 'secret', SVC_AGENT_ID: 'ada' }

    expect(await hook(start, {}, { ...env, SVC_NO_HOOKS: '1' })).toMatchObject(silent)

    expect(requests[0]?.headers).toMatchObject({
      authorization: 'Bearer secret',
      'x-svc-agent-id': 'ada',
      'x-svc-no-hooks': '1',
      'x-svc-runtime-path': 'legacy',
      'x-svc-actor-type': 'harness',
    })
  })

  test('uses SVC_DAEMON_URL, unless SVC_URL is set', async () => {
    const { requests, url } = await startFakeDaemon(answerWith({ inject: '' }))
    const workspace = await makeFolder()
    await mkdir(join(workspace, '.daemon'))
    const other = JSON.stringify({ pid: 1, url: nowhere.SVC_URL })
    await writeFile(join(workspace, '.daemon', 'daemon.json'), other)
    const env = { SVC_PATH: workspace, SVC_DAEMON_URL: url }

    expect(await hook(start, {}, env)).toEqual({ ...silent, stderr: '' })
    expect((await hook(start, {}, { ...env, ...nowhere })).stderr).toContain('offline')
    expect(requests).toHaveLength(1)
  })

  test('prefers the daemon of the options to that of the shell', async () => {
    const { requests, url } = await startFakeDaemon(answerWith({ inject: '' }))
    const workspace = await makeFolder()
    await mkdir(join(workspace, '.daemon'))
    await writeFile(join(workspace, '.daemon', 'daemon.json'), JSON.stringify({ pid: 1, url }))

    await hook([...start, '--workspace', workspace], {}, { SVC_PATH: '/nowhere' })
    await hook([...start, '--url', url], {}, nowhere)

    expect(requests).toHaveLength(2)
  })

  test('of a first prompt is answered with the start context too', async () => {
    const reply = { clockContext: 'It is noon.', startContext: context, inject: context }
    const { url } = await startFakeDaemon(answerWith(reply))
    const args = ['hook', 'user-prompt-submit', '-H', 'generic']

    const { stdout } = await hook(args, { prompt: 'Hi' }, { SVC_URL: url })

    expect(stdout).toBe(`It is noon.\n${context}\n${context}`)
  })

  test('on the command line wins over stdin', async () => {
    const { requests, url } = await startFakeDaemon(answerWith({ success: true }))
    const options = ['-H', 'generic', '--project', '/b', '--summary', 'Tea.']

    await hook(['hook', 'compaction-complete', ...options], { project: '/a' }, { SVC_URL: url })

    expect(requests[0]?.body).toMatchObject({ project: '/b', summary: 'Tea.' })
  })
})

describe('a transcript', () => {
  const end = async (file: string) => {
    const { requests, url } = await startFakeDaemon(answerWith({ memoriesSaved: 0 }))
    const payload = { session_id: 's-1', transcript_path: file }
    await hook(['hook', 'session-end', '-H', 'gemini'], payload, { SVC_URL: url })
    return requests[0]?.body['transcript']
  }

  test('is read from the file of the harness and sent along', async () => {
    const file = join(await makeFolder(), 'a.jsonl')
    await writeFile(file, '{"role":"user","content":"Hi"}\n')

    expect(await end(file)).toBe('{"role":"user","content":"Hi"}\n')
  })

  test('that is too long loses its older lines, and reports it', async () => {
    const file = join(await makeFolder(), 'a.jsonl')
    const lines = Array.from(
      { length: 30_000 },
      (_, n) => `{"role":"user","content":"${n} ${'é'.repeat(60)}"}\n`,
    )
    await writeFile(file, lines.join(''))

    const [first, second = '', ...rest] = String(await end(file)).split('\n')

    expect(first).toBe('[truncated]')
    expect(JSON.parse(second)).toMatchObject({ role: 'user' })
    expect(rest.at(-2)).toBe(lines.at(-1)?.trim())
  })

  test('is left out when it is a link, a folder, a pipe or no absolute path', async () => {
    const folder = await makeFolder()
    await writeFile(join(folder, 'a.jsonl'), '{}\n')
    await symlink(join(folder, 'a.jsonl'), join(folder, 'link'))
    const pipe = spawn('mkfifo', [join(folder, 'pipe')])
    await once(pipe, 'exit')

    for (const file of [join(folder, 'link'), folder, join(folder, 'pipe'), 'package.json'])
      expect(await end(file)).toBeUndefined()
  })
})

describe('the output is empty and the exit code is 0, when', () => {
  test('SVC_BYPASS is set: no request is sent', async () => {
    const { requests, url } = await startFakeDaemon(answerWith({ inject: context }))

    const run = await hook(start, {}, { SVC_URL: url, SVC_BYPASS: '1' })

    expect(run).toMatchObject({ ...silent, stderr: expect.stringContaining('bypassed') })
    expect(requests).toEqual([])
  })

  test('the daemon is offline, slow, refuses, or answers garbage, and each has its name', async () => {
    const slow = await startFakeDaemon(() => undefined)
    const refusing = await startFakeDaemon(answerWith({ error: 'no', inject: context }, 409))
    const garbage = await startFakeDaemon((response) => response.end('<html>'))
    const prompt = ['hook', 'user-prompt-submit', '-H', 'claude-code', '--debug']
    const why = async (args: readonly string[], env: Readonly<Record<string, string>>) => {
      const { code, stdout, stderr } = await hook(args, { prompt: 'Hi' }, env)
      expect({ code, stdout }).toEqual(silent)
      return /^reverie hook: (\w+): /.exec(stderr)?.[1]
    }

    expect(await why(start, nowhere)).toBe('offline')
    expect(await why(start, { SVC_URL: refusing.url })).toBe('refused')
    expect(await why(start, { SVC_URL: garbage.url })).toBe('garbage')
    const shortTimeout = { SVC_URL: slow.url, SVC_PROMPT_SUBMIT_TIMEOUT: '1' }
    expect(await why(prompt, shortTimeout)).toBe('slow')
  })

  test('and no reason is printed without --debug', async () => {
    const { stderr } = await hook(start.slice(0, -1), {}, nowhere)

    expect(stderr).toBe('')
  })

  test.each([
    ['the event is unknown', ['hook', 'nonsense'], {}],
    ['stdin is not an object', start, '[1, 2'],
    ['the prompt is empty', ['hook', 'user-prompt-submit'], { prompt: ' ' }],
    ['there is no summary', ['hook', 'compaction-complete'], {}],
  ])('%s', async (_, args, payload) => {
    expect(await hook(args, payload, nowhere)).toMatchObject(silent)
  })
})

test('100 concurrent hooks whose stdin stays open all end', async () => {
  const { requests, url } = await startFakeDaemon(answerWith({ inject: context }))
  const { PATH = '' } = process.env
  const env = { PATH, SVC_URL: url, SVC_PROMPT_SUBMIT_TIMEOUT: '60000' }
  const args = ['dist/hook.cjs', 'hook', 'user-prompt-submit', '-H', 'claude-code']
  const run = async (input: string) => {
    const child = spawn(process.execPath, args, { env })
    child.stdin.on('error', () => undefined)
    child.stdin.write(input)
    const [stdout, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
    return { code, isAnswered: stdout.includes('green tea') }
  }

  // Half of the inputs are complete, half are truncated.
  const payload = JSON.stringify({ session_id: 's-1', prompt: 'Hi' })
  const runs = await Promise.all(
    Array.from({ length: 100 }, (_, n) => run(n % 2 === 0 ? payload : payload.slice(0, -3))),
  )

  expect(runs.map(({ code }) => code)).toEqual(Array(100).fill(0))
  expect(runs.map(({ isAnswered }) => isAnswered)).toEqual(
    Array.from({ length: 100 }, (_, n) => n % 2 === 0),
  )
  expect(requests).toHaveLength(50)
})
