import { find, read } from 'cfb'
import { Unreadable } from '../result.ts'

const unicodeText = 0x0fa0
const latinText = 0x0fa8
const slideContainer = 0x03ee
const notesContainer = 0x03f0
const headerLength = 8
/** Containers of a damaged file may contain themselves. */
const maxRecords = 1_000_000

interface PptRecord {
  readonly type: number
  readonly isContainer: boolean
  readonly start: number
  readonly end: number
}

/** The text of the slides of a binary presentation, then the notes. */
export function convertSlides(bytes: Uint8Array): { text: string } {
  const entry = find(read(bytes, { type: 'array' }), 'PowerPoint Document')
  if (!entry) throw new Unreadable('corrupt', 'The file contains no presentation.')
  const stream = Uint8Array.from(entry.content)
  const view = new DataView(stream.buffer, stream.byteOffset, stream.byteLength)
  const sections = [...listSections(view)]
  const numbered = sections.map(
    ({ isNotes, texts }) => `## ${isNotes ? 'Notes' : 'Slide'}\n\n${texts.join('\n\n')}`,
  )
  return { text: numbered.join('\n\n') }
}

interface Section {
  readonly isNotes: boolean
  readonly texts: string[]
}

function* listSections(view: DataView): Generator<Section> {
  for (const record of listRecords(view, 0, view.byteLength)) {
    if (record.type !== slideContainer && record.type !== notesContainer) continue
    const texts = [...listRecords(view, record.start, record.end)]
      .map((inner) => readText(view, inner))
      .filter((text) => text !== '')
    if (texts.length > 0) yield { isNotes: record.type === notesContainer, texts }
  }
}

/** All records of a range in their order, containers before their members. */
function* listRecords(view: DataView, start: number, end: number): Generator<PptRecord> {
  let at = start
  for (let count = 0; at + headerLength <= end && count < maxRecords; count++) {
    const type = view.getUint16(at + 2, true)
    const isContainer = (view.getUint16(at, true) & 0xf) === 0xf
    const inner = at + headerLength
    const next = Math.min(end, inner + view.getUint32(at + 4, true))
    yield { type, isContainer, start: inner, end: next }
    at = isContainer ? inner : next
  }
}

function readText(view: DataView, { type, start, end }: PptRecord): string {
  if (type !== unicodeText && type !== latinText) return ''
  const bytes = new Uint8Array(view.buffer, view.byteOffset + start, end - start)
  const text = new TextDecoder(type === unicodeText ? 'utf-16le' : 'latin1').decode(bytes)
  return text.replaceAll(/[\r\v]/g, '\n').trim()
}
