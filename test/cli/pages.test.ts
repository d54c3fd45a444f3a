import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { runReverie } from '../support/run-reverie.ts'
import { startService } from '../support/start-service.ts'

const service = await startService({ mode: 'local', engine: 'sqlite' })
afterAll(() => service.stop())

const id = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g
/** The ids that came in place of those on the page. */
const met = new Map<string, string>()

const pages = ['README.md', 'docs/tutorial.md', 'docs/from-conversation-to-claim.md']

describe.each(pages)('%s', (page) => {
  const steps = readSteps(page)

  test('shows a call and a command', () => {
    expect(steps.map(({ command }) => command.split(' ')[0])).toEqual(
      expect.arrayContaining(['curl', 'bin/reverie']),
    )
  })

  test.each(steps)('$command prints the documented answer', async ({ command, shown }) => {
    const line = command.replaceAll(id, (known) => met.get(known) ?? known)
    const documented = new RegExp(`^${toPattern(shown.trim())}$`)
    // A read may come before the daemon has stored what it queued.
    if (line.startsWith('curl ') && !line.includes(' -d '))
      await expect.poll(() => curl(line)).toMatch(documented)
    const answer = line.startsWith('curl ') ? await curl(line) : await reverie(line)

    expect(answer.trim()).toMatch(documented)
    const [ids, shownIds] = [answer.match(id) ?? [], shown.match(id) ?? []]
    for (const [index, known] of shownIds.entries())
      met.set(known, met.get(known) ?? ids[index] ?? '')
  })
})

function readSteps(page: string) {
  const text = readFileSync(page, 'utf8')
  const blocks = [...text.matchAll(/```\n(\$ [^`]*)```/g)].map(([, block = '']) => block)
  return blocks.flatMap((block) =>
    block.split(/^\$ /m).flatMap((step) => {
      const [, command = '', shown = ''] = /^((?:.*\\\n)*.*)\n([\s\S]*)$/.exec(step) ?? []
      return command === '' ? [] : [{ command: command.replaceAll(/\\\n\s*/g, ''), shown }]
    }),
  )
}

async function curl(command: string): Promise<string> {
  const { path = '', body } =
    /^curl -s localhost:3850(?<path>\S+)(?: -H '[^']*')?(?: -d '(?<body>[^']*)')?$/.exec(command)
      ?.groups ?? {}
  const sent = body === undefined ? {} : { body }
  const call = `${body === undefined ? 'GET' : 'POST'} ${path}`
  return JSON.stringify((await service.ask(call, { ...sent, agent: 'default' })).body)
}

async function reverie(command: string): Promise<string> {
  const words = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare)
  const args = words.slice(1).map(String)
  const { code, stdout } = await runReverie(args, { env: { SVC_URL: service.url } })
  expect(code).toBe(0)
  return stdout
}

/** `…` matches anything, a date any date, and an id the id of the same memory. */
function toPattern(shown: string): string {
  return shown
    .replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll(/ ?… ?/g, String.raw`[\s\S]*`)
    .replaceAll(/\d{4}-\d\d-\d\d(?!\d)(?= )/g, String.raw`\d{4}-\d\d-\d\d`)
    .replaceAll(/^1\\\.00/gm, String.raw`\d\.\d\d`)
    .replaceAll(id, (known) => met.get(known) ?? id.source)
}
