import { readFile } from 'node:fs/promises'
import { text as readText } from 'node:stream/consumers'
import { explainError } from '../../../kernel/errors/system-error.ts'
import { type Call, command, option } from '../command.ts'
import { CliError } from '../failure.ts'
import { missing } from '../ids.ts'
import { colors, toLine } from '../output.ts'

interface PutOptions {
  readonly fromFile?: string
}

export const putSecret = command<PutOptions>({
  usage: 'secret put <name>',
  summary: 'Store a secret that is read from stdin, or replace its value',
  options: [option('--from-file <file>', 'read the value from this file, unchanged')],
  examples: [
    'printf %s "synthetic value" | reverie secret put GREETING_TOKEN',
    'reverie secret put DEPLOY_KEY --from-file deploy_key',
  ],
  run: put,
})

export const hasSecret = command({
  usage: 'secret has <name>',
  summary: 'Exit with 0 if a secret of this name is stored, else with 4',
  examples: ['reverie secret has GREETING_TOKEN'],
  run: has,
})

async function put({ args, options, environment, output, connect }: Call<PutOptions>) {
  const [name = ''] = args
  assertName(name)
  if (options.fromFile === undefined && environment.isTerminal)
    output.note('Type the value, then Return and Ctrl-D:')
  const value = await readValue(options.fromFile)
  const client = await connect()
  const saved = await client.call('POST /api/secrets/:name', { path: { name }, body: { value } })
  const { warning } = saved
  output.result(saved, () => `${colors.green('✓')} Stored ${toLine(name)}`)
  if (typeof warning === 'string') output.note(`${colors.yellow('!')} ${warning}`)
}

/** The path of some names is that of another operation, so the service cannot explain them. */
function assertName(name: string): void {
  if (/^[A-Za-z_]\w{0,127}$/.test(name) && !/^(exec$|SVC_)/i.test(name)) return
  const hint =
    'Use letters, digits and _, at most 128, no digit first. `exec` and names that begin with SVC_ are reserved.'
  throw new CliError('usage', 'usage', `${toLine(name)} cannot name a secret`, hint)
}

/** A value is never an argument, because other users see the arguments of a process. */
async function readValue(file: string | undefined): Promise<string> {
  const text = file === undefined ? await readText(process.stdin) : await readSource(file)
  // `echo` and a terminal end the value with a line break that is not part of it.
  const value = file === undefined ? text.replace(/\r?\n$/, '') : text
  if (value !== '') return value
  throw new CliError('usage', 'empty', 'the value is empty', 'Pipe it in, or pass --from-file.')
}

async function readSource(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new CliError('usage', 'unreadable', `${file} cannot be read`, explainError(error))
  }
}

async function has({ args, output, connect }: Call): Promise<void> {
  const [name = ''] = args
  const client = await connect()
  const { secrets } = await client.call('GET /api/secrets')
  if (!secrets.includes(name))
    throw missing(name, { noun: 'secret', list: 'reverie secret list' }, 'secret_not_found')
  output.result({ name }, () => `${name} is stored`)
}
