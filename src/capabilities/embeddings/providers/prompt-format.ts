/** Text prefixes that a model was trained with. */
export interface PromptFormat {
  readonly name: 'plain' | 'nomic' | 'e5'
  readonly document: string
  readonly query: string
}

export const promptFormats: Readonly<Record<PromptFormat['name'], PromptFormat>> = {
  plain: { name: 'plain', document: '', query: '' },
  nomic: { name: 'nomic', document: 'search_document: ', query: 'search_query: ' },
  e5: { name: 'e5', document: 'passage: ', query: 'query: ' },
}

export function findPromptFormat(model: string): PromptFormat {
  const name = model.toLowerCase()
  if (name.includes('nomic-embed')) return promptFormats.nomic
  return /(^|[^a-z])e5-/.test(name) ? promptFormats.e5 : promptFormats.plain
}
