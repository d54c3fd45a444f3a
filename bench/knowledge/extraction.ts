// usage: node bench/knowledge/extraction.ts [DATASET.jsonl]
import { readFileSync } from 'node:fs'
import { readSource } from '../../src/capabilities/ontology/extract/read-text.ts'
import { divideText } from '../../src/capabilities/ontology/extract/sentences.ts'
import { chinese, chineseNames, english, names } from './sentences.ts'

const perText = 10
const print = (text: string) => process.stdout.write(`${text}\n`)

type Patterns = typeof english
type Names = typeof names

/** Texts of ten sentences, each with the drafts that it states. */
function listTexts(patterns: Patterns, pairs: Names) {
  return pairs.flatMap(([a, b]) => {
    const fill = (text: string) =>
      text.replace(/\b[AB](?![a-z])|[AB](?=\P{ASCII})/gu, (letter) => (letter === 'A' ? a : b))
    const nameOf = (letter: string | undefined) => (letter === 'A' ? a : letter === 'B' ? b : '')
    const cases = patterns.map(([text, expected]) => ({
      sentence: fill(text),
      draft: expected && [expected[0], nameOf(expected[1]), nameOf(expected[2])].join(' ').trim(),
    }))
    return Array.from({ length: Math.ceil(cases.length / perText) }, (_, at) =>
      cases.slice(at * perText, (at + 1) * perText),
    )
  })
}

function listDrafts(text: string): string[] {
  const drafts = readSource(text).listDrafts(new Set())
  return drafts.map(({ operation, payload }) =>
    operation === 'create_link'
      ? `link ${payload['source_entity']} ${payload['target_entity']}`
      : `claim ${payload['entity']}`,
  )
}

function measure(language: string, patterns: Patterns, pairs: Names) {
  const [counted, missed, wrong] = [
    { right: 0, drafts: 0, expected: 0 },
    [] as string[],
    [] as string[],
  ]
  for (const cases of listTexts(patterns, pairs)) {
    const left = cases.flatMap(({ draft }) => draft ?? [])
    counted.expected += left.length
    for (const draft of listDrafts(cases.map(({ sentence }) => sentence).join('\n'))) {
      counted.drafts += 1
      const at = left.indexOf(draft)
      if (at < 0) wrong.push(draft)
      else {
        counted.right += 1
        left.splice(at, 1)
      }
    }
    missed.push(...left)
  }
  const { right, drafts, expected } = counted
  const count = patterns.length * pairs.length
  print(
    `| ${language} | ${count} | ${expected} | ${(right / drafts).toFixed(3)} | ${(right / expected).toFixed(3)} |`,
  )
  if (process.argv.includes('--show'))
    print(
      [...wrong.map((one) => `wrong: ${one}`), ...missed.map((one) => `missed: ${one}`)].join('\n'),
    )
}

/** Subjects in the talk of a data set; a person decides which of them are names. */
function listSubjects(file: string): void {
  const bySession = new Map<string, string[]>()
  for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
    const { kind, corpus, session, text } = JSON.parse(line)
    if (kind !== 'question')
      bySession.set(`${corpus} ${session}`, [
        ...(bySession.get(`${corpus} ${session}`) ?? []),
        text,
      ])
  }
  let sentences = 0
  const subjects: string[] = []
  for (const texts of bySession.values()) {
    const text = texts.join('\n')
    sentences += divideText(text).sentences.length
    subjects.push(...listDrafts(text))
  }
  print(`\n${sentences} sentences, ${subjects.length} drafts\n${subjects.join('\n')}`)
}

const [, , dataset] = process.argv.filter((word) => !word.startsWith('--'))
if (dataset) listSubjects(dataset)
else {
  print('| language | sentences | statements | precision | recall |\n|---|---|---|---|---|')
  measure('English', english, names)
  measure('Chinese', chinese, chineseNames)
}
