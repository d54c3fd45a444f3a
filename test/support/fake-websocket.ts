import { createHash } from 'node:crypto'
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'

/** One connection of a client, as the server sees it. */
export interface ServerSocket {
  send(message: object): void
  /** Sends a close frame, and ends the connection. */
  close(code: number): void
  /** Ends the connection without a word. */
  cut(): void
}

interface Handlers {
  readonly onOpen: (socket: ServerSocket, request: IncomingMessage) => void
  readonly onMessage: (socket: ServerSocket, message: unknown) => void
}

const protocolId = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
const opcodes = { text: 1, close: 8, ping: 9 } as const

/** Serves WebSockets (RFC 6455) on an HTTP server: text frames of JSON, without extensions. */
export function serveWebSockets(server: Server, { onOpen, onMessage }: Handlers): void {
  server.on('upgrade', (request, stream: Duplex) => {
    const key = `${request.headers['sec-websocket-key']}${protocolId}`
    const accept = createHash('sha1').update(key).digest('base64')
    stream.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    )
    stream.on('error', () => {})
    stream.on('end', () => stream.destroy())
    const socket: ServerSocket = {
      send: (message) => stream.write(toFrame(opcodes.text, Buffer.from(JSON.stringify(message)))),
      close: (code) => {
        const payload = Buffer.alloc(2)
        payload.writeUInt16BE(code)
        stream.end(toFrame(opcodes.close, payload))
      },
      cut: () => stream.destroy(),
    }
    let pending = Buffer.alloc(0)
    stream.on('data', (bytes: Buffer) => {
      pending = Buffer.concat([pending, bytes])
      for (let frame = readFrame(pending); frame; frame = readFrame(pending)) {
        pending = pending.subarray(frame.size)
        if (frame.opcode === opcodes.text) onMessage(socket, JSON.parse(frame.payload.toString()))
        if (frame.opcode === opcodes.close) stream.end(toFrame(opcodes.close, frame.payload))
      }
    })
    onOpen(socket, request)
  })
}

function toFrame(opcode: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(payload.length < 126 ? 2 : payload.length < 65_536 ? 4 : 10)
  head[0] = 0x80 | opcode
  if (head.length === 2) head[1] = payload.length
  else if (head.length === 4) {
    head[1] = 126
    head.writeUInt16BE(payload.length, 2)
  } else {
    head[1] = 127
    head.writeBigUInt64BE(BigInt(payload.length), 2)
  }
  return Buffer.concat([head, payload])
}

const longerThan = { two: 126, eight: 127 } as const

/** The first whole frame. Frames of clients are masked. */
function readFrame(bytes: Buffer) {
  const { start, length } = readLength(bytes)
  const size = start + 4 + length
  if (bytes.length < size) return undefined
  const mask = bytes.subarray(start, start + 4)
  const payload = Buffer.from(bytes.subarray(start + 4, size))
  for (const [at, byte] of payload.entries()) payload[at] = byte ^ (mask[at % 4] ?? 0)
  return { opcode: (bytes[0] ?? 0) & 0x0f, payload, size }
}

/** Where the mask begins, and the length of the payload; without a whole head, more than there is. */
function readLength(bytes: Buffer) {
  const short = (bytes[1] ?? 0) & 0x7f
  if (short < longerThan.two) return { start: 2, length: short }
  const start = short === longerThan.two ? 4 : 10
  if (bytes.length < start) return { start, length: bytes.length }
  const length = start === 4 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2))
  return { start, length }
}
