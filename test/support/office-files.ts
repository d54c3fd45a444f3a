import { type BookType, utils, write } from '@e965/xlsx'
import { utils as cfb, write as writeCfb } from 'cfb'
import { strToU8, type Zippable, zipSync } from 'fflate'
import { OfficeConverter } from 'officeparser/slim'

const markdown = `# Report

The **committee** approved the proposal.

## Costs

- paper
- ink

| item | sum |
|---|---|
| paper | 12 |
`

/** A document of this Markdown. */
export async function createDocument(format: 'docx' | 'odt' | 'rtf' | 'epub', text = markdown) {
  const { value } = await OfficeConverter.convert(Buffer.from(text), format, {
    parseConfig: { fileType: 'md' },
  })
  return typeof value === 'string' ? strToU8(value) : Uint8Array.from(value as Uint8Array)
}

export function createSheet(format: BookType): Uint8Array {
  const book = utils.book_new()
  const rows = [
    ['name', 'sum'],
    ['Ada', 3.5],
    ['Grace', new Date(Date.UTC(2026, 0, 2))],
  ]
  utils.book_append_sheet(book, utils.aoa_to_sheet(rows, { UTC: true }), 'People')
  return Uint8Array.from(write(book, { type: 'buffer', bookType: format }) as Uint8Array)
}

export function zip(entries: Readonly<Record<string, string>>): Uint8Array {
  const packed: Zippable = {}
  for (const [name, text] of Object.entries(entries)) packed[name] = strToU8(text)
  return zipSync(packed)
}

const drawing = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
const presentation = 'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** Two slides, the first with speaker notes. */
export function createPptx(): Uint8Array {
  return zip({
    '[Content_Types].xml':
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    'ppt/presentation.xml': `<p:presentation ${presentation} xmlns:r="${office}"><p:sldIdLst><p:sldId id="256" r:id="r1"/><p:sldId id="257" r:id="r2"/></p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations('slide', [
      'slides/slide1.xml',
      'slides/slide2.xml',
    ]),
    'ppt/slides/slide1.xml': slide('Kickoff', 'The project starts in May.'),
    'ppt/slides/slide2.xml': slide('Budget', 'We have twelve thousand.'),
    'ppt/slides/_rels/slide1.xml.rels': relations('notesSlide', ['../notesSlides/notesSlide1.xml']),
    'ppt/notesSlides/notesSlide1.xml': `<p:notes ${drawing} ${presentation}><p:cSld><p:spTree>${shape('Thank the team.')}</p:spTree></p:cSld></p:notes>`,
  })
}

function slide(title: string, body: string): string {
  return `<p:sld ${drawing} ${presentation}><p:cSld><p:spTree>${shape(title, '<p:nvSpPr><p:nvPr><p:ph type="title"/></p:nvPr></p:nvSpPr>')}${shape(body)}</p:spTree></p:cSld></p:sld>`
}

function shape(text: string, properties = ''): string {
  return `<p:sp>${properties}<p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`
}

function relations(type: string, targets: readonly string[]): string {
  const each = targets.map(
    (target, at) => `<Relationship Id="r${at + 1}" Type="${office}/${type}" Target="${target}"/>`,
  )
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${each.join('')}</Relationships>`
}

const openDocument = 'urn:oasis:names:tc:opendocument:xmlns'

export function createOdp(): Uint8Array {
  const box = (text: string) =>
    `<draw:frame><draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame>`
  return zip({
    mimetype: 'application/vnd.oasis.opendocument.presentation',
    'content.xml': `<office:document-content xmlns:office="${openDocument}:office:1.0" xmlns:draw="${openDocument}:drawing:1.0" xmlns:text="${openDocument}:text:1.0" xmlns:presentation="${openDocument}:presentation:1.0"><office:body><office:presentation><draw:page draw:name="p1">${box('Kickoff')}${box('The project starts in May.')}<presentation:notes>${box('Thank the team.')}</presentation:notes></draw:page></office:presentation></office:body></office:document-content>`,
  })
}

/** A page per text, which may have lines. With `isEncrypted`, a password is required. */
export function createPdf(pages: readonly string[], isEncrypted = false): Uint8Array {
  const kids = pages.map((_, at) => `${at * 2 + 4} 0 R`).join(' ')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages.flatMap((text, at) => {
      const lines = text.split('\n').map((line) => `(${line}) Tj`)
      const content = `BT /F1 12 Tf 72 700 Td ${lines.join(' 0 -14 Td ')} ET`
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${at * 2 + 5} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ]
    }),
  ]
  let file = '%PDF-1.4\n'
  const starts = objects.map((object, at) => {
    const start = file.length
    file += `${at + 1} 0 obj\n${object}\nendobj\n`
    return `${String(start).padStart(10, '0')} 00000 n \n`
  })
  const key = `<${'ab'.repeat(32)}>`
  const encryption = `/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O ${key} /U ${key} >> /ID [<00> <00>]`
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${starts.join('')}`
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${isEncrypted ? encryption : ''} >>`
  return strToU8(`${file}${table}${trailer}\nstartxref\n${file.length}\n%%EOF\n`)
}

/** A binary presentation: a slide with a Unicode and a Latin text, and its notes. */
export function createPpt(): Uint8Array {
  const stream = Buffer.concat([
    record(0x03ee, [
      record(0x0fa0, Buffer.from('Kickoff', 'utf16le')),
      record(0x0fa8, Buffer.from('The project starts in May.', 'latin1')),
    ]),
    record(0x03f0, [record(0x0fa8, Buffer.from('Thank the team.', 'latin1'))]),
  ])
  return compound({ 'PowerPoint Document': stream })
}

function record(type: number, content: Buffer | readonly Buffer[]): Buffer {
  const isContainer = Array.isArray(content)
  const body = isContainer ? Buffer.concat(content) : (content as Buffer)
  const header = Buffer.alloc(8)
  header.writeUInt16LE(isContainer ? 0xf : 0, 0)
  header.writeUInt16LE(type, 2)
  header.writeUInt32LE(body.length, 4)
  return Buffer.concat([header, body])
}

/** Offsets of the header of a Word 97 document. */
const fibLength = 0x0a00
const offsets = { ccpText: 0x004c, fcClx: 0x01a2, lcbClx: 0x01a6 }

/** A binary document of one piece. */
export function createDoc(text: string): Uint8Array {
  const body = Buffer.from(text.replaceAll('\n', '\r'), 'utf16le')
  const header = Buffer.alloc(fibLength)
  header.writeUInt16LE(0xa5ec, 0)
  header.writeUInt16LE(0x00c1, 2)
  // The table is in the stream `1Table`.
  header.writeUInt16LE(0x0200, 0x000a)
  header.writeUInt32LE(text.length, offsets.ccpText)
  const pieces = Buffer.alloc(5 + 8 + 8)
  pieces.writeUInt8(2, 0)
  pieces.writeUInt32LE(16, 1)
  pieces.writeUInt32LE(0, 5)
  pieces.writeUInt32LE(text.length, 9)
  pieces.writeUInt32LE(fibLength, 15)
  header.writeUInt32LE(0, offsets.fcClx)
  header.writeUInt32LE(pieces.length, offsets.lcbClx)
  return compound({ WordDocument: Buffer.concat([header, body]), '1Table': pieces })
}

export function compound(streams: Readonly<Record<string, Uint8Array>>): Uint8Array {
  const container = cfb.cfb_new()
  for (const [name, content] of Object.entries(streams))
    cfb.cfb_add(container, `/${name}`, Buffer.from(content))
  return Uint8Array.from(writeCfb(container, { type: 'buffer' }) as Uint8Array)
}
