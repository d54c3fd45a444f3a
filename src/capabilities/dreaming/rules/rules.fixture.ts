import { readStatements } from './read-statements.ts'
import type { EvidenceFragment, Statement } from './statement.ts'

/** People and projects that the sentences of the tests mean. */
export const names = {
  entities: [],
  speakers: ['Ada Moreau', 'Olu Adeyemi', 'Jonas Petersen', '王小明'],
  projects: ['Ferry', 'Lantern'],
}

export function toFragment(text: string, others: Partial<EvidenceFragment> = {}): EvidenceFragment {
  return {
    sourceKind: 'memory',
    sourceId: 'memory-1',
    text,
    start: 0,
    speaker: 'Ada Moreau',
    project: null,
    session: 'session-1',
    assertedAt: '2025-03-01T10:00:00.000Z',
    trust: 'own',
    ...others,
  }
}

/** What a turn of Ada Moreau states. */
export function read(text: string, others: Partial<EvidenceFragment> = {}) {
  return readStatements({ fragments: [toFragment(text, others)], names, user: '' })
}

/** `subject · key · value`, with the change where it is no plain value. */
export function describe({ subject, slot, change, value, from }: Statement): string {
  const kind = change === 'end' ? 'ends ' : ''
  const before = from === undefined ? '' : `${from} → `
  return `${subject.name} · ${slot?.key ?? '?'} · ${kind}${before}${value}`
}

/** Reports state nothing without a ledger. */
export function withoutReport(statement: Statement): readonly Statement[] {
  return statement.report?.statements ?? [statement]
}

export function readAll(text: string): string[] {
  return read(text).statements.flatMap(withoutReport).map(describe)
}
