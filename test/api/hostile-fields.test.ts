import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type Described, findReplyAt, listDescribed, readDocument } from '../support/described.ts'
import { echoTarget } from '../support/echo-target.ts'
import { isLong } from '../support/load.ts'
import { removeFolder } from '../support/make-folder.ts'
import { startService, testEngine } from '../support/start-service.ts'

/** Operations on the home folder of the user, and endless streams. */
const excluded = [
  'harnesses.regenerate',
  'diagnostics.follow-logs',
  'events.follow',
  'messages.follow',
  'tasks.follow',
  'mcp.listen',
  // Needs a package manager; its own tests send hostile names and sources.
  'skills.install',
  // Open a dialog of the desktop.
  'sources.pick-directory',
  'sources.pick-files',
]
const home = await mkdtemp(join(tmpdir(), 'codex-home-'))
/** Enables the login, with a cheap hash. */
const SVC_ADMIN_PASSWORD_HASH = `scrypt:1024:8:1:${'s'.repeat(22)}:${'h'.repeat(43)}`
const service = await startService({
  env: { CODEX_HOME: home, SVC_ADMIN_PASSWORD_HASH },
  config: {
    inference: { targets: { echo: echoTarget } },
    memory: { dreaming: { enabled: true } },
  },
})
afterAll(async () => {
  await service.stop()
  await removeFolder(home)
})

const document = await readDocument(service)
const operations = listDescribed(document).filter(({ id }) => !excluded.includes(id))
const deepList = `${'['.repeat(9999)}${']'.repeat(9999)}`
/** JSON texts that no client would send. */
const allValues = ['"a\\u0000b"', '[[[true]]]', '{"toString":"x"}', '{"valueOf":1}', deepList]
const allWords = ['a=a%00b', 'a=1e999', 'a=1&a=2', 'a=%5B%5B1%5D%5D', 'a[toString]=x']
/** The validation is the same on both engines; NUL and large numbers reach the server. */
const isShort = testEngine === 'postgres' && !isLong
const hostileValues = isShort ? allValues.slice(0, 1) : allValues
const hostileWords = isShort ? allWords.slice(0, 2) : allWords

test.each(operations)('$id accepts any field value without a fault', async (operation) => {
  for (const [field, call] of listCalls(operation)) {
    const { status } = await service.ask(call.at, { role: 'admin', ...call })

    const about = `${field} ${call.at} ${call.body ?? ''}`.slice(0, 300)
    expect(status, about).toBeLessThan(500)
    expect(findReplyAt(operation, status), about).toBeDefined()
  }
})

interface SentCall {
  readonly at: string
  readonly body?: string
}

/** One call for each field and value, with valid values for the required fields. */
function listCalls(operation: Described): readonly (readonly [string, SentCall])[] {
  const { method, path, query, body = {} } = operation
  const { properties = {}, required = [] } = body
  const at = `${method} ${path.replaceAll(/\{\w+\}/g, 'some')}`
  const inBody = Object.keys(properties).flatMap((name) =>
    hostileValues.map((value) => [name, { at, body: toBody(required, name, value) }] as const),
  )
  const inQuery = query.flatMap((name) =>
    hostileWords.map(
      (words) => [name, { at: `${at}?${words.replaceAll('a=', `${name}=`)}` }] as const,
    ),
  )
  return [...inBody, ...inQuery]
}

function toBody(required: readonly string[], name: string, value: string): string {
  const others = required.filter((field) => field !== name).map((field) => [field, '"some"'])
  const whole = [...others, [name, value]]
  return `{${whole.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join()}}`
}
