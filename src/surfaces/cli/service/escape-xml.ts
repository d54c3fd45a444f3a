const named: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

/** Escapes text of an element, in ASCII alone, so that the encoding of the file does not matter. */
export function escapeXml(text: string): string {
  return text.replaceAll(/[&<>"]|[^\0-\x7f]/gu, (character) => {
    return named[character] ?? `&#${character.codePointAt(0)};`
  })
}
