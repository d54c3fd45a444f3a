import { afterAll, expect, test } from 'vitest'
import {
  compound,
  createDoc,
  createDocument,
  createOdp,
  createPdf,
  createPpt,
  createPptx,
  createSheet,
  zip,
} from '../../../test/support/office-files.ts'
import { realHost } from '../../kernel/host/host.ts'
import { createLog } from '../../kernel/log/log.ts'
import { noChildLedger } from '../../kernel/testing/no-child-ledger.ts'
import { createExtraction } from './index.ts'

const { extractor, stop } = createExtraction({
  host: realHost,
  children: noChildLedger,
  log: createLog('silent'),
})
afterAll(stop)

const extract = (fileName: string, bytes: Uint8Array) => extractor.extract({ fileName, bytes })

const report = [
  '# Report',
  'The **committee** approved the proposal.',
  '## Costs',
  '- paper\n- ink',
  '| item | sum |\n| --- | --- |\n| paper | 12 |',
].join('\n\n')

test.each(['docx', 'odt', 'rtf', 'epub'] as const)('reads %s as Markdown', async (format) => {
  const file = await createDocument(format)

  expect(await extract(`a.${format}`, file)).toMatchObject({ status: 'extracted', text: report })
})

test('reads a docx under the name of one with macros', async () => {
  expect(await extract('a.docm', await createDocument('docx'))).toMatchObject({ text: report })
})

test.each([
  ['a.xlsx', 'xlsx'],
  ['a.xlsm', 'xlsm'],
  ['a.xls', 'biff8'],
  ['a.ods', 'ods'],
] as const)('reads the sheets of %s as tables', async (name, format) => {
  expect(await extract(name, createSheet(format))).toMatchObject({
    status: 'extracted',
    format: 'sheet',
    text: expect.stringContaining(
      '## People\n\n| name | sum |\n|---|---|\n| Ada | 3.5 |\n| Grace |',
    ),
  })
})

test.each([
  ['a.pptx', createPptx()],
  ['a.ppsx', createPptx()],
  ['a.odp', createOdp()],
  ['a.ppt', createPpt()],
])('reads the slides and notes of %s', async (name, file) => {
  const result = await extract(name, file)

  for (const words of ['Kickoff', 'The project starts in May.', 'hank the team.'])
    expect(result).toMatchObject({ text: expect.stringContaining(words) })
  expect(result).toMatchObject({ text: expect.not.stringMatching(/^---/) })
})

test('reads a binary Word document', async () => {
  expect(await extract('a.doc', createDoc('Dear Ada,\nthe engine works.\n'))).toMatchObject({
    text: 'Dear Ada,\n\nthe engine works.',
  })
})

test('reads the pages of a PDF', async () => {
  expect(await extract('a.pdf', createPdf(['First page.', 'Second page.']))).toMatchObject({
    text: 'First page.\n\n\f\n\nSecond page.',
  })
})

test('reads a message with its headers and the names of its attachments', async () => {
  const mail = [
    'From: Ada <ada@example.org>',
    'To: grace@example.org',
    'Date: Mon, 5 Jan 2026 10:00:00 +0000',
    'Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=x',
    '',
    '--x\r\nContent-Type: text/plain\r\n\r\nThe engine works.',
    '--x\r\nContent-Type: application/pdf\r\nContent-Disposition: attachment; filename=plan.pdf\r\n\r\nxx',
    '--x--',
  ].join('\r\n')

  expect(await extract('a.eml', new TextEncoder().encode(mail))).toMatchObject({
    title: 'Grüße',
    text: 'From: Ada <ada@example.org>\nTo: grace@example.org\nDate: 2026-01-05T10:00:00.000Z\nSubject: Grüße\n\nThe engine works.\n\nAttachments:\n\n- plan.pdf (application/pdf)',
  })
})

