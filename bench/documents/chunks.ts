// usage: node bench/documents/chunks.ts [files of each kind]

import { chunkText, noteBounds } from '../../src/capabilities/extraction/chunks/chunk-text.ts'
import { convertFile } from '../../src/capabilities/extraction/convert.ts'
import { launchDaemon } from '../../test/support/daemon-process.ts'
import { createPdf } from '../../test/support/office-files.ts'
import { type Call, createClient, throwOnError } from '../support/client.ts'
import { inWorkspace, stop } from '../support/daemon.ts'
import { createRandom, createRows } from '../support/rows.ts'

/** Compares chunks by structure with a plain window over the same files, in the same engine. */
const filesOfKind = Number(process.argv[2] ?? 8)
const placesOfFile = 12
/** The window of the contract. */
const windowSize = 2_000
const windowOverlap = 200
const [maxRecall, maxRank] = [5, 10]

interface Place {
  readonly name: string
  readonly facts: Readonly<Record<string, string>>
}

interface File {
  readonly kind: 'markdown' | 'pdf' | 'csv'
  readonly name: string
  readonly bytes: Uint8Array
  readonly places: readonly Place[]
}

const rows = createRows()
const random = createRandom(25)
const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)] ?? ''
const syllables = [
  'bra',
  'den',
  'fol',
  'gri',
  'hem',
  'jas',
  'kel',
  'mor',
  'nud',
  'pyl',
  'quo',
  'rix',
]
const invent = () => {
  const word = Array.from({ length: 4 }, () => pick(syllables)).join('')
  return `${word[0]?.toUpperCase()}${word.slice(1)}`
}
const attributes = ['caretaker', 'architect', 'supplier', 'neighbour']

const inventPlace = (): Place => ({
  name: invent(),
  facts: Object.fromEntries(attributes.map((attribute) => [attribute, invent()])),
})
const sentenceOf = (attribute: string, value: string) => `The ${attribute} is ${value}.`

/** The facts of a place do not name it: its heading does. */
function paragraphsOf({ facts }: Place): string[] {
  return Object.entries(facts).map(
    ([attribute, value]) =>
      `${rows.content(Math.floor(random() * 1e6))}. ${sentenceOf(attribute, value)}`,
  )
}

function createFile(kind: File['kind'], at: number): File {
  const places = Array.from({ length: placesOfFile }, inventPlace)
  const name = `guide-${at}.${{ markdown: 'md', pdf: 'pdf', csv: 'csv' }[kind]}`
  return { kind, name, places, bytes: bytesOf(kind, places) }
}

/** Words beyond the edge of a page are no text. */
const wrap = (text: string) => text.replaceAll(/(.{1,70})(?: |$)/g, '$1\n').trimEnd()

function bytesOf(kind: File['kind'], places: readonly Place[]): Uint8Array {
  const sections = places.map((place) => [place.name, paragraphsOf(place)] as const)
  if (kind === 'pdf')
    return createPdf(sections.map(([name, text]) => wrap([name, ...text].join(' '))))
  if (kind === 'markdown') {
    const text = sections.map(([name, lines]) => `## ${name}\n\n${lines.join('\n\n')}`)
    return Buffer.from(`# Guide\n\n${text.join('\n\n')}\n`)
  }
  const lines = places.map(({ name, facts }) => [name, ...Object.values(facts)].join(','))
  return Buffer.from([['place', ...attributes].join(','), ...lines].join('\n'))
}

type Chunker = (text: string) => readonly string[]

const chunkers: Readonly<Record<string, Chunker>> = {
  structure: (text) =>
    chunkText(text, noteBounds).chunks.map((one) => `${one.headings.join(' / ')}\n\n${one.text}`),
  window: (text) => {
    const chunks: string[] = []
    for (let at = 0; at < text.length; at += windowSize - windowOverlap)
      chunks.push(text.slice(at, at + windowSize))
    return chunks
  },
}

interface Score {
  recall: number
  gain: number
  questions: number
}

/** Each method has an agent of its own, so that it does not find the chunks of the other. */
async function measure(call: Call, chunk: Chunker, { agent, files }: Input) {
  const scores = new Map<string, Score>()
  const texts = await store(call, chunk, { agent, files })
  for (const { kind, query, value } of files.flatMap(toQuestions)) {
    const score = scores.get(kind) ?? { recall: 0, gain: 0, questions: 0 }
    const { body } = await call('POST /api/memory/recall', { query, limit: maxRank }, agent)
    const results = body['results'] as { readonly id: string }[]
    const rank = results.findIndex(({ id }) => texts.get(id)?.includes(value))
    if (rank >= 0 && rank < maxRecall) score.recall += 1
    if (rank >= 0) score.gain += 1 / Math.log2(rank + 2)
    score.questions += 1
    scores.set(kind, score)
  }
  return scores
}

/** Returns the texts of the chunks by the ids of their memories. */
async function store(call: Call, chunk: Chunker, { agent, files }: Input) {
  const texts = new Map<unknown, string>()
  for (const { bytes, name } of files) {
    const converted = await convertFile({ bytes: Uint8Array.from(bytes), fileName: name })
    if (converted.status === 'failed') throw new Error(`${name}: ${converted.message}`)
    for (const text of chunk(converted.text)) {
      const content = `${name}\n${text}`
      texts.set((await call('POST /api/memory/remember', { content }, agent)).body['id'], text)
    }
  }
  return texts
}

function toQuestions({ kind, places }: File) {
  return places.flatMap(({ name, facts }) =>
    Object.entries(facts).map(([attribute, value]) => {
      return { kind, value, query: `who is the ${attribute} of ${name}` }
    }),
  )
}

interface Input {
  readonly agent: string
  readonly files: readonly File[]
}

const kinds = ['markdown', 'pdf', 'csv'] as const
const files = kinds.flatMap((kind) =>
  Array.from({ length: filesOfKind }, (_, at) => createFile(kind, at)),
)
process.stdout.write('| chunks | files | questions | recall@5 | NDCG@10 |\n|---|---|---|---|---|\n')
await inWorkspace(async (workspace) => {
  const daemon = await launchDaemon({ workspace })
  const call = throwOnError(createClient(daemon.url))
  for (const [agent, chunk] of Object.entries(chunkers)) {
    await call('POST /api/agents', { name: agent, read_policy: 'isolated' })
    const scores = await measure(call, chunk, { agent, files })
    const all: Score = { recall: 0, gain: 0, questions: 0 }
    const print = (name: string, { recall, gain, questions }: Score) => {
      const shares = [recall, gain].map((sum) => ((100 * sum) / questions).toFixed(1))
      process.stdout.write(`| ${agent} | ${name} | ${questions} | ${shares.join(' | ')} |\n`)
    }
    for (const [kind, score] of scores) {
      print(kind, score)
      for (const field of ['recall', 'gain', 'questions'] as const) all[field] += score[field]
    }
    print('all', all)
  }
  await stop(daemon)
})
