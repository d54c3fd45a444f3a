import { isMap, parseDocument, stringify } from 'yaml'
import type { Client } from '../../../client/client.ts'
import type { Call } from '../command.ts'
import { CliError } from '../failure.ts'

const file = 'agent.yaml'

export async function get({ args: [key], output, connect }: Call): Promise<void> {
  const content = await readWritten(await connect())
  if (key === undefined) {
    const data: unknown = parse(content).toJS() ?? {}
    return output.result(data, () => content.trimEnd() || 'Nothing is set: the defaults hold.')
  }
  const document = parse(content)
  const path = key.split('.')
  if (!document.hasIn(path))
    throw new CliError('not_found', 'not_set', `${key} is not set`, 'Its default holds.')
  const value = toValue(document, path)
  output.result({ key, value }, () => stringify(value).trimEnd())
}

export async function set({ args, output, connect }: Call): Promise<void> {
  const [key = '', written = ''] = args
  const client = await connect()
  const document = parse(await readWritten(client))
  const value: unknown = parse(written).toJS()
  const path = key.split('.')
  if (path.some((part) => part === ''))
    throw new CliError('usage', 'bad_key', `${key} is not a key`, 'Write it as log.level')
  refuseThroughScalars(document, path)
  document.setIn(path, value)
  await client.service.writeConfig({ file, content: document.toString() })
  output.result({ key, value }, () => `${key} is now ${stringify(value).trimEnd()}`)
}

async function readWritten(client: Client): Promise<string> {
  const { files } = await client.service.readConfig()
  return files.find(({ name }) => name === file)?.content ?? ''
}

function parse(content: string) {
  const document = parseDocument(content)
  const [first] = document.errors
  if (!first) return document
  throw new CliError(
    'fault',
    'config_broken',
    first.message,
    `Mend ${file} in the workspace first.`,
  )
}

type Document = ReturnType<typeof parse>

function toValue(document: Document, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, part) => Object(at)[part], document.toJS())
}

/** A value stands where the key wants a map: writing through it would lose that value. */
function refuseThroughScalars(document: Document, path: readonly string[]): void {
  for (let depth = 1; depth < path.length; depth++) {
    const above = path.slice(0, depth)
    const node: unknown = document.getIn(above, true)
    if (node === undefined || node === null || isMap(node)) continue
    const message = `${above.join('.')} is a value and has nothing below it`
    throw new CliError('usage', 'bad_key', message)
  }
}
