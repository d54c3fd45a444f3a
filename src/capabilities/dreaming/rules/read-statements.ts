import { withoutCloser } from './closers.ts'
import { findDescribed, findIntroduced } from './introduced.ts'
import { languages } from './language.ts'
import { maskText } from './mask.ts'
import { findHostile, findMaterial, groupSentences, splitPassages } from './passages.ts'
import { isPersonName } from './person-name.ts'
import { compilePhrases, phraseEnd } from './phrases.ts'
import { readStructured } from './read-structured.ts'
import { type PreparedTurn, readTurn, type Skip } from './read-turn.ts'
import { type Sentence, splitSentences, splitTurns, type Turn } from './sentences.ts'
import type { EvidenceFragment, GraphNames, Statement } from './statement.ts'
import { indexNames } from './subjects.ts'
import type { Token } from './tokens.ts'

export interface ReadRequest {
  readonly fragments: readonly EvidenceFragment[]
  readonly names: GraphNames
  /** Name of the person who speaks in `User:` lines; empty where it is unknown. */
  readonly user: string
}

export interface ReadResult {
  /** In the order of their times. */
  readonly statements: readonly Statement[]
  /** How many turns or sentences were left out, by reason. */
  readonly skipped: Readonly<Record<string, number>>
}

/** What the turns of a window of evidence state. The order of the fragments does not matter. */
export function readStatements({ fragments, names, user }: ReadRequest): ReadResult {
  const skipped: Record<string, number> = {}
  const skip: Skip = (reason, count = 1) => {
    if (count > 0) skipped[reason] = (skipped[reason] ?? 0) + count
  }
  const turns = fragments.flatMap((fragment) => prepareTurns(withoutStructured(fragment), skip))
  const userName = user === '' ? (findOwnName(turns) ?? '') : user
  const find = (read: typeof findDescribed) =>
    turns
      .flatMap(({ sentences }) =>
        sentences.flatMap(({ tokens }) => languages.flatMap((language) => read(tokens, language))),
      )
      .toSorted()
  const [introduced, described] = [find(findIntroduced), find(findDescribed)]
  const index = indexNames(names, fragments, { user: userName, introduced, described })
  const statements = [
    ...turns.flatMap((turn) => readTurn(turn, { index, userName, skip })),
    ...fragments.flatMap((fragment) => readStructured(fragment, names)),
  ]
  return { statements: statements.toSorted(compareStatements), skipped }
}

/** The lines of a structured payload are no sentences. */
function withoutStructured(fragment: EvidenceFragment): EvidenceFragment {
  const { text, start, structuredStart = start + text.length } = fragment
  return { ...fragment, text: text.slice(0, Math.max(0, structuredStart - start)) }
}

/** By time, then by place. */
export function compareStatements(a: Statement, b: Statement): number {
  return (
    a.assertedAt.localeCompare(b.assertedAt) ||
    a.sourceId.localeCompare(b.sourceId) ||
    a.start - b.start ||
    a.rule.localeCompare(b.rule) ||
    a.value.localeCompare(b.value)
  )
}

function prepareTurns(fragment: EvidenceFragment, skip: Skip): PreparedTurn[] {
  const isTranscript = fragment.sourceKind === 'transcript'
  return splitTurns(fragment.text, isTranscript).flatMap((turn) => {
    if (turn.role === 'assistant' || isMachine(fragment.speaker)) {
      skip('assistant')
      return []
    }
    const sentences = prepareSentences(turn, skip)
    const isUser = turn.role === 'user' || /^(?:user|human|me)$/i.test(fragment.speaker ?? '')
    return sentences.length > 0 ? [{ fragment, turn, sentences, isUser }] : []
  })
}

/** What a program says is no statement of a person. */
function isMachine(speaker: string | null): boolean {
  return /^(?:assistant|ai|model|bot|llm|system|tool)$/i.test(speaker?.trim() ?? '')
}

/** The sentences of the passages that are neither hostile nor material to work on. */
function prepareSentences({ text }: Turn, skip: Skip): Sentence[] {
  const passages = splitPassages(text)
  const hostile = findHostile(text, passages)
  skip('hostile', hostile.size)
  if (hostile.size === passages.length) return []
  const masked = maskText(text)
  const sentences = splitSentences(masked).map(withoutRequest).map(withoutCloser).filter(isShort)
  const groups = groupSentences(passages, sentences)
  const material = findMaterial({ text, masked, passages, groups })
  skip('quoted', passages.filter((one) => material.has(one) && !hostile.has(one)).length)
  return groups.flatMap((group, at) => {
    const passage = passages[at]
    return passage && !hostile.has(passage) && !material.has(passage) ? group : []
  })
}

/** A longer sentence states too much for a rule. */
const maxSentence = 300

function isShort({ start, end }: Sentence): boolean {
  return end - start <= maxSentence
}

/** `I use Vim, can you give an example?` states what stands before its request. */
function withoutRequest(sentence: Sentence): Sentence {
  const { tokens } = sentence
  const at = tokens.findIndex(
    (token, index) => index > 2 && isJoint(token) && isRequest(tokens, index + 1),
  )
  const last = tokens[at - 1]
  return at < 0 || !last ? sentence : { ...sentence, tokens: tokens.slice(0, at), end: last.end }
}

function isJoint({ text }: Token): boolean {
  return /^[,;，；–—]$/.test(text)
}

function isRequest(tokens: readonly Token[], at: number): boolean {
  const start = /^(?:so|and|but|then|und|aber|also)$/.test(tokens[at]?.lower ?? '') ? at + 1 : at
  return languages.some(({ requests }) => phraseEnd(tokens, start, requests) !== undefined)
}

const introductionsOfSelf = compilePhrases(
  'my name is, mein name ist, ich heisse, ich heiße, 我叫, 我的名字是, 我的名字叫',
)

/** The one name that the user gives. */
function findOwnName(turns: readonly PreparedTurn[]): string | undefined {
  const sentences = turns.flatMap((turn) => (turn.isUser ? turn.sentences : []))
  const found = new Set(sentences.flatMap(({ tokens }) => readOwnName(tokens) ?? []))
  return found.size === 1 ? [...found][0] : undefined
}

function readOwnName(tokens: readonly Token[]): string | undefined {
  const start = phraseEnd(tokens, 0, introductionsOfSelf)
  if (start === undefined) return undefined
  const isNamed = ({ kind, text }: Token) => kind !== 'mark' && /^\p{Lu}|\p{Script=Han}/u.test(text)
  const length = tokens.slice(start).findIndex((token) => !isNamed(token))
  const words = tokens.slice(start, length < 0 ? undefined : start + length)
  const name = words.map(({ text }) => text).join(words[0]?.kind === 'ideograph' ? '' : ' ')
  return isPersonName(name) ? name : undefined
}