const random = Uint8Array.from({ length: 20_000 }, (_, at) => (at * 7919 + (at >> 3)) % 256)
const cut = (bytes: Uint8Array) => bytes.subarray(0, bytes.length / 2)
const bomb = zip({ 'word/document.xml': `<w>${' '.repeat(60_000_000)}</w>` })
const entities = zip({
  'word/document.xml': '<!DOCTYPE x [<!ENTITY a "aaaa">]><w:document>&a;</w:document>',
})
const nested = zip({
  'content.xml': '<text:p>'.repeat(100_000),
  mimetype: 'application/vnd.oasis.opendocument.text',
})

test.each([
  ['a.docx', random, 'corrupt'],
  ['a.pdf', random, 'corrupt'],
  ['a.xls', random, 'corrupt'],
  ['a.rtf', random, 'corrupt'],
  ['a.docx', cut(await createDocument('docx')), 'corrupt'],
  ['a.xlsx', cut(createSheet('xlsx')), 'corrupt'],
  ['a.pdf', new TextEncoder().encode('%PDF-1.4 garbage'), 'corrupt'],
  ['a.pdf', createPdf(['secret'], true), 'encrypted'],
  ['a.docx', compound({ EncryptedPackage: random, EncryptionInfo: random }), 'encrypted'],
  ['a.docx', withFlag(await createDocument('docx')), 'encrypted'],
  ['a.docx', bomb, 'too_large'],
  ['a.docx', withDeclaredSize(bomb, 1_000), 'too_large'],
  ['a.docx', entities, 'corrupt'],
  ['a.docx', zip({ 'word/../../etc/passwd': 'x' }), 'corrupt'],
  ['a.docx', zip({ 'C:\\word\\document.xml': 'x' }), 'corrupt'],
  [
    'a.docx',
    zip(Object.fromEntries(Array.from({ length: 5_001 }, (_, at) => [`word/${at}`, '']))),
    'too_large',
  ],
  ['a.odt', nested, 'corrupt'],
  ['a.docx', zip({ 'readme.txt': 'x' }), 'unsupported_format'],
])('a hostile %s (%#) fails with its reason', async (name, bytes, reason) => {
  expect(await extract(name, bytes)).toMatchObject({ status: 'failed', reason })
})

const binary = 'doc docx docm odt rtf pdf ppt pptx ppsx odp epub xls xlsx xlsm ods'.split(' ')

test.each(binary)('random bytes as %s are corrupt', async (extension) => {
  expect(await extract(`a.${extension}`, random)).toMatchObject({
    status: 'failed',
    reason: 'corrupt',
  })
})

test.each([
  ['a.docx', await createDocument('docx')],
  ['a.odt', await createDocument('odt')],
  ['a.epub', await createDocument('epub')],
  ['a.pptx', createPptx()],
  ['a.odp', createOdp()],
  ['a.ods', createSheet('ods')],
  ['a.xlsx', createSheet('xlsx')],
  ['a.xls', createSheet('biff8')],
  ['a.ppt', createPpt()],
])('a %s that is cut is corrupt', async (name, bytes) => {
  expect(await extract(name, cut(bytes))).toMatchObject({ status: 'failed', reason: 'corrupt' })
})

test('a sheet that claims every cell is read up to its last row', async () => {
  const sheet = `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><dimension ref="A1:XFD1048576"/><sheetData><row r="1"><c r="A1" t="str"><v>only</v></c></row><row r="1048576"><c r="XFD1048576" t="str"><v>last</v></c></row></sheetData></worksheet>`
  const file = zip({
    '[Content_Types].xml':
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>',
    'xl/workbook.xml':
      '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
    'xl/worksheets/sheet1.xml': sheet,
  })

  expect(await extract('a.xlsx', file)).toMatchObject({
    text: expect.stringContaining('only'),
    warnings: ['truncated'],
  })
})

/** Sets the flag of encryption in the central directory. */
function withFlag(bytes: Uint8Array): Uint8Array {
  const copy = Buffer.from(bytes)
  copy[copy.indexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02])) + 8] = 1
  return Uint8Array.from(copy)
}

/** An archive whose directory lies about the size of its entry. */
function withDeclaredSize(bytes: Uint8Array, size: number): Uint8Array {
  const copy = Buffer.from(bytes)
  copy.writeUInt32LE(size, copy.indexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02])) + 24)
  return Uint8Array.from(copy)
}
