import { OfficeParser } from 'officeparser/slim'
import { Unreadable } from '../result.ts'

/** The formats of this parser. Documents with macros are read as those without. */
export type OfficeFormat = 'docx' | 'odt' | 'odp' | 'pptx' | 'epub' | 'rtf'

interface OfficeText {
  readonly text: string
  readonly title?: string | undefined
}

/** RTF writes a character and its substitute for old readers; the substitute is left out. */
const rtfSubstitute = /(\\u-?\d+) ?\\'[0-9a-f]{2}/gi
/** Names of headings that the generator appends. */
const headingName = /^(#{1,6} .*?) \{#[^}\n]*\}$/gm

/** Before each slide. A form feed ends a page, so that a chunk can name its slide. */
const slideRule = /^---$/gm

/** Headings, lists, tables and speaker notes as Markdown. */
export async function convertOffice(bytes: Uint8Array, format: OfficeFormat): Promise<OfficeText> {
  const document = await parse(Buffer.from(bytes), format)
  const title = document.metadata?.title?.trim().slice(0, 300)
  // Otherwise the text would begin with a front matter of dates.
  document.metadata = {}
  const { value } = await document.to('md', {
    ignoreInternalLinks: true,
    includeImages: false,
    includeCharts: false,
    mdConfig: { fallbackToHtml: false },
  })
  const text = value.replaceAll(headingName, '$1')
  const isDeck = format === 'pptx' || format === 'odp'
  return {
    text: (isDeck ? text.replaceAll(slideRule, '\f') : text).trim(),
    title: title === '' || title === 'Untitled' ? undefined : title,
  }
}

async function parse(bytes: Buffer, format: OfficeFormat) {
  const source =
    format === 'rtf'
      ? Buffer.from(bytes.toString('latin1').replaceAll(rtfSubstitute, '$1 '), 'latin1')
      : bytes
  try {
    return await OfficeParser.parseOffice(source, {
      fileType: format,
      ignoreInternalLinks: true,
      extractAttachments: false,
    })
  } catch (error) {
    if (error instanceof Error && /password|encrypt/i.test(error.message))
      throw new Unreadable('encrypted', 'The file is encrypted. Save it without a password.')
    throw error
  }
}
