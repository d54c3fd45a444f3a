import { createInterface } from 'node:readline'
import type { Client } from '../../../client/client.ts'
import { ReverieError } from '../../../client/public/reverie-error.ts'
import { type Call, command, option } from '../command.ts'
import { CliError } from '../failure.ts'
import { withInterrupt } from '../interrupt.ts'
import { colors, toLine } from '../output.ts'
import { closedEarly, openEvents, type ServerEvent } from '../read-events.ts'
import type { Row } from '../render.ts'
import { openBrowser } from './dashboard.ts'

interface LoginOptions {
  /** False with `--no-open`. */
  readonly open: boolean
}

const maxAddressLength = 4_000

export const login = command<LoginOptions>({
  usage: 'inference login <provider>',
  summary: 'Sign in at a provider of models; waits until the login ends',
  options: [option('--no-open', 'print the address and open no browser')],
  examples: ['reverie inference login openrouter', 'reverie inference login company --no-open'],
  run: logIn,
})

async function logIn(call: Call<LoginOptions>): Promise<void> {
  const [id = ''] = call.args
  const client = await call.connect()
  const codes = createCodeReader(client, call)
  try {
    await withInterrupt(async (signal) => {
      const route = 'POST /api/inference/oauth/login/:id'
      const { headers, events } = await openEvents(client, route, { path: { id }, signal })
      const sessionId = headers.get('x-svc-oauth-session-id')
      const answer = (responseId: unknown) => codes.start({ sessionId, responseId })
      if (!(await follow(call, events, answer))) throw closedEarly(client)
    })
  } finally {
    codes.close()
  }
}

/** Returns false if the stream ends before the login does. */
async function follow(
  call: Call<LoginOptions>,
  events: AsyncIterable<ServerEvent>,
  answer: (responseId: unknown) => void,
): Promise<boolean> {
  const { output, args } = call
  let isConnected = false
  for await (const { event, data } of events) {
    if (output.json) await output.write(`${JSON.stringify(data)}\n`)
    if (event === 'error') throw new CliError('fault', 'login_failed', String(data['error']))
    if (event === 'manual_code') answer(data['responseId'])
    isConnected ||= event === 'connected'
    showStep(call, data)
    if (event !== 'done') continue
    if (isConnected && !output.json)
      output.result({}, () => `${colors.green('✓')} Signed in at ${toLine(args[0] ?? '')}`)
    return isConnected
  }
  return false
}

function showStep({ options, environment, output }: Call<LoginOptions>, data: Row) {
  const address = String(data['url'] ?? data['verificationUri'] ?? '')
  if (address !== '') {
    output.note(`Open this address:\n  ${toLine(address, maxAddressLength)}`)
    if (options.open && environment.isTerminal) openBrowser(address)
  }
  const { userCode, message, instructions } = data
  if (userCode !== undefined) output.note(`Enter this code: ${colors.bold(toLine(`${userCode}`))}`)
  for (const text of [instructions, message])
    if (text !== undefined) output.note(toLine(String(text), maxAddressLength))
}

interface Question {
  readonly sessionId: string | null
  readonly responseId: unknown
}

/** Sends each line of stdin as the pasted code, while the browser may still end the login. */
function createCodeReader(client: Client, { output }: Pick<Call, 'output'>) {
  let question: Question | undefined
  let lines: ReturnType<typeof createInterface> | undefined
  const send = async (value: string) => {
    const body = { ...question, value }
    try {
      await client.call('POST /api/inference/oauth/complete', { body })
    } catch (error) {
      if (!(error instanceof ReverieError)) throw error
      output.note(`${colors.yellow('!')} ${toLine(error.message)}`)
    }
  }
  return {
    start: (next: Question) => {
      question = next
      lines ??= createInterface({ input: process.stdin }).on('line', (line) => {
        if (line.trim() !== '') void send(line)
      })
    },
    close: () => {
      lines?.close()
      // An open pipe would keep the process alive.
      process.stdin.unref?.()
    },
  }
}
