import type { Readable } from 'node:stream'
import { NoAnswer } from './no-answer.ts'

/** A harness that keeps stdin open has nothing more to say by then. */
const patienceMs = 1000
const mostBytes = 8 * 1_048_576

/** The one JSON object that a harness writes, read no further than its end; `{}` where it says nothing. */
export async function readStdin(stdin: Readable & { isTTY?: boolean }): Promise<object> {
  if (stdin.isTTY) return {}
  const chunks: Buffer[] = []
  const found = Promise.withResolvers<object>()
  const give = (isOver: boolean) => {
    const object = toObject(chunks, isOver)
    if (object) found.resolve(object)
    else if (isOver) found.reject(new NoAnswer('no_input', 'stdin holds no JSON object'))
  }
  const bytesSoFar = () => chunks.reduce((sum, { length }) => sum + length, 0)
  stdin.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    give(bytesSoFar() > mostBytes)
  })
  stdin.on('end', () => give(true))
  stdin.on('error', () => give(true))
  // A process that was held up first hears what has come meanwhile.
  const timer = setTimeout(() => setImmediate(() => give(true)), patienceMs)
  try {
    return await found.promise
  } finally {
    clearTimeout(timer)
    stdin.removeAllListeners('data').pause()
  }
}

function toObject(chunks: readonly Buffer[], isOver: boolean): object | undefined {
  const last = chunks.at(-1)?.toString('utf8').trimEnd()
  // Only what ends so can be whole: a long text is not parsed with every part of it.
  if (!isOver && !last?.endsWith('}')) return undefined
  const text = Buffer.concat(chunks).toString('utf8').trim()
  if (text === '') return isOver ? {} : undefined
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
      ? parsed
      : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
