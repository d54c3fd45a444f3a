// usage: node bench/session-start/run.ts DUMP.jsonl DATASET.jsonl...
import { appendFileSync, writeFileSync } from 'node:fs'
import { type Corpus, type Piece, readCorpora } from '../recall/dataset.ts'
import { type Call, createClient, throwOnError } from '../support/client.ts'
import { inWorkspace, start, stop } from '../support/daemon.ts'
import { median } from '../support/timing.ts'

const [dump, ...datasets] = process.argv.slice(2)
if (!dump || datasets.length === 0) throw new Error('usage: run.ts DUMP.jsonl DATASET.jsonl...')
writeFileSync(dump, '')

await inWorkspace(async (workspace) => {
  const { daemon } = await start(workspace)
  const call = throwOnError(createClient(daemon.url))
  const sizes: number[] = []
  try {
    for (const corpus of datasets.flatMap(readCorpora)) sizes.push(await measure(call, corpus))
  } finally {
    await stop(daemon)
  }
  process.stdout.write(`median of ${sizes.length}: ${median(sizes)} characters\n`)
})

/** Imports a corpus as the project of an agent. Returns the size of the first session start. */
async function measure(call: Call, corpus: Corpus): Promise<number> {
  const { name, documents } = corpus
  const project = documents.map((piece) => piece.project).find(Boolean) ?? `/srv/${name}`
  await call('POST /api/agents', { name, read_policy: 'isolated' })
  for (const piece of documents)
    await call('POST /api/memory/remember', toMemory(piece, project), name)
  const request = { harness: 'bench', sessionKey: 'first', runtimePath: 'plugin', project }
  const { body } = await call('POST /api/hooks/session-start', request, name)
  const memories = body['memories'] as readonly unknown[]
  const inject = String(body['inject'])
  appendFileSync(String(dump), `${JSON.stringify({ corpus: name, project, inject, memories })}\n`)
  process.stdout.write(`${name}: ${inject.length} characters, ${memories.length} memories\n`)
  return inject.length
}

function toMemory({ session, id, text, speaker, time }: Piece, project: string) {
  return {
    content: text,
    who: speaker,
    project,
    sourceId: `${session}/${id}`,
    sessionId: session,
    ...(time !== null && { occurredAt: time, createdAt: time }),
  }
}
