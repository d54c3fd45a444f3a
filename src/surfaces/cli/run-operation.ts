import { readFile } from 'node:fs/promises'
import { text as readText } from 'node:stream/consumers'
import type { Client } from '../../client/client.ts'
import { messageOf } from '../../kernel/errors/system-error.ts'
import {
  type Call,
  type CommandSpec,
  nameOf,
  type RequestField,
  type RequestSpec,
  toSingular,
  wholeBody,
} from './command.ts'
import { CliError, exitCodes, type Failure, ProgramExit } from './failure.ts'
import { nameMissing, resolveId, type Subject } from './ids.ts'
import { nameOptions } from './name-options.ts'
import type { Operation } from './operation.ts'
import { operations } from './operations.ts'
import { parseValue } from './parse-value.ts'
import { confirm, requireReason } from './prompts.ts'
import { findListField, type Row, renderDetail, renderRows, toRows } from './render.ts'
import { repeatRequest } from './repeat-request.ts'

interface Running {
  readonly call: Call
  readonly spec: CommandSpec
  readonly request: RequestSpec
  readonly operation: Operation
}

/** Sends the request of a command and prints the reply. Tests pass the operations. */
export async function runOperation(
  call: Call,
  spec: CommandSpec,
  request: RequestSpec,
  table = operations,
): Promise<void> {
  const name = nameOf(spec.usage)
  const operation = table.find(({ command }) => command === name)
  if (!operation) throw new CliError('fault', 'no_command', `${name} is not in the table`)
  const running = { call, spec, request, operation }
  const input = await readInput(running)
  const client = await call.connect()
  const path = await resolvePath(client, running, input.path)
  await confirmDeletion(running)
  // A reading command may name a thing by several arguments.
  const [first = ''] = request.route.startsWith('GET ') ? [call.args.join(' ')] : call.args
  const sending = send(client, running, { ...input, path }).catch((error: unknown) => {
    throw nameOptions(error, request.fields)
  })
  const reply = Object(await nameMissing(first, sending, subjectOf(operation))) as Row
  call.output.result(reply, () => renderReply(running, reply))
  if (!operation.isFailure?.(reply)) return
  if (call.output.json) call.output.fail(toReplyFailure(reply))
  throw new ProgramExit(exitCodes.fault)
}

/** The failure in a reply with status 200, for a program that reads stderr. */
function toReplyFailure({ error, code, fix, message }: Row): Failure {
  const hint = fix === undefined ? undefined : String(fix)
  return { exit: 'fault', error: String(error ?? message), code: String(code ?? 'fault'), hint }
}

type Parts = Record<RequestField['part'], Record<string, unknown>>

async function readInput({ call, spec, request }: Running): Promise<Parts> {
  const parts: Parts = { path: {}, query: {}, body: {} }
  for (const field of request.fields) {
    const value = await readField(call, field)
    if (value !== undefined) parts[field.part][field.name] = value
  }
  if (request.route.startsWith('PATCH ') && Object.keys(parts.body).length === 0)
    throw new CliError('usage', 'no_change', 'nothing to change', listOptions(spec))
  const reason = request.fields.find(({ name }) => name === 'reason')
  if (reason && request.requiresReason) parts[reason.part]['reason'] = requireReason(call)
  return parts
}

function listOptions({ options = [] }: CommandSpec): string {
  return `Pass ${options.map(({ flags }) => flags.split(' ')[0]).join(' or ')}.`
}

async function readField({ args, options }: Call, field: RequestField): Promise<unknown> {
  const { source, type, isInverted } = field
  const value = typeof source === 'number' ? args[source] : options[source]
  if (isInverted) return value !== true
  if (value === '-' && field.part === 'body' && typeof source === 'number')
    return readText(process.stdin)
  if (type === 'json' && typeof value === 'string') return readJson(value)
  if (type && typeof source === 'number' && typeof value === 'string')
    return parseValue(type, value)
  return Array.isArray(value) && field.part === 'query' ? value.join(',') : value
}

