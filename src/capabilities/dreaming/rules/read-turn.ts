import { findGuard, isOpener, isRetraction } from './guards.ts'
import { type CompiledLanguage, isKnownKey, languages } from './language.ts'
import type { Span } from './phrases.ts'
import { type Place, placeOf, readChange } from './read-change.ts'
import { readSentence } from './read-sentence.ts'
import type { Sentence, Turn } from './sentences.ts'
import { skipReasonOf } from './skip-reason.ts'
import type { EvidenceFragment, Statement, Subject } from './statement.ts'
import { findProject, findSpeaker, type NameIndex } from './subjects.ts'

export type Skip = (reason: string, count?: number) => void

export interface PreparedTurn {
  readonly fragment: EvidenceFragment
  readonly turn: Turn
  readonly sentences: readonly Sentence[]
  /** Undefined where the speaker is the one of the fragment. */
  readonly isUser: boolean
}

interface TurnContext {
  readonly index: NameIndex
  readonly userName: string
  readonly skip: Skip
}

export function readTurn(
  { fragment, turn, sentences, isUser }: PreparedTurn,
  context: TurnContext,
): Statement[] {
  const { index, userName, skip } = context
  const speaker = isUser ? userName : fragment.speaker
  const own = fragment.trust === 'own' ? findSpeaker(index, speaker) : undefined
  const project = findProject(index, fragment.project)
  return sentences.flatMap((sentence, at) => {
    const place = { fragment, turn, sentence, index }
    return readPlace(place, {
      before: sentences[at - 1],
      after: sentences[at + 1],
      own,
      project,
      skip,
    })
  })
}

interface Surroundings {
  readonly before: Sentence | undefined
  readonly after: Sentence | undefined
  readonly own: Subject | undefined
  readonly project: Subject | undefined
  readonly skip: Skip
}

function readPlace(place: Place, { before, after, own, project, skip }: Surroundings): Statement[] {
  const { sentence, index } = place
  const found = readAll({ sentence, before, own, index })
  if (found.length === 0) skip(skipReasonOf(sentence, { own, index }))
  if ((before && isOpener(languages, before)) || (after && isRetraction(languages, after))) {
    if (found.length > 0) skip('context')
    return []
  }
  const statements = found.flatMap((reading) => {
    const guard = findGuard({ ...reading, tokens: sentence.tokens })
    if (guard) skip(guard)
    return guard ? [] : toStatements(place, reading)
  })
  if (!statements.every(isWeak)) return statements
  const report = readChange(place, { before, own, project, statements })
  return report ? [report] : statements
}

/** The ledger may know better what the sentence says: an end, or a noun that no table has. */
function isWeak({ change, slot, subject }: Statement): boolean {
  if (change === 'end' || slot === undefined) return true
  if (subject.type === 'project' && slot.key === 'uses') return true
  return slot.aspect === 'properties' && !isKnownKey(slot.key)
}

function readAll(request: {
  readonly sentence: Sentence
  readonly before: Sentence | undefined
  readonly own: Subject | undefined
  readonly index: NameIndex
}) {
  const { sentence, own, index } = request
  const before = request.before?.tokens
  for (const language of languages) {
    const readings = readSentence({ tokens: sentence.tokens, language, index, own, before })
    if (readings.length > 0) return readings.map((reading) => ({ ...reading, language }))
  }
  return []
}

type Reading = ReturnType<typeof readSentence>[number] & { readonly language: CompiledLanguage }

/** `Ada` is Ada Moreau where only one known person has the name. */
function fullNameOf({ sentence, index }: Place, { start, end }: Span): string | undefined {
  const name = sentence.tokens.slice(start, end).map(({ text }) => text)
  return name.length === 1 ? findSpeaker(index, name.join(' '))?.name : undefined
}

const ownConfidence = 0.9
const otherConfidence = 0.75

function toStatements(place: Place, reading: Reading): Statement[] {
  const { turn, sentence } = place
  const { subject, slot, change, ownWord, changeWord } = reading
  const textOf = (value: Span) => {
    const person = slot?.key === 'owner' ? fullNameOf(place, value) : undefined
    if (person !== undefined) return person
    const from = sentence.tokens[value.start]?.start ?? 0
    const to = sentence.tokens[value.end - 1]?.end ?? 0
    return turn.text.slice(from, to).replaceAll(/\s+/g, ' ').replaceAll('`', '').trim()
  }
  const values = reading.self === undefined ? reading.values.map(textOf) : [reading.self]
  return values.map((value) => ({
    ...placeOf(place, sentence.start),
    subject,
    slot,
    fallback: reading.fallback,
    change,
    ownWord,
    changeWord,
    value,
    from: reading.from && textOf(reading.from),
    rule: `${reading.language.code}.${reading.rule}`,
    confidence: ownWord ? ownConfidence : otherConfidence,
  }))
}
