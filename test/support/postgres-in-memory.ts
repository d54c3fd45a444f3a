import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { PGlite } from '@electric-sql/pglite'
import { type MigratedPglite, openMigratedPglite } from './migrated-pglite.ts'

const startup = 196_608
/** Parse, bind, describe, execute, close, flush: each waits for the next sync. */
const parts = new Set([...'PBDECH'].map((letter) => letter.charCodeAt(0)))
const terminate = 'X'.charCodeAt(0)
const idle = 'I'.charCodeAt(0)

/** Starting a server takes seconds, so a used one is emptied and reused. */
const spare: MigratedPglite[] = []
/** Few tests run more services at once. */
const maxSpare = 2

/**
 * A PostgreSQL server on a free port. All connections share one session, so each waits for its turn
 * until its transaction is over.
 */
export async function startInMemory() {
  const migrated = spare.pop() ?? (await openMigratedPglite(serve))
  const { db } = migrated
  const { url, cutOff, stop } = await serve(db)
  return {
    url,
    cutOff,
    stop: async () => {
      await stop()
      if (spare.length < maxSpare && (await migrated.reset())) spare.push(migrated)
      else await db.close()
    },
  }
}

async function serve(db: PGlite) {
  const takeTurn = createTurns()
  const sockets = new Set<Socket>()
  // Replies to pipelined messages go out one by one, as from a server.
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket)
    void attend(socket, { db, takeTurn }).finally(() => sockets.delete(socket))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  const cutOff = async () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres?sslmode=disable`,
    cutOff,
    stop: async () => {
      await cutOff()
      await new Promise((closed) => server.close(closed))
      await takeTurn()
    },
  }
}

interface Session {
  readonly db: PGlite
  readonly takeTurn: ReturnType<typeof createTurns>
}

async function attend(socket: Socket, { db, takeTurn }: Session): Promise<void> {
  let end: (() => void) | undefined
  try {
    for await (const messages of readMessages(socket)) {
      end ??= await takeTurn()
      const answers: Uint8Array[] = []
      for (const message of messages) answers.push(await db.execProtocolRaw(message))
      const answer = Buffer.concat(answers)
      socket.write(answer)
      if (answer.at(-1) !== idle) continue
      end()
      end = undefined
    }
  } catch {
    // The client closed the connection, or the server destroyed it.
    socket.destroy()
  } finally {
    if (end) await db.exec('rollback')
    end?.()
  }
}

/** Groups messages that are answered together. */
async function* readMessages(socket: Socket): AsyncGenerator<readonly Uint8Array[]> {
  let rest: Buffer = Buffer.alloc(0)
  let together: Uint8Array[] = []
  for await (const chunk of socket) {
    rest = Buffer.concat([rest, chunk])
    for (let length = lengthOf(rest); length <= rest.length; length = lengthOf(rest)) {
      const message = Uint8Array.from(rest.subarray(0, length))
      rest = rest.subarray(length)
      const [kind = 0] = message
      if (kind === terminate) return
      together.push(message)
      if (parts.has(kind)) continue
      yield together
      together = []
    }
  }
}

/** Length of the first message; the very first of a connection has no type. */
function lengthOf(bytes: Buffer): number {
  if (bytes.length < 8) return bytes.length < 5 ? Infinity : 1 + bytes.readInt32BE(1)
  return bytes.readInt32BE(4) === startup ? bytes.readInt32BE(0) : 1 + bytes.readInt32BE(1)
}

/** A mutex; returns the function that releases it. */
function createTurns(): () => Promise<() => void> {
  let last: Promise<void> = Promise.resolve()
  return async () => {
    const before = last
    const { promise, resolve } = Promise.withResolvers<void>()
    last = promise
    await before
    return resolve
  }
}
