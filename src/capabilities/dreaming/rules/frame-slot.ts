import type { CompiledFrame } from './frames.ts'
import type { Match, SubjectMatch } from './patterns.ts'
import { phraseEnd, type Span } from './phrases.ts'
import { isPlainNoun } from './reported-values.ts'
import type { SentenceRequest } from './roles.ts'
import { findSlot, slotOfNoun } from './slots.ts'
import type { Slot } from './statement.ts'
import { findProjects } from './subjects.ts'
import { classOf, isOfProject } from './technologies.ts'
import { isCapitalised } from './tokens.ts'

/** The slot that a frame names, or the one of its noun. */
export function slotOf({ slot }: CompiledFrame, noun: string | undefined): Slot | undefined {
  return slot === 'noun' ? slotOfNoun(noun ?? '') : findSlot(slot ?? '')
}

/** `PostgreSQL` is a database, whatever the sentence says of it. */
export function slotOfClass(
  request: SentenceRequest,
  { fallback }: CompiledFrame,
  [value]: readonly Span[],
) {
  const { tokens } = request
  // `Ruby on Rails` is no Ruby; `in Snowflake for reports` is one use of many.
  const [next, after] = value ? tokens.slice(value.end) : []
  if (/^(?:on|of)$/.test(next?.lower ?? '') && after && isCapitalised(after)) return undefined
  if (next?.lower === 'for' && isPurpose(request, (value?.end ?? 0) + 1)) return undefined
  const words = tokens.slice(value?.start, value?.end).map(({ text }) => text)
  const kind = value && classOf(words.join(' '))
  if (kind === undefined) return findSlot(fallback ?? '')
  if (kind === 'editor') return slotOfNoun(kind)
  return isOfProject(kind) ? findSlot(kind) : undefined
}

/** `for reports`, but not `for Ferry` or `for years`. */
function isPurpose(request: SentenceRequest, at: number): boolean {
  const { tokens, language } = request
  const isTime = tokens.slice(at, at + 2).some(({ lower }) => language.timeNouns.has(lower))
  return !isTime && findProjects(request, at, false).length === 0
}

/** Whether a frame may not state this of its subject. */
export function isUnfit(
  chosen: SubjectMatch,
  frame: CompiledFrame,
  slot: Slot | undefined,
): boolean {
  if (frame.slot === 'class' && slot === undefined) return true
  if (slot?.key === 'editor' && chosen.subject.type === 'project') return true
  const isOfOther =
    frame.slot === 'class' && chosen.subject.type === 'person' && isOfProject(slot?.key ?? '')
  if (isOfOther) return true
  return (chosen.isStranger && frame.takesStranger !== true) || isUnsupportedSlot(chosen, slot)
}

/** `Ada Moreau arbeite bei Northwind`: the form of the verb reports what somebody says. */
export function isReported(
  { tokens, language }: SentenceRequest,
  { used }: Match,
  { isOwn, subject }: SubjectMatch,
): boolean {
  if (isOwn || subject.type === 'project') return false
  return [...used].some((at) => language.ownVerbs.has(tokens[at]?.lower ?? ''))
}

/** `out of Ferry's tests`, `out of the Ferry slides`: the pattern ends inside of another name. */
export function endsInside({ tokens, language }: SentenceRequest, { values, end }: Match): boolean {
  const next = tokens[end]
  if (!next || values.V?.end === end || values.F?.end === end) return false
  if (next.lower === "'s") return true
  const isNamed = phraseEnd(tokens, end - 2, language.articles) === end - 1
  return isNamed && isPlainNoun(tokens, end, language) && !language.projectKinds.has(next.lower)
}

const technical: ReadonlySet<string> = new Set(
  'language deployed_on database port production_port staging_port version depends_on uses cache queue framework'.split(
    ' ',
  ),
)

/** A part of a system without a name has only technical properties. */
function isUnsupportedSlot({ subject }: SubjectMatch, slot: Slot | undefined): boolean {
  return subject.isCommon === true && slot !== undefined && !technical.has(slot.key)
}
