import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { listSubcommands, renderHelp } from '../support/cli-help.ts'

const page = readFileSync('docs/cli.md', 'utf8')
const named = [...page.matchAll(/^\| `([a-z -]+)` \| /gm)]
const documented = new Set(named.map(([, name]) => name))

test('docs/cli.md lists every command', async () => {
  const names: string[] = []
  for (const name of await listSubcommands([])) {
    const nested = (await listSubcommands([name])).map((inner) => `${name} ${inner}`)
    names.push(...nested)
    if (nested.length === 0 || (await takesArgument(name))) names.push(name)
  }
  expect([...documented].sort()).toEqual(names.sort())
})

test('every option that docs/cli.md names is one of its command', async () => {
  const rows = page.matchAll(/^\| `([a-z -]+)` \| (.*--.*) \|$/gm)
  const unknown: string[] = []
  let checkedRows = 0
  for (const [, name = '', text = ''] of rows) {
    const help = await renderHelp(name.split(' '))
    const options = [...text.matchAll(/`(--[a-z-]+)`/g)].map(([, option = '']) => option)
    unknown.push(
      ...options.filter((option) => !help.includes(option)).map((one) => `${name} ${one}`),
    )
    checkedRows += 1
  }

  expect(checkedRows).toBeGreaterThan(5)
  expect(unknown).toEqual([])
})

test.each(['docs/inference.md', 'docs/gateway.md'])(
  'every command and option in %s exists',
  async (file) => {
    const text = readFileSync(file, 'utf8')
    const commands = [...text.matchAll(/\breverie ((?:[a-z]+ ?)+)([^`\n]*)/g)]
    const unknown: string[] = []
    for (const [line, words = '', rest = ''] of commands) {
      const [first = '', second = ''] = words.trim().split(' ')
      const isNested = (await listSubcommands([first])).includes(second)
      const help = await renderHelp(isNested ? [first, second] : [first])
      const options = rest.match(/--[a-z-]+/g) ?? []
      if (!help.startsWith('Usage: ') || options.some((option) => !help.includes(option)))
        unknown.push(line)
    }

    expect(commands.length).toBeGreaterThan(0)
    expect(unknown).toEqual([])
  },
)

test('docs/cli.md lists exactly the options of each command', async () => {
  const [, table = ''] = page.split('| command | options |\n')
  const [rows = ''] = table.split('\n\n')
  const documentedOptions = [...rows.matchAll(/^\| `([a-z -]+)` \| (.*) \|$/gm)].map(
    ([, name = '', options = '']) => [name, options.match(/--[a-z-]+/g) ?? []] as const,
  )
  const names = [...documented].map(String).filter((name) => name !== 'completion')
  const there: [string, string[]][] = []
  for (const name of names) there.push([name, await optionsOf(name.split(' '))])

  expect(Object.fromEntries(documentedOptions)).toEqual(
    Object.fromEntries(there.filter(([, options]) => options.length > 0)),
  )
})

async function optionsOf(command: readonly string[]): Promise<string[]> {
  const [, own = ''] = (await renderHelp(command)).split(/^Options:/m)
  const [lines = ''] = own.split(/^Global Options:/m)
  const listed = lines.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)
  return [...listed].map(([, option = '']) => option).filter((option) => option !== '--help')
}

/** A command with subcommands of its own runs without one, too. */
async function takesArgument(name: string): Promise<boolean> {
  return /^Usage: .*\[command\] [<[]/m.test(await renderHelp([name]))
}
