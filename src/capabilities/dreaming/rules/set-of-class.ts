import { toPlainValue } from '../fact.ts'
import { findSlot } from './slots.ts'
import type { ReportedValue, Statement } from './statement.ts'
import type { ReportContext } from './successor.ts'
import { classOf, isOfProject } from './technologies.ts'

/** `We shifted Ferry from Railway to Heroku`: names of one class say which slot changes. */
export function setOfClass({ statement, report }: ReportContext): Statement | undefined {
  const { subject } = statement
  const [old, ...otherOld] = report.values.filter(({ isBefore }) => isBefore)
  const [value, ...others] = report.values.filter(({ isBefore }) => !isBefore)
  const kind = value && classOf(value.text)
  const isClear = otherOld.length === 0 && others.length === 0 && report.kind === 'change'
  if (!old || !kind || !isClear || classOf(old.text) !== kind || report.isImpersonal)
    return undefined
  const slot = subject.type === 'project' && isOfProject(kind) ? findSlot(kind) : undefined
  return slot && { ...statement, change: 'set', slot, value: value.text, from: old.text }
}

/** Words that no table has, in a sentence that states what a project is made of. */
const maxOtherWords = 1

/** `The Ferry code is Ruby`: the words name a slot, and the only value is of its kind. */
export function setOfKind({ statement, report }: ReportContext): Statement | undefined {
  const { kind, slots, otherWords, isAside } = report
  const found = findOnly(statement, report)
  if (!found || report.isWide || !slots.includes(found.key)) return undefined
  if (kind !== 'plain') return kind === 'change' ? toSet(statement, found) : undefined
  const isStated = !isAside && otherWords <= maxOtherWords
  return isStated ? { ...toSet(statement, found), changeWord: false } : undefined
}

/** `We packed up Ferry and moved it over to OVH`: a well-known name takes the place of its class. */
export function setMoved({ statement, report, active }: ReportContext): Statement | undefined {
  const found = findOnly(statement, report)
  const isMove = report.kind === 'change' && !report.isWide
  if (!found || !isMove || found.key === 'deadline') return undefined
  const isTarget = report.moves.some((words) =>
    toPlainValue(words).startsWith(toPlainValue(found.value.text)),
  )
  const isKnown = active.some(({ slot }) => slot.key === found.key)
  return isTarget && isKnown ? toSet(statement, found) : undefined
}

interface Found {
  readonly key: string
  readonly value: ReportedValue
}

/** The only new value of a report about a project that it names, with the key of its slot. */
function findOnly(
  { subject }: Statement,
  { values, isImpersonal }: ReportContext['report'],
): Found | undefined {
  const [value, ...others] = values.filter(({ isBefore }) => !isBefore)
  if (!value || others.length > 0 || subject.type !== 'project' || isImpersonal) return undefined
  const key = value.type === 'date' ? 'deadline' : classOf(value.text)
  const isFit = key === 'deadline' || (key !== undefined && isOfProject(key))
  return isFit && key !== undefined ? { key, value } : undefined
}

function toSet(statement: Statement, { key, value }: Found): Statement {
  return { ...statement, change: 'set', slot: findSlot(key), value: value.text, from: undefined }
}
