// usage: node bench/useful/run.ts DATASET.jsonl RUN.jsonl [--explain] [--embedding FOLDER]
import { appendFileSync, writeFileSync } from 'node:fs'
import { type Corpus, type Piece, type Question, readCorpora } from '../recall/dataset.ts'
import { type Call, createClient, throwOnError } from '../support/client.ts'
import {
  configureEmbedding,
  inWorkspace,
  readEmbeddingFolder,
  start,
  stop,
} from '../support/daemon.ts'

const maxResults = 10
const [dataset, run, ...flags] = process.argv.slice(2)
if (!dataset || !run)
  throw new Error('usage: run.ts DATASET.jsonl RUN.jsonl [--explain] [--embedding FOLDER]')
const explain = flags.includes('--explain')
const embedding = readEmbeddingFolder(flags)

interface Row {
  readonly id: string
  readonly score: number
  readonly confidence?: number
}

await inWorkspace(async (workspace) => {
  if (embedding !== undefined) await configureEmbedding(workspace, embedding)
  const { daemon } = await start(workspace)
  const call = throwOnError(createClient(daemon.url))
  writeFileSync(run, '')
  try {
    for (const corpus of readCorpora(dataset)) await measure(call, corpus)
  } finally {
    await stop(daemon)
  }
})

/** Each corpus is the store of an isolated agent. */
async function measure(call: Call, { name, documents, questions }: Corpus): Promise<void> {
  await call('POST /api/agents', { name, read_policy: 'isolated' })
  const sources = new Map<string, string>()
  for (const document of documents) {
    const { body } = await call('POST /api/memory/remember', toMemory(document), name)
    sources.set(String(body['id']), document.id)
  }
  for (const question of questions) {
    const line = await ask(call, { agent: name, question, sources })
    appendFileSync(run as string, `${JSON.stringify(line)}\n`)
  }
}

function toMemory({ session, id, text, speaker, time, project }: Piece) {
  return {
    content: text,
    who: speaker,
    sourceId: `${session}/${id}`,
    sessionId: session,
    ...(project && { project }),
    ...(time !== null && { occurredAt: time, createdAt: time }),
  }
}

interface Request {
  readonly agent: string
  readonly question: Question
  /** Maps memory ids to document ids. */
  readonly sources: ReadonlyMap<string, string>
}

async function ask(call: Call, { agent, question, sources }: Request) {
  const { id, text, time } = question
  const body = { query: text, limit: maxResults, explain, referenceTime: time }
  const reply = await call('POST /api/memory/recall', body, agent)
  const rows = reply.body['results'] as readonly Row[]
  const meta = reply.body['meta'] as { readonly confidence?: string }
  return {
    question: id,
    ranked: rows.map((row) => sources.get(row.id) ?? row.id),
    scores: rows.map(({ confidence, score }) => confidence ?? score),
    ...(meta.confidence && { confidence: meta.confidence }),
    ...(explain && { meta, rows }),
  }
}
