/** Characters that a reader cannot see, or that reorder the text around them. */
const hidden =
  /[[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]--[\t\n\r]]|\p{Variation_Selector}(?<!\ufe0f)/gv

export interface TextPart {
  readonly text: string
  /** The text is the code point of a hidden character. */
  readonly isHidden: boolean
  /** The position in the source, which identifies the part. */
  readonly at: number
}

/** Splits a text so that hidden characters can be shown as marks. */
export function splitHidden(text: string): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const match of text.matchAll(hidden)) {
    if (match.index > end) parts.push(toPart(text, end, match.index))
    parts.push({ text: toCodePoint(match[0]), isHidden: true, at: match.index })
    end = match.index + match[0].length
  }
  if (end < text.length) parts.push(toPart(text, end, text.length))
  return parts
}

function toPart(text: string, from: number, to: number): TextPart {
  return { text: text.slice(from, to), isHidden: false, at: from }
}

function toCodePoint(character: string): string {
  const code = character.codePointAt(0) ?? 0
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}

const maxNameLength = 80

/** A foreign text as a name in an attribute, a title or a file name. */
export function cleanName(text: string, maxLength = maxNameLength): string {
  const line = splitHidden(text.slice(0, maxLength * 4))
    .map((part) => (part.isHidden ? ' ' : part.text))
    .join('')
    .replaceAll(/\s+/g, ' ')
    .trim()
  const characters = [...line]
  return characters.length <= maxLength ? line : `${characters.slice(0, maxLength - 1).join('')}…`
}
