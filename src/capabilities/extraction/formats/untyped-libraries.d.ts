declare module '@joplin/turndown-plugin-gfm' {
  export const gfm: import('turndown').Plugin
}

declare module 'word-extractor' {
  interface WordDocument {
    getBody(): string
    getFootnotes(): string
    getEndnotes(): string
  }

  class WordExtractor {
    extract(source: Buffer): Promise<WordDocument>
  }

  export = WordExtractor
}
