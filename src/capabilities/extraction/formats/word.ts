import WordExtractor from 'word-extractor'

/** Body, footnotes and endnotes of a binary Word document. */
export async function convertWord(bytes: Uint8Array): Promise<{ text: string }> {
  const document = await new WordExtractor().extract(Buffer.from(bytes))
  const parts = [document.getBody(), document.getFootnotes(), document.getEndnotes()]
  const text = parts.map((part) => toParagraphs(part)).filter((part) => part !== '')
  return { text: text.join('\n\n') }
}

/** Word ends each paragraph with one line end. */
function toParagraphs(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll(/\n+/g, '\n\n').trim()
}
