// usage: node bench/recall/run.ts DATASET.jsonl RUN.jsonl [--pooled | --ask-last | --interleaved] [--graph] [--repeatable] [--embedding FOLDER]
import { appendFileSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Call, createClient, throwOnError } from '../support/client.ts'
import {
  configureEmbedding,
  inWorkspace,
  readEmbeddingFolder,
  start,
  stop,
} from '../support/daemon.ts'
import { timeCalls } from '../support/timing.ts'
import { type Corpus, type Piece, type Question, readCorpora } from './dataset.ts'
import { writeGraph } from './write-graph.ts'

const maxResults = 50
const [dataset, run, ...flags] = process.argv.slice(2)
if (!dataset || !run)
  throw new Error(
    'usage: run.ts DATASET.jsonl RUN.jsonl [--pooled | --ask-last | --interleaved] [--graph] [--repeatable] [--embedding FOLDER]',
  )
const embedding = readEmbeddingFolder(flags)
const pooled = flags.includes('--pooled')
const interleaved = flags.includes('--interleaved')
const queryLast = flags.includes('--ask-last')
/** Extracts a graph from the corpus and applies all of it before the questions. */
const withGraph = flags.includes('--graph')
const corpora = readCorpora(dataset)

/** The documents of each memory; several when they have the same text. */
type Sources = Map<string, Piece[]>

await inWorkspace(async (workspace) => {
  if (embedding !== undefined) await configureEmbedding(workspace, embedding)
  else if (flags.includes('--repeatable')) await ignoreUsageAndAge(workspace)
  const { daemon } = await start(workspace)
  const call = throwOnError(createClient(daemon.url))
  writeFileSync(run, '')
  try {
    if (pooled) await measurePooled(call)
    else if (interleaved || queryLast) await measureAfterImport(call)
    else for (const [number, corpus] of corpora.entries()) await measureOne(call, corpus, number)
  } finally {
    await stop(daemon)
  }
})

/** Usage and age depend on the speed of the run; without them two runs of one build are equal. */
async function ignoreUsageAndAge(workspace: string): Promise<void> {
  const search = { rehearsal_enabled: false, temporal_prior_enabled: false }
  await writeFile(join(workspace, 'agent.yaml'), JSON.stringify({ search }))
}

async function measureOne(call: Call, corpus: Corpus, number: number): Promise<void> {
  const agent = await createAgent(call, `corpus-${number}`)
  const sources = await importInto(call, agent, [corpus])
  if (withGraph) await writeGraph(call, agent, sources)
  await runQueries(call, agent, corpus, sources)
}

async function measurePooled(call: Call): Promise<void> {
  const agent = await createAgent(call, 'pool')
  const sources = await importInto(call, agent, corpora)
  for (const corpus of corpora) await runQueries(call, agent, corpus, sources)
}

/**
 * Imports each corpus as its own agent and queries after all imports. Interleaved, two agents
 * import
 * one document in turn; their corpora may share session keys.
 */
async function measureAfterImport(call: Call): Promise<void> {
  const imports = await Promise.all(
    corpora.map(async (corpus, number) => ({
      corpus,
      agent: await createAgent(call, `corpus-${number}`),
      sources: new Map() as Sources,
    })),
  )
  const groupSize = interleaved ? 2 : 1
  for (let first = 0; first < imports.length; first += groupSize)
    await importInTurn(call, imports.slice(first, first + groupSize))
  for (const { corpus, agent, sources } of imports) await runQueries(call, agent, corpus, sources)
}

interface Import {
  readonly corpus: Corpus
  readonly agent: string
  readonly sources: Sources
}

async function importInTurn(call: Call, imports: readonly Import[]): Promise<void> {
  const documentCount = Math.max(...imports.map(({ corpus }) => corpus.documents.length))
  for (let number = 0; number < documentCount; number++)
    for (const { corpus, agent, sources } of imports) {
      const document = corpus.documents[number]
      if (document) await importDocument(call, agent, { document, sources })
    }
}

/** Isolated, so that the agent does not read the other corpora. */
async function createAgent(call: Call, name: string): Promise<string> {
  await call('POST /api/agents', { name, read_policy: 'isolated' })
  return name
}

async function importInto(call: Call, agent: string, from: readonly Corpus[]): Promise<Sources> {
  const sources: Sources = new Map()
  for (const document of from.flatMap(({ documents }) => documents))
    await importDocument(call, agent, { document, sources })
  return sources
}

async function importDocument(
  call: Call,
  agent: string,
  { document, sources }: { readonly document: Piece; readonly sources: Sources },
): Promise<void> {
  const { body } = await call('POST /api/memory/remember', toMemory(document), agent)
  const id = String(body['id'])
  sources.set(id, [...(sources.get(id) ?? []), document])
}

function toMemory({ corpus, session, id, text, speaker, time }: Piece) {
  const place = pooled ? `${corpus}/${session}` : session
  return {
    content: text,
    who: speaker,
    sourceId: `${place}/${id}`,
    sessionId: place,
    ...(time !== null && { occurredAt: time, createdAt: time }),
  }
}

async function runQueries(
  call: Call,
  agent: string,
  corpus: Corpus,
  sources: Sources,
): Promise<void> {
  const { questions, name } = corpus
  const timing = await timeCalls({ count: questions.length, clients: 2 }, async (number) => {
    const question = questions[number] as Question
    const ranked = await rank(call, agent, question)
    const documents = ranked.flatMap((id) => sources.get(id) ?? [])
    // A document of another corpus is a miss, even with the same name.
    const named = documents.map(({ corpus: home, id }) => (home === name ? id : `${home}/${id}`))
    // A claim stands for the documents of the memory that it cites.
    const ranking = withGraph ? [...new Set(named)] : named
    appendFileSync(run as string, `${JSON.stringify({ question: question.id, ranked: ranking })}\n`)
  })
  process.stdout.write(
    `${name}: ${timing.count} questions, p50 ${timing.p50Ms.toFixed(1)} ms, p99 ${timing.p99Ms.toFixed(1)} ms\n`,
  )
}

async function rank(call: Call, agent: string, { text, time }: Question): Promise<string[]> {
  const body = { query: text, limit: maxResults, ...(time !== null && { referenceTime: time }) }
  const reply = await call('POST /api/memory/recall', body, agent)
  return (reply.body['results'] as { readonly id: string }[]).map(({ id }) => id)
}