/** The JSON of `@FILE`, or of stdin for `-`. */
async function readJson(value: string): Promise<unknown> {
  const file = value.slice(1)
  try {
    return JSON.parse(await (value === '-' ? readText(process.stdin) : readFile(file, 'utf8')))
  } catch (error) {
    const message = `${file || 'stdin'} cannot be read: ${messageOf(error)}`
    throw new CliError('usage', 'unreadable', message, 'Pass valid JSON.')
  }
}

/** Replaces the unique prefix of an id by the id. */
async function resolvePath(client: Client, { request, operation }: Running, path: Parts['path']) {
  const resolved = { ...path }
  for (const { name, part, ids } of request.fields) {
    if (part !== 'path' || !ids) continue
    const lookup = { route: ids, query: operation.lookup ?? {}, subject: subjectOf(operation) }
    resolved[name] = await resolveId(client, String(path[name]), lookup)
  }
  return resolved
}

function subjectOf({ command, noun, listedBy }: Operation): Subject {
  const [group = ''] = command.split(' ')
  return { noun: noun ?? toSingular(group), list: listedBy ?? `reverie ${group} list` }
}

function confirmDeletion({ call, request, operation }: Running): Promise<void> {
  const deletion = `Delete ${[subjectOf(operation).noun, ...call.args].join(' ')}?`
  const { confirm: question = request.route.startsWith('DELETE ') && deletion } = operation
  if (question === false || call.options['dryRun'] === true) return Promise.resolve()
  return confirm(call, {
    message: question,
    refusal: 'the command needs a confirmation; nothing was changed',
    hint: 'Confirm it with --yes.',
    declined: 'nothing was changed',
  })
}

async function send(client: Client, running: Running, parts: Parts): Promise<unknown> {
  const { call, request, operation } = running
  const hasBody = request.fields.some(({ part }) => part === 'body')
  const { path, query, body } = parts
  const { timeoutMs } = operation
  const input = {
    path,
    query,
    ...(hasBody && { body: body[wholeBody] ?? body }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  }
  const sendOnce = () => client.call(request.route, input)
  if (call.options['all'] && operation.repeats) return repeatRequest(call.output, sendOnce)
  if (!call.options['all'] || !request.paging) return sendOnce()
  const read = (position: object) =>
    client.call(request.route, { ...input, query: { ...query, ...position } })
  return readAllPages(read, running, Number(query['offset'] ?? 0))
}

type ReadPage = (position: object) => Promise<unknown>

/** One reply with the rows of every page. */
async function readAllPages(read: ReadPage, { request, operation }: Running, from: number) {
  const rows: Row[] = []
  const isOffset = request.paging === 'offset'
  for (let position: object | undefined = isOffset ? { offset: from } : {}; ; ) {
    const page = Object(await read(position)) as Row
    const field = operation.list ?? findListField(page)
    if (field === undefined) return page
    const listed = toRows(page[field])
    rows.push(...listed)
    position = isOffset ? { offset: from + rows.length } : findCursor(page)
    if (listed.length === 0 || position === undefined) return { ...page, [field]: rows }
  }
}

function findCursor({ nextCursor, next_cursor: cursor = nextCursor }: Row): object | undefined {
  return cursor ? { cursor } : undefined
}

function renderReply({ call, operation }: Running, reply: Row): string {
  const { render, columns, empty = 'Nothing was found.', list } = operation
  if (render) return render(reply, call.args)
  const field = list ?? findListField(reply)
  if (field === undefined) return columns ? renderRows([reply], columns) : renderDetail(reply)
  const rows = toRows(reply[field])
  if (rows.length === 0) return empty
  const table = renderRows(rows, columns)
  const { total } = reply
  const isPart = typeof total === 'number' && total > rows.length
  return isPart ? `${table}\n${rows.length} of ${total}` : table
}
