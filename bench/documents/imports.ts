import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { DaemonProcess } from '../../test/support/daemon-process.ts'
import type { Call } from '../support/client.ts'
import { createRows } from '../support/rows.ts'

const rows = createRows()

/** An upload that waits for its bytes. */
export async function createImport(daemon: DaemonProcess, call: Call) {
  const { body } = await call('POST /api/sources/imports', { files: [{ name: 'a.jsonl' }] })
  const job = `/api/sources/imports/${body['id']}`
  const file = `${job}/files/${Object(body['files'])[0].id}`
  return {
    upload: async (bytes: Buffer) => {
      for (let at = 0; at < bytes.length; at += 1_048_576) {
        const part = bytes.subarray(at, at + 1_048_576)
        const reply = await fetch(daemon.url + file, {
          method: 'PATCH',
          body: Uint8Array.from(part),
          headers: {
            'content-type': 'application/octet-stream',
            'upload-length': String(bytes.length),
            'upload-offset': String(at),
            'upload-checksum': createHash('sha256').update(part).digest('hex'),
          },
        })
        if (reply.status !== 200) throw new Error(await reply.text())
      }
    },
    seal: () => call(`POST ${file}/finalize`),
    commit: async () => {
      await call(`POST ${job}/start`)
      for (;;) {
        const { body } = await call(`GET ${job}`)
        if (String(body['state']).startsWith('completed')) return
        await pause(50)
      }
    },
  }
}

/** Lines of conversations with these numbers. */
export const linesFrom = (first: number, count: number) =>
  Buffer.from(Array.from({ length: count }, (_, at) => lineOf(first + at)).join('\n'))

function lineOf(number: number): string {
  const messages = Array.from({ length: 10 }, (_, at) => ({
    role: at % 2 ? 'assistant' : 'user',
    content: rows.content(2e6 + number * 10 + at),
  }))
  return JSON.stringify({
    id: `line-${number}`,
    source: 'svc',
    harness: 'chatgpt',
    agent_id: 'default',
    session_key: `bench-${number}`,
    project: null,
    timestamp: '2025-03-04T05:06:07.000Z',
    message_count: messages.length,
    messages,
  })
}
