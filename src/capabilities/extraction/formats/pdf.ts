import { extractText, getDocumentProxy, getMeta } from 'unpdf'
import { Unreadable } from '../result.ts'

const maxPages = 5_000

interface PdfText {
  readonly text: string
  readonly title?: string | undefined
  readonly warnings: readonly 'truncated'[]
}

/** The text of each page; a form feed ends a page, so that a chunk can name it. */
export async function convertPdf(bytes: Uint8Array): Promise<PdfText> {
  const document = await open(bytes)
  try {
    const { text, totalPages } = await extractText(document, { mergePages: false })
    const pages = text.slice(0, maxPages).map((page) => page.trim())
    const title = await findTitle(document)
    return {
      text: pages.join('\n\n\f\n\n').trim(),
      title,
      warnings: totalPages > maxPages ? ['truncated'] : [],
    }
  } finally {
    await document.loadingTask.destroy()
  }
}

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>

async function open(bytes: Uint8Array): Promise<PdfDocument> {
  try {
    // The parser takes the bytes over.
    return await getDocumentProxy(bytes.slice(), { verbosity: 0 })
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException')
      throw new Unreadable('encrypted', 'The PDF is encrypted. Save it without a password.')
    throw error
  }
}

async function findTitle(document: PdfDocument): Promise<string | undefined> {
  const { info } = await getMeta(document)
  const title: unknown = info?.['Title']
  return typeof title === 'string' && title.trim() !== '' ? title.trim().slice(0, 300) : undefined
}
